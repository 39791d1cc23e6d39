// The rules of Hearts for TypeScript, through `heartsrules serve` (JSON over HTTP, or lines of JSON with a process
// beside the app), or without any server through Pyodide. One file without dependencies: copy it, or print it with
// `heartsrules serve --print client`, and as JavaScript with `--print javascript`.
//
// Whole states travel, with every hand. With a server it is for your backend: states must never reach a player. In a
// browser, through Pyodide, it is for games whose player may see everything that the page holds.
//
//   const hearts = new HeartsRules(overHttp("http://127.0.0.1:8001"));
//   const { state } = await hearts.ask("new-game", { rules: { heartsrules: 1, kind: "rules" } });
//
// It has nothing that must be compiled away but types: Node.js from 22.18 on runs it as it is.

// types: written by nox -s generate


/** What every state has. */
export interface AnyState {
  /** The version of the format. */
  heartsrules: 1;
  kind: "state";
  has_full_history: boolean;
  rules: RulesWire;
  deal_number: number;
  scores: ReadonlyArray<number>;
  score_sheet: ReadonlyArray<DealScoreWire>;
  first: number;
  start: ReadonlyArray<number> | null;
  queen_taker: number | null;
}

/** What every view has. */
export interface AnyView {
  /** The version of the format. */
  heartsrules: 1;
  kind: "view";
  seat: number | null;
  rules: RulesWire;
  /** A seat, clockwise from 0. */
  dealer: number;
  deal_number: number;
  scores: ReadonlyArray<number>;
  score_sheet: ReadonlyArray<DealScoreWire>;
  first: number;
  start: ReadonlyArray<number> | null;
  queen_taker: number | null;
}

/** What every violation has. */
export interface AnyViolation {
  /** The version of the format. */
  heartsrules: 1;
  kind: "violation";
  /** The reason for people, in English unless another language was asked for. */
  message: string;
  /** What fills the pattern of a catalogue, in the language of the message; left out if it is empty. */
  arguments?: { readonly [name: string]: string | number };
}

/** Update a view by the events of its seat. */
export interface AdvanceRequest {
  /** The language of sentences, such as `de-AT`. */
  language?: string;
  /** A view of any seat. */
  view: View;
  /** The events of that seat since then, in order. */
  events: EventsDocument;
}

/** The seat has shown its cards, or none, and cannot show others; in rounds, before another seat shows cards. */
export interface AlreadyDecidedDocument extends AnyViolation {
  code: "already-decided";
  seat: number;
}

/** The move shows cards that its seat has shown in an earlier round: see `exposure`. */
export interface AlreadyExposedDocument extends AnyViolation {
  code: "already-exposed";
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  cards: string;
}

/** The seat has committed its pass, and a commitment cannot be changed. */
export interface AlreadyPassedDocument extends AnyViolation {
  code: "already-passed";
  seat: number;
}

/** The next deal is to be dealt. `last_deal` is null before the first deal, or if the last deal is not known. */
export interface AwaitingDealDocument extends AnyState {
  phase: "awaiting-deal";
  last_deal: FinishedDealWire | null;
}

/** The next deal is to be dealt. */
export interface AwaitingDealViewDocument extends AnyView {
  phase: "awaiting-deal";
  last_deal: PlayedDealViewWire | null;
}

/** The deal does not deal this deck as the rules say. */
export interface BadDealDocument extends AnyViolation {
  code: "bad-deal";
  problems: ReadonlyArray<ProblemWire>;
}

/** How far the bonus cards may lower a score: without limit, the deal's points to 0, the running total to 0. */
export type BonusFloor = "deal" | "none" | "total";

/** A card whose points are subtracted from its taker's score. */
export interface BonusWire {
  /** A card: rank, then suit. */
  card: string;
  points: number;
}

/** A card that the mover holds must be played now: see `compulsory` and `compulsory_cards`. */
export interface CardIsCompulsoryDocument extends AnyViolation {
  code: "card-compulsory";
  /** A card: rank, then suit. */
  card: string;
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  required: string;
  when: Compulsory;
}

/** A card was led, followed or discarded. */
export interface CardPlayedWire {
  code: "card-played";
  seat: number;
  /** A card: rank, then suit. */
  card: string;
  /** What fills the pattern of a catalogue, in the language of the message; left out if it is empty. */
  arguments?: { readonly [name: string]: string | number };
}

/** A card of the hand, and why it could not be played, passed or shown now: nothing if it could. */
export interface CardReasons {
  card: string;
  violations: ReadonlyArray<Violation>;
}

/** The cards were dealt, as one seat sees it. */
export interface CardsDealtHiddenWire {
  code: "cards-dealt-hidden";
  seat: number | null;
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  hand: string;
  /** What fills the pattern of a catalogue, in the language of the message; left out if it is empty. */
  arguments?: { readonly [name: string]: string | number };
}

/** The cards were dealt. Nobody at the table may know all of this. */
export interface CardsDealtWire {
  code: "cards-dealt";
  hands: ReadonlyArray<string>;
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  kitty: string;
  /** What fills the pattern of a catalogue, in the language of the message; left out if it is empty. */
  arguments?: { readonly [name: string]: string | number };
}

/** A seat showed cards to everybody. */
export interface CardsExposedWire {
  code: "cards-exposed";
  seat: number;
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  cards: string;
  /** What fills the pattern of a catalogue, in the language of the message; left out if it is empty. */
  arguments?: { readonly [name: string]: string | number };
}

/** Everybody had committed, and the cards changed hands, or were dealt back from the middle, as one seat sees it. */
export interface CardsPassedHiddenWire {
  code: "cards-passed-hidden";
  seat: number | null;
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  passed: string;
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  received: string;
  counts: ReadonlyArray<number>;
  /** What fills the pattern of a catalogue, in the language of the message; left out if it is empty. */
  arguments?: { readonly [name: string]: string | number };
}

/** Everybody had committed, and the cards changed hands, or were dealt back from the middle. Nobody at the table may */
export interface CardsPassedWire {
  code: "cards-passed";
  passed: ReadonlyArray<string>;
  received: ReadonlyArray<string>;
  counts: ReadonlyArray<number>;
  /** What fills the pattern of a catalogue, in the language of the message; left out if it is empty. */
  arguments?: { readonly [name: string]: string | number };
}

/**
 * The patterns of a language by their keys, in ICU MessageFormat, and the languages that there are. A violation is
 * told by `violation.<code>`, an event by `event.<code>`, a problem by `problem.<code>` or
 * `problem.<code>.<detail>`; their `arguments`, of a request in the same language, fill it.
 */
export interface Catalogue {
  patterns: { readonly [name: string]: string };
  languages: ReadonlyArray<string>;
}

/** Give the words of a language, for pages that tell players why a move is refused in words of their own. */
export interface CatalogueRequest {
  /** The language of sentences, such as `de-AT`. */
  language?: string;
}

/** The shooter chooses the effect of the moon. */
export interface ChooseMoonDocument extends ChooseMoonWire {
  /** The version of the format. */
  heartsrules: 1;
  kind: "move";
}

/** The shooter chooses the effect of the moon. */
export interface ChooseMoonWire {
  move: "choose-moon";
  seat: number;
  effect: Moon;
}

/** A player shot the moon and chooses its effect. */
export interface ChoosingMoonDocument extends AnyState {
  phase: "choosing-moon";
  last_deal: FinishedDealWire;
  /** A seat, clockwise from 0. */
  shooter: number;
}

/** A player shot the moon and chooses its effect. */
export interface ChoosingMoonViewDocument extends AnyView {
  phase: "choosing-moon";
  last_deal: PlayedDealViewWire;
  /** A seat, clockwise from 0. */
  shooter: number;
  others_up: DealScoreWire;
  shooter_down: DealScoreWire;
}

/**
 * When the holder of a compulsory card must play it: never, when the suit led cannot be followed, then and under a
 * higher card of its suit, whenever it is legal to follow with it, whenever it is legal.
 */
export type Compulsory = "always" | "discard" | "no" | "not-lead" | "safe";

/**
 * The chance move that deals the cards: the hands by seat, and the kitty. After a pass through the middle a second
 * one deals the pile back: the cards that each seat gets, and no kitty.
 */
export interface DealDocument extends DealWire {
  /** The version of the format. */
  heartsrules: 1;
  kind: "move";
}

/** Deal the cards, or deal back a pile in the middle. */
export interface DealRequest {
  /** The language of sentences, such as `de-AT`. */
  language?: string;
  /** The state before the deal, or before a pile in the middle is dealt back. */
  state: State;
  /** What the deal follows from, for tests and audits. */
  seed?: string | number | null;
  /** A deal of your own, to be checked. */
  deal?: DealDocument;
  /** Whether to tell each seat its view too. By default false. */
  views?: boolean;
}

export type DealScore = DealScoreDocument;

/**
 * The result of one deal: a row of the score sheet. Arrays are by seat. `queen_taker` is the seat that captured the
 * Q♠, or null if nobody did or not exactly one Q♠ is in play. `exposed` are the cards that each seat exposed; empty
 * if no cards may be.
 */
export interface DealScoreDocument extends DealScoreWire {
  /** The version of the format. */
  heartsrules: 1;
  kind: "deal-score";
}

/**
 * The result of one deal: a row of the score sheet. Arrays are by seat. `queen_taker` is the seat that captured the
 * Q♠, or null if nobody did or not exactly one Q♠ is in play. `exposed` are the cards that each seat exposed; empty
 * if no cards may be.
 */
export interface DealScoreWire {
  points: ReadonlyArray<number>;
  card_points: ReadonlyArray<number>;
  shooter: number | null;
  effect: "both" | "others-pay" | "others-up" | "shooter-down" | "shooter-to-zero" | "shooter-wins" | null;
  sun: boolean;
  tricks_won: ReadonlyArray<number>;
  totals: ReadonlyArray<number>;
  queen_taker: number | null;
  exposed: ReadonlyArray<string>;
}

/** The deal was scored; its row joined the score sheet. */
export interface DealScoredWire {
  code: "deal-scored";
  score: DealScoreWire;
  /** What fills the pattern of a catalogue, in the language of the message; left out if it is empty. */
  arguments?: { readonly [name: string]: string | number };
}

/**
 * The chance move that deals the cards: the hands by seat, and the kitty. After a pass through the middle a second
 * one deals the pile back: the cards that each seat gets, and no kitty.
 */
export interface DealWire {
  move: "deal";
  hands: ReadonlyArray<string>;
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  kitty: string;
}

/**
 * All seats have passed cards into the middle, and the pile is to be dealt back. `hands` are the cards as dealt,
 * and `passes` the gifts by seat.
 */
export interface DealingBackDocument extends AnyState {
  phase: "dealing-back";
  hands: ReadonlyArray<string>;
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  kitty: string;
  passes: ReadonlyArray<ReadonlyArray<string> | null>;
}

/**
 * All seats have passed, and the pile in the middle is to be dealt back. The passes of other seats are hidden, and
 * `hand` is the hand as it was dealt.
 */
export interface DealingBackViewDocument extends AnyView {
  phase: "dealing-back";
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  hand: string;
  commitment: ReadonlyArray<string> | null;
}

/** The result of a deal: that of a move, and in the next state the cards are to be passed, shown or played. */
export interface Dealt {
  move: DealDocument;
  state: PassingDocument | ExposingDocument | PlayingDocument;
  events: EventsDocument;
  updates: ReadonlyArray<SeatUpdate>;
  to_act: ReadonlyArray<number>;
}

/** Tell a rule set in sentences. */
export interface DescribeRequest {
  /** The language of sentences, such as `de-AT`. */
  language?: string;
  /** The rule set. */
  rules: RulesDocument;
}

/** The rule set in sentences, in the order of play. */
export interface Described {
  sentences: ReadonlyArray<string>;
}

/** A card that multiplies its taker's score; if the taker has no scoring card, `alone` is subtracted instead. */
export interface DoublerWire {
  /** A card: rank, then suit. */
  card: string;
  factor: number;
  alone: number;
}

/** What equal cards in one trick do: cancel each other, or the first or the last of them wins. */
export type Duplicates = "cancel" | "first-wins" | "last-wins";

export type Events = EventsDocument;

/** Events in order of occurrence. */
export interface EventsDocument {
  /** The version of the format. */
  heartsrules: 1;
  kind: "events";
  events: ReadonlyArray<CardsDealtWire | CardsDealtHiddenWire | PassCommittedHiddenWire | CardsPassedWire | CardsPassedHiddenWire | ExposureCommittedHiddenWire | CardsExposedWire | PlayBeganWire | CardPlayedWire | HeartsBrokenWire | TrickWonWire | TrickVoidWire | KittyTakenWire | KittyTakenHiddenWire | MoonShotWire | MoonChosenWire | DealScoredWire | GameEndedWire | PassCommittedWire | ExposureCommittedWire>;
}

/**
 * In which deals cards are shown before the pass, which is then made only if nobody has shown any, and again after
 * it: in none; in those whose pass goes through the middle; or in all that have a pass.
 */
export type ExposeBeforePass = "always" | "middle" | "never";

/** A seat shows cards of its hand before the first lead, or decides to show none. */
export interface ExposeDocument extends ExposeWire {
  /** The version of the format. */
  heartsrules: 1;
  kind: "move";
}

/** A seat shows cards of its hand before the first lead, or decides to show none. */
export interface ExposeWire {
  move: "expose";
  seat: number;
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  cards: string;
}

/**
 * How shown cards wait until an earlier trick was led in their suit: not at all; while their holder has another
 * card of the suit; or so when following, and on the lead while their holder may lead any other card.
 */
export type ExposedCardPlay = "free" | "wait-in-suit" | "wait-on-lead";

/** A shown card waits until its suit has been led in an earlier trick, while its holder has another card: see */
export interface ExposedCardRestrictedDocument extends AnyViolation {
  code: "exposed-card-restricted";
  /** A card: rank, then suit. */
  card: string;
}

/**
 * Some seats have still to decide which cards they show. By seat, `hands` are the cards held now, `passes` the
 * gifts, and `exposures` the cards shown, null for a seat that has not decided yet. `passes` is empty if there was
 * no passing. `dealt_back`, left out unless the pass went through the middle, are the cards that each seat was
 * dealt back. In rounds, a seat has not decided if it has not since another showed cards, and `exposed` are the
 * cards that lie open; it is left out while there are none.
 */
export interface ExposingDocument extends AnyState {
  phase: "exposing";
  hands: ReadonlyArray<string>;
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  kitty: string;
  passes: ReadonlyArray<ReadonlyArray<string> | null>;
  exposures: ReadonlyArray<string | null>;
  dealt_back?: ReadonlyArray<string>;
  exposed?: ReadonlyArray<string>;
}

/**
 * Some seats have still to decide which cards they show. `exposable` are the cards that may be shown. `exposure`
 * are the cards that this seat shows, or null if it has not decided yet. `exposed` are the cards that are visible
 * to everybody; if all show together, none yet. `committed` are the seats that have decided, and `to_act` the seats
 * that may decide now. With `before_pass`, the pass of the deal follows if nobody shows any card. `pass_counts`
 * has, by seat, how many cards it committed to pass; it is empty if the deal had no pass, or not yet.
 */
export interface ExposingViewDocument extends AnyView {
  phase: "exposing";
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  hand: string;
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  exposable: string;
  exposure: string | null;
  committed: ReadonlyArray<number>;
  to_act: ReadonlyArray<number>;
  before_pass: boolean;
  commitment: ReadonlyArray<string> | null;
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  passed: string;
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  received: string;
  pass_counts: ReadonlyArray<number>;
  exposed: ReadonlyArray<string>;
}

/**
 * How cards are shown before the first lead: in any order, and nobody sees them before all have moved; or one seat
 * after the other from the dealer's left, each seen at once. In rounds, in any order or in turn, each is seen at
 * once too, and whenever a seat shows cards all others may show more.
 */
export type Exposure = "in-turn" | "rounds" | "rounds-in-turn" | "together";

/** Another seat decided what it shows. */
export interface ExposureCommittedHiddenWire {
  code: "exposure-committed-hidden";
  seat: number;
  /** What fills the pattern of a catalogue, in the language of the message; left out if it is empty. */
  arguments?: { readonly [name: string]: string | number };
}

/** A seat decided which cards it shows, if all seats show together. */
export interface ExposureCommittedWire {
  code: "exposure-committed";
  seat: number;
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  cards: string;
  /** What fills the pattern of a catalogue, in the language of the message; left out if it is empty. */
  arguments?: { readonly [name: string]: string | number };
}

/**
 * A finished deal. `passes` are the cards passed by each seat, and `exposed` those that each seat exposed, empty if
 * nobody did. `resumed_from` is null if all tricks are recorded. `dealt_back`, left out unless the pass went
 * through the middle, are the cards that each seat was dealt back.
 */
export interface FinishedDealWire {
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  kitty: string;
  passes: ReadonlyArray<ReadonlyArray<string> | null>;
  exposed: ReadonlyArray<string>;
  tricks: ReadonlyArray<TrickWire>;
  resumed_from: MidDealPositionWire | null;
  dealt_back?: ReadonlyArray<string>;
}

/**
 * What may not be discarded on the first trick of a deal: penalty cards; hearts; scoring cards, which are hearts,
 * penalty cards and bonus cards; or nothing is barred.
 */
export type FirstTrick = "free" | "no-hearts" | "no-points" | "no-scoring";

/** No further deal follows. */
export interface GameEndedWire {
  code: "game-ended";
  winners: ReadonlyArray<number>;
  /** What fills the pattern of a catalogue, in the language of the message; left out if it is empty. */
  arguments?: { readonly [name: string]: string | number };
}

/** The game has ended, and no move of any kind is left. */
export interface GameIsOverDocument extends AnyViolation {
  code: "game-over";
}

/** The game is over. */
export interface GameOverDocument extends AnyState {
  phase: "game-over";
  last_deal: FinishedDealWire;
  winners: ReadonlyArray<number>;
}

/** The game is over. */
export interface GameOverViewDocument extends AnyView {
  phase: "game-over";
  last_deal: PlayedDealViewWire;
  winners: ReadonlyArray<number>;
}

/**
 * Named penalty values of the hearts: one each (13 in all), spot values with 11 to 14 for J Q K A (104), one each
 * but 2 to 5 for J Q K A (23), spot values with 10 for J Q K A (94).
 */
export type HeartValues = "face" | "one" | "pips" | "spot";

/**
 * How a heart breaks hearts: when it is played in any way, when it is played but not led, when it is discarded on
 * another suit, or not at all.
 */
export type HeartsBreak = "discarded" | "never" | "not-led" | "played";

/** The card that was played broke hearts. */
export interface HeartsBrokenWire {
  code: "hearts-broken";
  seat: number;
  /** A card: rank, then suit. */
  card: string;
  /** What fills the pattern of a catalogue, in the language of the message; left out if it is empty. */
  arguments?: { readonly [name: string]: string | number };
}

/**
 * When a heart may be led: once hearts are broken; once they are broken, and until then no other penalty card may
 * be led either; or at any time.
 */
export type HeartsLead = "any-time" | "points-when-broken" | "when-broken";

/** Hearts, and with POINTS_WHEN_BROKEN the other penalty cards too, may not be led yet: see `hearts_lead`. */
export interface HeartsNotBrokenDocument extends AnyViolation {
  code: "hearts-not-broken";
  /** A card: rank, then suit. */
  card: string;
  lead: HeartsLead;
}

/**
 * A move that the rules refuse: its number, from 0, the number of its deal, that of its trick or `null`, and the
 * reasons.
 */
export interface IllegalMoveFound {
  kind: "illegal-move";
  move: number;
  deal: number;
  trick: number | null;
  violations: ReadonlyArray<Violation>;
  message: string;
}

/** Judge a move in a state that a stranger may have written. */
export interface JudgeRequest {
  /** The language of sentences, such as `de-AT`. */
  language?: string;
  /** The state, whoever wrote it. */
  state: State;
  /** The move. */
  move: Move;
  /** Whether to refuse a state that does not tell its whole history. By default true. */
  has_full_history?: boolean;
}

/** The next state, and what happened in full; both are for the server alone. */
export interface JudgedMove {
  state: State;
  events: EventsDocument;
}

/**
 * Who collects the cards that are left over after dealing: the first winner of a trick, of a penalty card, of a
 * heart, or the winner of the last trick.
 */
export type Kitty = "first-heart" | "first-point" | "first-trick" | "last-trick" | "none";

/** Who may see the kitty when it is taken. */
export type KittyShownTo = "everybody" | "nobody" | "taker";

/** The winner of the trick took the kitty; its cards may not be seen. */
export interface KittyTakenHiddenWire {
  code: "kitty-taken-hidden";
  seat: number;
  /** What fills the pattern of a catalogue, in the language of the message; left out if it is empty. */
  arguments?: { readonly [name: string]: string | number };
}

/** The winner of the trick took the kitty, and its cards may be seen. */
export interface KittyTakenWire {
  code: "kitty-taken";
  seat: number;
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  cards: string;
  shown_to: KittyShownTo;
  /** What fills the pattern of a catalogue, in the language of the message; left out if it is empty. */
  arguments?: { readonly [name: string]: string | number };
}

/**
 * Legal moves in the documented order, and how many there are in all. Of deals, which are too many to be counted,
 * none are listed, and `total` is `null`.
 */
export interface LegalMoves {
  moves: ReadonlyArray<Move>;
  total: number | null;
}

/** List the moves that may be made now. */
export type LegalMovesRequest = {
  /** The language of sentences, such as `de-AT`. */
  language?: string;
  /** Whose moves; if it is not given, those of every seat that may act. */
  seat?: number | null;
  /** How many moves to leave out at the beginning. By default 0. */
  offset?: number;
  /** How many moves to list at most. By default 1000. */
  limit?: number;
} & ({
  /** The state. */
  state: State;
  view?: undefined;
} | {
  /** The view of a seat, in place of the state. */
  view: View;
  state?: undefined;
});

/** A pass without gifts, where `pass_optional` does not let a player decline. */
export interface MayNotDeclineDocument extends AnyViolation {
  code: "may-not-decline";
}

/**
 * The standing of a deal before its first recorded trick, if the earlier ones are not recorded. Arrays are by seat;
 * `suits_led` are the suits led in the earlier tricks, which matters only for shown cards.
 */
export interface MidDealPositionWire {
  /** A seat, clockwise from 0. */
  leader: number;
  captured: ReadonlyArray<string>;
  tricks_won: ReadonlyArray<number> | null;
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  set_aside: string;
  kitty_winner: number | null;
  hearts_broken: boolean | null;
  suits_led: ReadonlyArray<"C" | "D" | "H" | "S">;
}

/**
 * What shooting the moon does. All but `OFF`, `CHOICE` and the automatic ones are also the effects that it can
 * have; a shooter who chooses has the first two.
 */
export type Moon = "auto-extend" | "auto-save" | "both" | "choice" | "off" | "others-pay" | "others-up" | "shooter-down" | "shooter-to-zero" | "shooter-wins";

/**
 * Which cards make a moon: every penalty card; every heart and Q♠; every heart (and then the Q♠ too, for a shooter
 * who holds it); or every card in play, which takes every trick.
 */
export type MoonCards = "all" | "every-card" | "hearts" | "hearts-and-queen";

/** The shooter chose what the moon does. */
export interface MoonChosenWire {
  code: "moon-chosen";
  seat: number;
  effect: Moon;
  /** What fills the pattern of a catalogue, in the language of the message; left out if it is empty. */
  arguments?: { readonly [name: string]: string | number };
}

/** Who can shoot the moon, or win every trick for the sun: one player, or a team together. */
export type MoonScope = "player" | "team";

/** The deal was played out, somebody shot the moon and is to choose what it does. */
export interface MoonShotWire {
  code: "moon-shot";
  shooter: number;
  others_up: DealScoreWire;
  shooter_down: DealScoreWire;
  /** What fills the pattern of a catalogue, in the language of the message; left out if it is empty. */
  arguments?: { readonly [name: string]: string | number };
}

export type Move = DealDocument | PassDocument | ExposeDocument | PlayDocument | ChooseMoonDocument;

/**
 * The result of a move: the next state and all events, both for the server alone; an update for each seat in order
 * and then for spectators; and the seats that may act now, none if chance is to act or the game is over.
 */
export interface Moved {
  move: Move;
  state: State;
  events: EventsDocument;
  updates: ReadonlyArray<SeatUpdate>;
  to_act: ReadonlyArray<number>;
}

/** A player who holds a card of the suit led must play one. */
export interface MustFollowSuitDocument extends AnyViolation {
  code: "must-follow-suit";
  /** A card: rank, then suit. */
  card: string;
  /** A suit. */
  suit: "C" | "D" | "H" | "S";
  count: number;
}

/** A state: the first deal is to be dealt. `to_act` is empty, because chance is to act. */
export interface NewGame {
  state: AwaitingDealDocument;
  to_act: ReadonlyArray<number>;
}

/** Begin a match. */
export interface NewGameRequest {
  /** The language of sentences, such as `de-AT`. */
  language?: string;
  /** The rule set. */
  rules: RulesDocument;
}

/** What was chosen is a value of `moon`, but not one of the two effects that a shooter chooses from. */
export interface NoSuchEffectDocument extends AnyViolation {
  code: "no-such-effect";
  effect: Moon;
}

/** The table has no such seat. */
export interface NoSuchSeatDocument extends AnyViolation {
  code: "no-such-seat";
  seat: number;
  players: number;
}

/** The move shows cards that `exposable` does not name, or a card more than once. */
export interface NotExposableDocument extends AnyViolation {
  code: "not-exposable";
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  cards: string;
}

/** The mover does not hold these cards, or not as often as the move names them. */
export interface NotInHandDocument extends AnyViolation {
  code: "not-in-hand";
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  cards: string;
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  too_often: string;
}

/** Only the player who shot the moon decides what it does. */
export interface NotTheShooterDocument extends AnyViolation {
  code: "not-the-shooter";
  seat: number;
  shooter: number;
}

/** It is another seat's turn to play or to show cards. If the mover does not hold the card either, `NotInHand` */
export interface NotYourTurnDocument extends AnyViolation {
  code: "not-your-turn";
  seat: number;
  turn: number;
}

/**
 * An option of a preset. Its value is a `bool`, one of `choices` (a `choice`), an integer (`int`), or any value of
 * this option in a document of rules (`other`), and `null` if it is `optional`.
 */
export interface OfferedOption {
  name: string;
  kind: "bool" | "choice" | "int" | "other";
  choices: ReadonlyArray<unknown>;
  optional: boolean;
  default: unknown;
}

/**
 * What may be led to the first trick of a deal: the lowest club, any club, a card that is not a penalty card,
 * whatever `hearts_lead` allows, or any card at all.
 */
export type OpeningCard = "any" | "any-club" | "lowest-club" | "non-point" | "unrestricted";

/** The first lead of a deal is restricted by `opening_card`. */
export interface OpeningCardRequiredDocument extends AnyViolation {
  code: "opening-card";
  /** A card: rank, then suit. */
  card: string;
  required: OpeningCard;
}

/**
 * Who leads to the first trick of a deal: the holder of the lowest club, the seat to the dealer's left, or whoever
 * captured the Q♠ in the deal before (in the first deal, and if nobody did, the holder of the lowest spade).
 */
export type OpeningLeader = "dealer-left" | "lowest-club" | "queen-taker";

/** Another seat committed its pass. */
export interface PassCommittedHiddenWire {
  code: "pass-committed-hidden";
  seat: number;
  /** What fills the pattern of a catalogue, in the language of the message; left out if it is empty. */
  arguments?: { readonly [name: string]: string | number };
}

/** A seat committed its pass. */
export interface PassCommittedWire {
  code: "pass-committed";
  seat: number;
  cards: ReadonlyArray<string>;
  /** What fills the pattern of a catalogue, in the language of the message; left out if it is empty. */
  arguments?: { readonly [name: string]: string | number };
}

/** A seat commits its pass: the cards of each gift; no gifts if it declines to pass. */
export interface PassDocument extends PassWire {
  /** The version of the format. */
  heartsrules: 1;
  kind: "move";
}

/** Whether a player may decline to pass, and what happens then. */
export type PassOptional = "no" | "skip" | "unanimous";

/** A seat commits its pass: the cards of each gift; no gifts if it declines to pass. */
export interface PassWire {
  move: "pass";
  seat: number;
  cards: ReadonlyArray<string>;
}

/**
 * Some seats have still to commit their passes. `passes` are the gifts by seat, null for a seat that has not
 * committed yet.
 */
export interface PassingDocument extends AnyState {
  phase: "passing";
  hands: ReadonlyArray<string>;
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  kitty: string;
  passes: ReadonlyArray<ReadonlyArray<string> | null>;
}

/**
 * Some seats have still to commit their passes; the cards that other seats have committed are hidden. `plan` has a
 * pair for each gift: how many seats to the left it goes, or 0 for the middle, and how many cards it has, or 0 for
 * any number. `to_act` are the seats that have not committed yet.
 */
export interface PassingViewDocument extends AnyView {
  phase: "passing";
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  hand: string;
  plan: ReadonlyArray<readonly [number, number]>;
  may_decline: boolean;
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  unpassable: string;
  commitment: ReadonlyArray<string> | null;
  committed: ReadonlyArray<number>;
  to_act: ReadonlyArray<number>;
}

/** What a game is waiting for. */
export type Phase = "deal" | "deal-back" | "expose" | "moon" | "over" | "pass" | "play";

/** The first trick of a deal is to be led. */
export interface PlayBeganWire {
  code: "play-began";
  leader: number;
  /** What fills the pattern of a catalogue, in the language of the message; left out if it is empty. */
  arguments?: { readonly [name: string]: string | number };
}

/** A seat plays a card. */
export interface PlayDocument extends PlayWire {
  /** The version of the format. */
  heartsrules: 1;
  kind: "move";
}

/** A seat plays a card. */
export interface PlayWire {
  move: "play";
  seat: number;
  /** A card: rank, then suit. */
  card: string;
}

/** The cards of the hand in card order; one that is held twice comes twice. Where nobody holds cards, none. */
export interface Playability {
  cards: ReadonlyArray<CardReasons>;
}

/** Say of every card of a hand why it could not be played, passed or shown now, so that a page can dim it. */
export type PlayabilityRequest = {
  /** The language of sentences, such as `de-AT`. */
  language?: string;
  /** Whose hand; if it is not given, that of the view or of the turn. */
  seat?: number | null;
} & ({
  /** The state; say the seat with it while cards are passed or shown together. */
  state: State;
  view?: undefined;
} | {
  /** The view of a seat, in place of the state. */
  view: View;
  state?: undefined;
});

/**
 * A finished deal as one seat knows it. `commitment` are the cards of each gift of this seat, or null;
 * `pass_counts` has, by seat, how many cards it committed to pass, and is empty if the deal had no pass. `exposed`
 * are the cards each seat exposed; `led_before` are the suits led before the first recorded trick, empty if nothing
 * was shown. `kitty` is null if the seat may not see it.
 */
export interface PlayedDealViewWire {
  commitment: ReadonlyArray<string> | null;
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  passed: string;
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  received: string;
  pass_counts: ReadonlyArray<number>;
  exposed: ReadonlyArray<string>;
  led_before: ReadonlyArray<"C" | "D" | "H" | "S">;
  /** A seat, clockwise from 0. */
  leader: number;
  tricks: ReadonlyArray<TrickWire>;
  captured: ReadonlyArray<string>;
  tricks_won: ReadonlyArray<number>;
  trick_number: number;
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  set_aside: string;
  kitty_winner: number | null;
  kitty: string | null;
}

/**
 * The cards are being played. By seat, `hands` are the cards held now, `passes` the gifts, and `exposed` the cards
 * shown. `passes` is empty if there was no passing, `exposed` if nobody showed any. `turn` is the seat that plays
 * next. `dealt_back`, left out unless the pass went through the middle, are the cards that each seat was dealt
 * back.
 */
export interface PlayingDocument extends AnyState {
  phase: "playing";
  hands: ReadonlyArray<string>;
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  kitty: string;
  passes: ReadonlyArray<ReadonlyArray<string> | null>;
  exposed: ReadonlyArray<string>;
  tricks: ReadonlyArray<TrickWire>;
  /** A seat, clockwise from 0. */
  leader: number;
  trick: ReadonlyArray<string>;
  /** A seat, clockwise from 0. */
  turn: number;
  hearts_broken: boolean;
  resumed_from: MidDealPositionWire | null;
  dealt_back?: ReadonlyArray<string>;
}

/**
 * The cards are being played. `exposed` are the cards that each seat exposed, with those played since; `led_before`
 * are the suits led before the first recorded trick, empty if nothing was shown.
 */
export interface PlayingViewDocument extends AnyView {
  phase: "playing";
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  hand: string;
  /** A seat, clockwise from 0. */
  turn: number;
  /** A seat, clockwise from 0. */
  leader: number;
  trick: ReadonlyArray<string>;
  hearts_broken: boolean;
  commitment: ReadonlyArray<string> | null;
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  passed: string;
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  received: string;
  pass_counts: ReadonlyArray<number>;
  exposed: ReadonlyArray<string>;
  led_before: ReadonlyArray<"C" | "D" | "H" | "S">;
  tricks: ReadonlyArray<TrickWire>;
  captured: ReadonlyArray<string>;
  tricks_won: ReadonlyArray<number>;
  trick_number: number;
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  set_aside: string;
  kitty_winner: number | null;
  kitty: string | null;
}

/** No penalty card may be discarded on the first trick, with NO_HEARTS no heart, and with NO_SCORING no bonus card */
export interface PointsOnFirstTrickDocument extends AnyViolation {
  code: "points-on-first-trick";
  /** A card: rank, then suit. */
  card: string;
  barred: FirstTrick;
}

/** A published rule set. `players` are the numbers of players that it is for, `options` what its source leaves open. */
export interface PresetEntry {
  name: string;
  source: string;
  summary: string;
  players: ReadonlyArray<number>;
  default_players: number;
  options: ReadonlyArray<OfferedOption>;
}

/** Make the rule set of a preset. */
export interface PresetRequest {
  /** The language of sentences, such as `de-AT`. */
  language?: string;
  /** The name of the preset. */
  name: string;
  /** How many play; if it is not given, the preset's own default. */
  players?: number | null;
  /** Values for `options` of the preset, by name; if one is not given, its default. */
  options?: { readonly [name: string]: unknown } | null;
}

/** The presets, in the order of their sources. */
export interface Presets {
  presets: ReadonlyArray<PresetEntry>;
}

/** List the published rule sets that have a name. */
export interface PresetsRequest {
  /** The language of sentences, such as `de-AT`. */
  language?: string;
}

/**
 * One thing that is wrong with a request. `place` is a JSON pointer into it; the empty text is the whole request.
 * `violation` is the reason as a document if it is the rules that refuse a move.
 */
export interface Problem {
  place: string;
  code: string;
  message: string;
  /** What the problem is about, by name; left out if there is nothing. */
  params?: { readonly [name: string]: unknown };
  /** The name of the sentence, if the code has several. */
  detail?: string;
  /** What fills the pattern of a catalogue, in the language of the message; left out if it is empty. */
  arguments?: { readonly [name: string]: string | number };
  violation?: Violation;
}

/** A problem of an argument or a document. */
export interface ProblemWire {
  code: string;
  fields: ReadonlyArray<string>;
  message: string;
  /** What the problem is about, by name; left out if there is nothing. */
  params?: { readonly [name: string]: boolean | number | string | ReadonlyArray<boolean | number | string | ReadonlyArray<boolean | number | string | null> | null> | null };
  /** The name of the sentence, if the code has several. */
  detail?: string;
  /** What fills the pattern of a catalogue, in the language of the message; left out if it is empty. */
  arguments?: { readonly [name: string]: string | number };
}

/** The Q♠ may not be discarded yet: see `queen_discard_after_hearts`. */
export interface QueenBeforeHeartsDocument extends AnyViolation {
  code: "queen-before-hearts";
}

/** How the Q♠ breaks hearts: not at all, when led, when discarded on another suit, when played in any way. */
export type QueenBreaks = "discarded" | "led" | "never" | "played";

export type Record = RecordDocument;

/** The record of a game. Reading it checks no rules: `verify` does. */
export interface RecordDocument {
  /** The version of the format. */
  heartsrules: 1;
  kind: "record";
  rules: RulesWire;
  moves: ReadonlyArray<DealWire | PassWire | ExposeWire | PlayWire | ChooseMoonWire>;
  tags: ReadonlyArray<readonly [string, string]>;
  comments: ReadonlyArray<readonly [number, string]>;
  points: ReadonlyArray<ReadonlyArray<number>>;
  winners: ReadonlyArray<number> | null;
}

/** Why there is no result. */
export interface Refusal {
  /** That of the request; null if it could not be read. */
  id: unknown;
  ok: false;
  problems: ReadonlyArray<Problem>;
}

/** Write a position or a game as notation or as a diagram that people read, or draw the table. */
export type RenderRequest = {
  /** The language of sentences, such as `de-AT`. */
  language?: string;
  /**
   * The form: a line, or a game, of notation; a diagram of several lines of text; a picture of the table. By
   * default "notation".
   */
  form?: "diagram" | "notation" | "svg";
  /** Of a picture, the seat that is drawn below; if it is not given, that of the view, or 0. */
  first?: number | null;
  /** Of a picture, by seat, what the players are called; if they are not given, `Seat 0`... */
  names?: ReadonlyArray<string> | null;
  /** Of a picture, how wide it is shown, in pixels; if it is not given, 680. */
  width?: number | null;
  /** Of a picture, whether it is for dark pages. By default false. */
  dark?: boolean;
} & ({
  /** A state, with every hand. */
  state: State;
  view?: undefined;
  record?: undefined;
} | {
  /** The view of a seat, in place of a state: a diagram or a picture. */
  view: View;
  state?: undefined;
  record?: undefined;
} | {
  /** A record, in place of a state: notation or a diagram. */
  record: RecordDocument;
  state?: undefined;
  view?: undefined;
});

/** The text, or the document of SVG. */
export interface Rendered {
  text: string;
}

/**
 * A rule set. `rules` leaves the defaults out and is what other requests take; `full` has every option. `deck` are
 * all cards in play; `kitty_size` is how many of them are left over in each deal, and `penalty_total` how many
 * penalty points there are in all.
 */
export interface RuleSet {
  rules: RulesDocument;
  full: RulesDocument;
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  deck: string;
  cards_per_hand: number;
  kitty_size: number;
  penalty_total: number;
}

export type Rules = RulesDocument;

/** A rule set: the options that differ from the defaults for that count of players. */
export interface RulesDocument extends RulesWire {
  /** The version of the format. */
  heartsrules: 1;
  kind: "rules";
}

/** Check a rule set and write its defaults out. */
export interface RulesRequest {
  /** The language of sentences, such as `de-AT`. */
  language?: string;
  /** The options that differ from the defaults. */
  rules: RulesDocument;
}

/** A rule set: the options that differ from the defaults for that count of players. */
export interface RulesWire {
  /** How many players there are. */
  players?: number;
  /** How many decks are shuffled together. */
  decks?: number;
  /** The cards that are taken out of the decks before play; never assumed from the count of players. */
  removed?: string;
  /** How many cards each player is dealt, or None: as many as deal out evenly. */
  hand_size?: number | null;
  /** Who collects the cards left over after dealing. */
  kitty?: Kitty;
  /** Who may see the kitty when it is taken. */
  kitty_shown_to?: KittyShownTo;
  /** How many teams there are, or 0: each for themselves. Seat s plays for team s mod teams. */
  teams?: 0 | 2 | 3;
  /** The dealer of the first deal. */
  first_dealer?: number;
  /** The pass steps; deal k uses step k mod their number. By default `default_pass_cycle(players)`. */
  pass_cycle?: ReadonlyArray<ReadonlyArray<readonly [number | "across", number]>>;
  /** Whether a player may decline to pass. */
  pass_optional?: PassOptional;
  /** The faces that may not be passed, in any copy. */
  unpassable?: string;
  /** The faces that their holders may show before the first lead. */
  exposable?: string;
  /** How cards are shown before the first lead. */
  exposure?: Exposure;
  /** In which deals cards are shown before the pass, which only follows if none are. */
  expose_before_pass?: ExposeBeforePass;
  /** How shown cards wait until their suit has been led. */
  exposed_card_play?: ExposedCardPlay;
  /** Who leads to the first trick. */
  opening_leader?: OpeningLeader;
  /** What may be led to the first trick. */
  opening_card?: OpeningCard;
  /** What may not be discarded on the first trick. */
  first_trick?: FirstTrick;
  /** When a heart may be led. */
  hearts_lead?: HeartsLead;
  /** How a heart breaks hearts. */
  hearts_break?: HeartsBreak;
  /** How the Q♠ breaks hearts. */
  queen_breaks?: QueenBreaks;
  /** Whether a leader who holds nothing but hearts and Q♠ may lead a heart before hearts are broken. */
  heart_lead_spares_queen?: boolean;
  /** When a compulsory card must be played. */
  compulsory?: Compulsory;
  /** The faces that must be played when `compulsory` says so. */
  compulsory_cards?: string;
  /** Whether the Q♠ may be discarded only once hearts are broken. */
  queen_discard_after_hearts?: boolean;
  /** What equal cards in one trick do (two decks). */
  duplicates?: Duplicates;
  /** Whether two or more pairs in one trick mean that nobody wins it. */
  two_pairs_void?: boolean;
  /** Who takes a last trick that nobody wins. */
  void_last_trick?: VoidLastTrick;
  /** The penalty values of 2♥ to A♥: a `HeartValues` or 13 ints. */
  heart_values?: HeartValues | ReadonlyArray<number>;
  /** The penalty value of the Q♠. */
  queen_points?: number;
  /** (card, points) pairs, a card once: points added to what the card is worth. */
  extra_penalties?: ReadonlyArray<readonly [string, number]>;
  /** The cards whose points are subtracted from their taker's score, a card once. */
  bonuses?: ReadonlyArray<BonusWire>;
  /** How far the bonus cards may lower a score. */
  bonus_floor?: BonusFloor;
  /** A card that multiplies its taker's score, or None. */
  doubler?: DoublerWire | null;
  /** Points subtracted for winning no trick. */
  no_tricks_bonus?: number;
  /** Whether `no_tricks_bonus` counts on a deal in which the moon was shot. */
  no_tricks_bonus_on_moon?: boolean;
  /** Whether nothing that is taken off lowers a total below 0. */
  total_floor?: boolean;
  /** What shooting the moon does. */
  moon?: Moon;
  /** Which cards must be captured to shoot the moon. */
  moon_cards?: MoonCards;
  /** The moon's value, or None: the penalty value of the cards that make it. */
  moon_points?: number | null;
  /** How many times the moon's value counts. */
  moon_factor?: number;
  /** Whether a shooter must also have captured every copy of every bonus card. */
  moon_needs_bonus?: boolean;
  /** Who can shoot the moon. */
  moon_scope?: MoonScope;
  /** Whether taking every trick doubles the moon's value. */
  sun?: boolean;
  /** Who must win every trick for the sun: a team, or one player. */
  sun_scope?: MoonScope;
  /** The moon's value when every trick was taken, or None: twice the usual one. */
  sun_points?: number | null;
  /** The total that ends the game, or None. */
  target?: number | null;
  /** Whether the target must be reached or exceeded. */
  target_test?: TargetTest;
  /** Whose total is compared with the target: a side's, or each player's own. */
  target_scope?: TargetScope;
  /** The game also ends when a total is this far below 0; None: it does not. */
  bonus_target?: number | null;
  /** The number of deals that ends the game, or None; no game has more than 1,000,000. */
  max_deals?: number | null;
  /** Totals that fall back: a total of exactly the first number becomes the second. Each first number once. */
  exact_resets?: ReadonlyArray<readonly [number, number]>;
  /** What happens when the lowest total is not unique at the end. */
  tie?: Tie;
  /** How totals are shown; play is unaffected. */
  score_display?: ScoreDisplay;
}

/** Draw whole states that a view could come from, for bots that must not cheat. */
export interface SampleWorldRequest {
  /** The language of sentences, such as `de-AT`. */
  language?: string;
  /** The view of a seat or of a spectator. */
  view: View;
  /** Equal seeds give equal worlds; if it is not given, one is drawn. */
  seed?: string | number | null;
  /** How many worlds. By default 1. */
  count?: number;
}

/** Score a finished deal, for apps that keep their own state. */
export interface ScoreDealRequest {
  /** The language of sentences, such as `de-AT`. */
  language?: string;
  /** The rule set. */
  rules: RulesDocument;
  /** By seat, all cards that it won, the kitty with its taker. */
  captured: ReadonlyArray<string>;
  /** By seat, how many tricks it won. */
  tricks_won: ReadonlyArray<number>;
  /** By seat, the totals before; needed where the score depends on them. */
  totals?: ReadonlyArray<number> | null;
  /** What a shooter chose, where the rules leave the choice. */
  effect?: "others-up" | "shooter-down" | null;
  /** The deal, numbered from 0; needed where the score depends on it. */
  deal_number?: number | null;
  /** By seat, the cards that it had shown; needed where cards may be shown. */
  exposed?: ReadonlyArray<string> | null;
}

/** How totals are shown: as penalties, as negative points, or as what is left of the target. */
export type ScoreDisplay = "countdown" | "negative" | "penalty";

/** The row of the score sheet. */
export interface Scored {
  score: DealScoreDocument;
}

/**
 * What a seat may know of a move: its redacted events and, if views were asked for, its view and what it has
 * `so_far`, otherwise `null`. `seat` is `null` for spectators.
 */
export interface SeatUpdate {
  seat: number | null;
  events: EventsDocument;
  view: View | null;
  so_far: SoFar | null;
}

/** What a seat may know. `so_far` is `null` before the first lead of a deal; after a deal it is about that. */
export interface Seen {
  view: View;
  so_far: SoFar | null;
}

/**
 * What a page shows of a deal and would otherwise have to work out from the view: who would win the trick if it
 * ended now, `null` if nobody would; and the penalty points of the captured cards, by seat and by side, as far as
 * the seat of the view may count them.
 */
export interface SoFar {
  winning_seat: number | null;
  card_points: ReadonlyArray<number>;
  side_card_points: ReadonlyArray<number>;
}

export type State = AwaitingDealDocument | PassingDocument | DealingBackDocument | ExposingDocument | PlayingDocument | ChoosingMoonDocument | GameOverDocument;

/**
 * Whose total is compared with the target: that of a side (a team's is the sum of its members'), or each player's
 * own.
 */
export type TargetScope = "player" | "side";

/**
 * Whether a game ends when a total reaches the target or only when it exceeds it, or when a total reaches it and
 * one of exactly the target wins.
 */
export type TargetTest = "exact-wins" | "exceeded" | "reached";

/** What happens when the lowest total is not unique at the end: another whole deal, or several winners. */
export type Tie = "extra-deal" | "shared";

/** The game has had as many deals as any game may have, and stays undecided. */
export interface TooManyDealsDocument extends AnyViolation {
  code: "too-many-deals";
  most: number;
}

/** Make a move, and say what each seat may know of it. */
export interface TransitionRequest {
  /** The language of sentences, such as `de-AT`. */
  language?: string;
  /** The state before the move. */
  state: State;
  /** The move. */
  move: Move;
  /** Whether to tell each seat its view too. By default false. */
  views?: boolean;
}

/** A trick was completed, nobody won it, and it was set aside. */
export interface TrickVoidWire {
  code: "trick-void";
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  cards: string;
  /** What fills the pattern of a catalogue, in the language of the message; left out if it is empty. */
  arguments?: { readonly [name: string]: string | number };
}

/**
 * A completed trick. `plays` are its cards, the leader's first. If nobody won it, `winner` is null, and it was set
 * aside.
 */
export interface TrickWire {
  /** A seat, clockwise from 0. */
  leader: number;
  plays: ReadonlyArray<string>;
  winner: number | null;
}

/** A trick was completed and won, with all that was set aside before. */
export interface TrickWonWire {
  code: "trick-won";
  winner: number;
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  cards: string;
  /** What fills the pattern of a catalogue, in the language of the message; left out if it is empty. */
  arguments?: { readonly [name: string]: string | number };
}

/** The pass contains cards that `unpassable` forbids to pass. */
export interface UnpassableCardsDocument extends AnyViolation {
  code: "card-may-not-be-passed";
  /** Cards, each apart from the next by one space; written in the order C D S H, 2 to A. */
  cards: string;
}

/**
 * What the rules say of a record: what is wrong first, or `null`; how many of its moves are legal, from the first
 * on; whether these play the game to its end; and the state that they lead to.
 */
export interface Verified {
  valid: boolean;
  finished: boolean;
  moves: number;
  failure: IllegalMoveFound | WrongPoints | WrongWinners | null;
  state: State;
}

/** Judge a record of a game: play its moves, and compare the points and the winners that it gives. */
export interface VerifyRequest {
  /** The language of sentences, such as `de-AT`. */
  language?: string;
  /** The record. */
  record: RecordDocument;
}

export type View = AwaitingDealViewDocument | PassingViewDocument | DealingBackViewDocument | ExposingViewDocument | PlayingViewDocument | ChoosingMoonViewDocument | GameOverViewDocument;

/** Say what one seat, or a spectator, may know of a state. */
export interface ViewRequest {
  /** The language of sentences, such as `de-AT`. */
  language?: string;
  /** The state. */
  state: State;
  /** Whose view; null: a spectator's. */
  seat: number | null;
}

export type Violation = GameIsOverDocument | WrongPhaseDocument | TooManyDealsDocument | NoSuchSeatDocument | NotYourTurnDocument | AlreadyPassedDocument | AlreadyDecidedDocument | NotTheShooterDocument | NoSuchEffectDocument | BadDealDocument | MayNotDeclineDocument | WrongNumberOfCardsDocument | NotInHandDocument | UnpassableCardsDocument | NotExposableDocument | AlreadyExposedDocument | MustFollowSuitDocument | OpeningCardRequiredDocument | HeartsNotBrokenDocument | ExposedCardRestrictedDocument | QueenBeforeHeartsDocument | PointsOnFirstTrickDocument | CardIsCompulsoryDocument;

/** Who takes a last trick that nobody wins. */
export type VoidLastTrick = "leader" | "nobody";

/** The reasons against a move, in order of precedence. None: it is legal. */
export interface WhyIllegal {
  violations: ReadonlyArray<Violation>;
}

/** Say why a move may not be made now. */
export type WhyIllegalRequest = {
  /** The language of sentences, such as `de-AT`. */
  language?: string;
  /** The move. */
  move: Move;
} & ({
  /** The state. */
  state: State;
  view?: undefined;
} | {
  /** The view of a seat, in place of the state. */
  view: View;
  state?: undefined;
});

/** Whole states that have the view. They are guesses: nothing of the true state is in them but what the view has. */
export interface Worlds {
  states: ReadonlyArray<State>;
}

/** A pass with too many or too few gifts, or a gift with too many or too few cards. */
export interface WrongNumberOfCardsDocument extends AnyViolation {
  code: "wrong-number-of-cards";
  gift: number | null;
  count: number;
  expected: number;
  gifts: number;
}

/** The game waits for another kind of move: the deal, the passes, the deal of the pile in the middle, the */
export interface WrongPhaseDocument extends AnyViolation {
  code: "wrong-phase";
  phase: Phase;
  move: Phase;
}

/** The points of a deal are not those that the record says; `actual` is `null` if the deal was not finished. */
export interface WrongPoints {
  kind: "wrong-points";
  deal: number;
  claimed: ReadonlyArray<number>;
  actual: ReadonlyArray<number> | null;
  message: string;
}

/** The winners are not those that the record says; `actual` is `null` if the game was not finished. */
export interface WrongWinners {
  kind: "wrong-winners";
  claimed: ReadonlyArray<number>;
  actual: ReadonlyArray<number> | null;
  message: string;
}

/** What each operation asks with. */
export interface Requests {
  "presets": PresetsRequest;
  "preset": PresetRequest;
  "rules": RulesRequest;
  "describe": DescribeRequest;
  "catalogue": CatalogueRequest;
  "new-game": NewGameRequest;
  "deal": DealRequest;
  "legal-moves": LegalMovesRequest;
  "why-illegal": WhyIllegalRequest;
  "judge": JudgeRequest;
  "transition": TransitionRequest;
  "view": ViewRequest;
  "playability": PlayabilityRequest;
  "advance": AdvanceRequest;
  "sample-world": SampleWorldRequest;
  "score-deal": ScoreDealRequest;
  "verify": VerifyRequest;
  "render": RenderRequest;
}

/** What each operation gets. */
export interface Results {
  "presets": Presets;
  "preset": RuleSet;
  "rules": RuleSet;
  "describe": Described;
  "catalogue": Catalogue;
  "new-game": NewGame;
  "deal": Dealt;
  "legal-moves": LegalMoves;
  "why-illegal": WhyIllegal;
  "judge": JudgedMove;
  "transition": Moved;
  "view": Seen;
  "playability": Playability;
  "advance": Seen;
  "sample-world": Worlds;
  "score-deal": Scored;
  "verify": Verified;
  "render": Rendered;
}

// end of types

/** The name of an operation. */
export type Op = keyof Requests & keyof Results;

/** An answer, as it comes. */
export type Answer = { id: unknown; ok: true; result: unknown } | Refusal;

/** Brings a request to the rules, and their answer back. */
export interface Transport {
  send(op: Op, request: object): Promise<Answer>;
}

/** The rules, or the protocol, refuse a request. `problems` says why, each with its place in the request. */
export class Refused extends Error {
  readonly op: Op;
  readonly problems: ReadonlyArray<Problem>;

  constructor(op: Op, problems: ReadonlyArray<Problem>) {
    super(`${op}: ${problems.map((problem) => problem.message).join("; ")}`);
    this.name = "Refused";
    this.op = op;
    this.problems = problems;
  }

  /** The reasons of the rules against a move; empty if something else is wrong. */
  get violations(): ReadonlyArray<Violation> {
    return this.problems.flatMap((problem) => (problem.violation === undefined ? [] : [problem.violation]));
  }
}

/** There was no answer: the rules cannot be reached, or what came is not an answer of theirs. */
export class NoAnswer extends Error {
  constructor(message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = "NoAnswer";
  }
}

/** Asks the rules. */
export class HeartsRules {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The result of an operation. Throws `Refused` or `NoAnswer`. */
  async ask<O extends Op>(op: O, request: Requests[O]): Promise<Results[O]> {
    const answer = await this.#transport.send(op, request);
    if (!answer.ok) {
      throw new Refused(op, answer.problems);
    }
    return answer.result as Results[O];
  }
}

/** What an answer must be, whatever else it says. */
function isAnswer(value: unknown): value is Answer {
  return (
    typeof value === "object" &&
    value !== null &&
    "ok" in value &&
    (value.ok === true ? "result" in value : "problems" in value && Array.isArray(value.problems))
  );
}

/** Over HTTP, to `heartsrules serve`. `options.signal` gives up waiting; `options.fetch` is for another `fetch`. */
export function overHttp(url: string, options: { fetch?: typeof fetch; signal?: () => AbortSignal } = {}): Transport {
  const base = url.replace(/\/+$/, "");
  return {
    async send(op, request) {
      let answer: unknown;
      try {
        const response = await (options.fetch ?? fetch)(`${base}/v1/${op}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(request),
          ...(options.signal === undefined ? {} : { signal: options.signal() }),
        });
        answer = await response.json();
      } catch (cause) {
        throw new NoAnswer(`${op}: ${url} gave no answer`, { cause });
      }
      if (!isAnswer(answer)) {
        throw new NoAnswer(`${op}: what ${url} said is not an answer`);
      }
      return answer;
    },
  };
}

/** A process with pipes, as `spawn` of `node:child_process` gives it. */
export interface LineProcess {
  readonly stdin: {
    write(text: string): unknown;
    end(): unknown;
    on(event: "error", listener: (error: Error) => void): unknown;
  };
  readonly stdout: { on(event: "data", listener: (chunk: Uint8Array) => void): unknown };
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "close", listener: () => void): unknown;
}

/** Over the pipes of `heartsrules serve --stdio` or `python -m heartsrules.apps.serve`. Requests may overlap. */
export function overLines(child: LineProcess): Transport & { close(): void } {
  const waiting = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>();
  const decoder = new TextDecoder();
  let rest = "";
  let next = 1;
  let gone: NoAnswer | undefined;

  const fail = (message: string, cause?: Error): void => {
    gone ??= new NoAnswer(message, { cause });
    for (const { reject } of waiting.values()) {
      reject(gone);
    }
    waiting.clear();
  };
  child.on("error", (error) => fail("the process could not be started", error));
  child.on("close", () => fail("the process has ended"));
  child.stdin.on("error", (error) => fail("the process takes no more requests", error));
  child.stdout.on("data", (chunk) => {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      let answer: unknown;
      try {
        answer = JSON.parse(line);
      } catch {
        answer = undefined;
      }
      // An answer without the id of a request is to a line that could not be read: the oldest that waits.
      const id = isAnswer(answer) && typeof answer.id === "number" ? answer.id : waiting.keys().next().value;
      const asked = id === undefined ? undefined : waiting.get(id);
      if (id === undefined || asked === undefined) {
        continue;
      }
      waiting.delete(id);
      if (isAnswer(answer)) {
        asked.resolve(answer);
      } else {
        asked.reject(new NoAnswer("what the process said is not an answer"));
      }
    }
  });
  return {
    send(op, request) {
      return new Promise((resolve, reject) => {
        if (gone !== undefined) {
          reject(gone);
          return;
        }
        const id = next++;
        waiting.set(id, { resolve, reject });
        child.stdin.write(`${JSON.stringify({ id, op, ...request })}\n`);
      });
    },
    close() {
      child.stdin.end();
    },
  };
}

/** Python in WebAssembly, as `loadPyodide()` of the package `pyodide` gives it. */
export interface Pyodide {
  loadPackage(packages: string[], options: { messageCallback(message: string): void }): Promise<unknown>;
  runPython(code: string): unknown;
}

/**
 * In this page or process itself, without a server. `wheels` are the addresses (in Node.js the paths) of the wheels of
 * heartsrules, attrs and msgspec; Pyodide takes each wheel from there. An answer keeps the page busy for as long as it
 * takes: in a page that must not stutter, run it in a worker. Throws `NoAnswer` if the rules cannot be loaded.
 */
export async function overPyodide(pyodide: Pyodide, wheels: readonly string[]): Promise<Transport> {
  let answered: (request: string) => string;
  try {
    await pyodide.loadPackage([...wheels], { messageCallback: () => undefined });
    answered = pyodide.runPython(ANSWERS) as (request: string) => string;
  } catch (cause) {
    throw new NoAnswer("the rules could not be loaded into Pyodide", { cause });
  }
  return {
    async send(op, request) {
      let answer: unknown;
      try {
        answer = JSON.parse(answered(JSON.stringify({ op, ...request })));
      } catch (cause) {
        throw new NoAnswer(`${op}: Pyodide gave no answer`, { cause });
      }
      if (!isAnswer(answer)) {
        throw new NoAnswer(`${op}: what Pyodide said is not an answer`);
      }
      return answer;
    },
  };
}

/** In Python: a function from the text of a request to that of its answer. */
const ANSWERS = `
def _heartsrules_answers():
    from heartsrules.apps.serve import Service

    service = Service()
    return lambda request: service.answer(request.encode()).body.decode()

_heartsrules_answers()
`;
