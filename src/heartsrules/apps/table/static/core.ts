/** The modules of the first page. What is loaded later names them all, so that they are bundled as one file. */

import "./api.ts";
import "./cards.ts";
import "./choices.ts";
import "./focus.ts";
import "./games.ts";
import "./introduction.ts";
import "./menus.ts";
import "./motion.ts";
import "./page.ts";
import "./picture.ts";
import "./position.ts";
import "./preferences.ts";
import "./sentences.ts";
import "./settings.ts";
import "./start.ts";
import "./storage.ts";
import "./words.ts";
