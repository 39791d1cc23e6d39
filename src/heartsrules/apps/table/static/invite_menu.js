/** The menu that invites others to a table, before the game and during it. */

import { local } from "./api.js";
import { style } from "./choices.js";
import { el, svg, update } from "./dom.js";
import { botFace } from "./faces.js";
import { linkField, onlyHere } from "./link_field.js";
import { menu } from "./menus.js";
import { say } from "./words.js";

const PERSON = "M10 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM3 20c0-4 3-6 7-6s7 2 7 6M19 8v6M16 11h6";

export class InviteMenu {
  /** @param {import("./table.js").TableView} table */
  constructor(table) {
    this.table = table;
    this.inside = el("div");
    const icon = svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, svg("path", { d: PERSON }));
    this.node = menu("invite", [icon, el("span", {}, say("invite.title-short"))], say("invite.button"), [this.inside], { ontoggle: () => this.render() });
  }

  async render() {
    const { table } = this;
    this.node.hidden = local !== null || !table.table?.started || table.table.over;
    if (!this.node.open) return;
    if (!table.invitation) await table.askInvitation();
    const { link } = table.invitation;
    update(this.inside,
      el("p", {}, say("invite.told")),
      el("ol", { class: "sitting" }, table.table.people.map((person, seat) =>
        el("li", {}, el("span", { class: "line" }, person.kind === "bot" && botFace(seat, person.level), el("bdi", {}, table.name(seat)), person.kind === "bot" && el("span", { class: "hint" }, style(person.level)))))),
      ...linkField("share", say("invite.link"), link, true),
      onlyHere(link) ? el("p", { class: "hint" }, say("waiting.only-here")) : el("img", { class: "code", src: `/api/tables/${table.id}/code.svg`, alt: say("waiting.code"), width: 160, height: 160 }),
    );
  }
}
