/** The part of the first page that is loaded when its form is unfolded. */

import "./core.ts";
export { openingForm } from "./opening_form.ts";
export { getOptionWords } from "./options.ts";
