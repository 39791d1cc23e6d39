/** The modules of the first page, with all that they need. What is loaded later names them, so that they are one file. */

import "./settings.ts";
import "./start.ts";
