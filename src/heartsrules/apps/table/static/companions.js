/** What goes along with a table: its menus, keys, sounds, notices, and moves that are made by themselves. */

import { local } from "./api.js";
import { notifyTurn, showTurn } from "./attention.js";
import { Autoplay } from "./autoplay.js";
import { InviteMenu } from "./invite_menu.js";
import { Keys } from "./keys.js";
import { Phrases } from "./phrases.js";
import { onPreference, preference } from "./preferences.js";
import { sound } from "./sounds.js";

export class Companions {
  /** @param {import("./table.js").TableView} table */
  constructor(table) {
    this.table = table;
    this.invite = new InviteMenu(table);
    this.phrases = new Phrases(table);
    this.parts = [this.phrases, new Keys(table), new Autoplay(table)];
    this.autoplay = /** @type {Autoplay} */ (this.parts[2]);
    this.ignore = onPreference((name) => this.preferred(name));
    this.place = document.getElementById("tools");
    this.place?.replaceChildren(this.invite.node, this.phrases.node, this.phrases.heard);
    this.render();
  }

  close() {
    this.ignore();
    for (const part of this.parts) part.close();
    this.place?.replaceChildren();
    showTurn(false);
  }

  /** Ask for the pace that this person prefers, once connected. */
  connected() {
    if (preference("speed") !== "usual") this.table.connection.ask({ type: "pace", pace: preference("speed") });
  }

  /** Show a menu where it is of use. */
  render() {
    const { table, seat } = this.table;
    this.phrases.node.hidden = local !== null || !table?.started || seat === null || table.people.every((person, at) => at === seat || person.kind === "bot");
    this.invite.render();
  }

  /** Take a new view, and the events that led to it. @param {any} before the view before; null: the page has just come */
  took(before, events) {
    const { now, seat } = this.table;
    const { mine } = now.choice;
    showTurn(mine);
    if (before && events.some(({ code, card }) => code === "card-played" && card === "QS")) sound("queen");
    if (before && events.some(({ code }) => code === "moon-shot")) sound("moon");
    if (before && seat !== null && mine && !before.choice.mine) {
      sound("turn");
      notifyTurn();
    }
    this.autoplay.look();
  }

  /** Show what somebody has chosen in the settings. */
  preferred(name) {
    const { hand, now } = this.table;
    if (name === "sound") sound("turn");
    if (name === "phrases") this.phrases.silence();
    if (name === "speed") this.table.connection.ask({ type: "pace", pace: preference("speed") });
    if (!now) return;
    if (name === "sorting") {
      hand.restart();
      hand.render();
    }
    if (name === "forced" || name === "claim") this.autoplay.look();
  }
}
