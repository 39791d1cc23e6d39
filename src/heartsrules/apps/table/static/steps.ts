/** Entries of the browser's history that stand for what is opened upon a table, so that going back closes it. */

type Entries = Pick<History, "state" | "pushState" | "go">;

export class Steps {
  /** Tells the entries of this page from those of an earlier load, which open nothing any more. */
  private readonly load: string;

  constructor(private readonly entries: Entries, load = String(Math.random())) {
    this.load = load;
  }

  /** How much is open: 0 is the table, 1 a review, 2 its practice. */
  get depth(): number {
    const { step, load } = (this.entries.state ?? {}) as { step?: number; load?: string };
    return load === this.load ? (step ?? 0) : 0;
  }

  /** Go to a depth; one that is less closes what is above it, once the browser has gone back. */
  enter(step: number): void {
    const { depth } = this;
    if (step > depth) this.entries.pushState({ step, load: this.load }, "");
    else if (step < depth) this.entries.go(step - depth);
  }
}
