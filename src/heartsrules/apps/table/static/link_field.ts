/** A link to be opened elsewhere: a field with buttons to copy and to share it. */

import { Component, type VNode } from "preact";
import { announce } from "./page.ts";
import { component, el, type Child } from "./dom.ts";
import { say } from "./words.ts";

interface Props {
  id: string;
  /** What the link is for. */
  words: string;
  link: string;
  /** Whether it is for others. */
  shared: boolean;
  code: Child;
}

class LinkField extends Component<Props, { copied: boolean }> {
  override state = { copied: false };

  override render({ id, words, link, shared, code }: Props): VNode {
    // Cancelling is not an error.
    const share = () => navigator.share({ url: link }).catch(() => undefined);
    const select = (event: Event) => (event.target as HTMLInputElement).select();
    return el("div", {},
      el("label", { for: id }, words),
      el("input", { id, readonly: true, value: link, onfocus: select }),
      el("p", { class: "buttons" },
        el("button", { type: "button", id: `${id}-copy`, onclick: (event: Event) => this.copy(event) }, say("link.copy")),
        shared && "share" in navigator && el("button", { type: "button", id: `${id}-share`, onclick: share }, say("link.share")),
        el("span", { id: `${id}-copied`, class: "hint" }, this.state.copied && say("link.copied"))),
      onlyHere(link) ? el("p", { class: "hint" }, say("waiting.only-here")) : code);
  }

  private async copy(event: Event): Promise<void> {
    const { id, link } = this.props;
    const button = event.currentTarget as HTMLElement;
    if (!(await copied(document.getElementById(id) as HTMLInputElement, link))) return; // it is selected: the keys of the browser copy it
    button.focus({ preventScroll: true });
    announce(say("link.copied"));
    this.setState({ copied: true });
  }
}

/** A link in a field, and its QR code unless it works on this computer only. */
export const linkField = (props: Props): VNode => component(LinkField, props);

const onlyHere = (link: string) => ["localhost", "127.0.0.1", "[::1]"].includes(new URL(link).hostname);

/** Copy a link; from its field where pages without HTTPS may not use the clipboard. */
async function copied(field: HTMLInputElement, link: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(link);
    return true;
  } catch {
    field.focus({ preventScroll: true });
    field.select();
    return document.execCommand("copy");
  }
}
