// The messages between the page and the server. This file is generated.

export type Rank = "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "T" | "J" | "Q" | "K" | "A";

export type Suit = "C" | "D" | "S" | "H";

/** A rank and a suit: "QS" is the queen of spades, "TD" the ten of diamonds. */
export type Card = `${Rank}${Suit}`;

/** Cards separated by single spaces, in card order: C D S H, and in each suit from 2 to A. Empty if there are none. */
export type Cards = string;

/** Every option of a rule set. */
export type FullRules = Required<RuleSet>;

/** The effects of the moon that a shooter can choose. */
export type MoonChoice = "others-up" | "shooter-down";

/** A person who has been away or idle for long: the seats that want a bot for them, and how many votes it takes. */
export interface Absent {
  seat: number;
  votes: ReadonlyArray<number>;
  needed: number;
}

/** The answer to a request that has none of its own: it was done. */
export interface AcceptedMessage {
  type: "accepted";
  id: number;
  ply: number;
}

/** A player wants another match with the same people, at a new table. */
export interface Again {
  type: "again";
  id: number;
}

/** A person consents to the newcomer of a seat, or declines: then the newcomer has to go. */
export interface Agree {
  type: "agree";
  id: number;
  seat: number;
  agreed?: boolean;
}

export type AnySeen =
  | AwaitingDealView | PassingView | DealingBackView | ExposingView | PlayingView | ChoosingMoonView | GameOverView;

/** A request for a drill of a mistake in a finished deal: `ply` is the number of the move. */
export interface AskDrill {
  type: "drill";
  id: number;
  deal: number;
  ply: number;
}

/** A request for a hint. */
export interface AskHint {
  type: "hint";
  id: number;
  ply: number;
}

/** A request for a review of what a seat did in a finished deal. */
export interface AskReview {
  type: "review";
  id: number;
  deal: number;
}

export interface AwaitingDealView {
  phase: "awaiting-deal";
  seat: number | null;
  /** A seat, clockwise from 0. */
  dealer: number;
  deal_number: number;
  last_deal: PlayedDealView | null;
}

/** A person for whom a bot plays wants to play on. */
export interface Back {
  type: "back";
  id: number;
}

/** How far the bonus cards may lower a score: without limit, the deal's points to 0, the running total to 0. */
export type BonusFloor = "deal" | "none" | "total";

/** A card whose points are subtracted from its taker's score. */
export interface Bonus {
  card: Card;
  points: number;
}

/** A bot that hosts can choose; those that are `ours` have titles in the catalogues of the page. */
export interface BotLevel {
  name: string;
  ours: boolean;
  usual: boolean;
}

/** The sign on a bonus card or on the doubler, and its worth. */
export interface CardMark {
  sign: string;
  kind: "bonus" | "doubler";
  worth: number;
}

/** A card. */
export interface CardPart {
  type: "card";
  card: Card;
}

/** A card was led, followed or discarded. */
export interface CardPlayed {
  code: "card-played";
  seat: number;
  card: Card;
}

/** The cards were dealt, as one seat sees it. */
export interface CardsDealtHidden {
  code: "cards-dealt-hidden";
  seat: number | null;
  hand: Cards;
}

/** The cards were dealt. Nobody at the table may know all of this. */
export interface CardsDealt {
  code: "cards-dealt";
  hands: ReadonlyArray<Cards>;
  kitty: Cards;
}

/** A seat showed cards to everybody. */
export interface CardsExposed {
  code: "cards-exposed";
  seat: number;
  cards: Cards;
}

/** Everybody had committed, and the cards changed hands, or were dealt back from the middle, as one seat sees it. */
export interface CardsPassedHidden {
  code: "cards-passed-hidden";
  seat: number | null;
  passed: Cards;
  received: Cards;
  counts: ReadonlyArray<number>;
}

/**
 * Everybody had committed, and the cards changed hands, or were dealt back from the middle. Nobody at the table may
 * know all of this.
 */
export interface CardsPassed {
  code: "cards-passed";
  passed: ReadonlyArray<Cards>;
  received: ReadonlyArray<Cards>;
  counts: ReadonlyArray<number>;
}

/** The answer to `POST /api/rules`: the problems of rules, or their sentences and their picture. */
export interface CheckedRules {
  problems: ReadonlyArray<ProblemShown>;
  sentences: ReadonlyArray<Wording>;
  picture: RulesPicture | null;
}

/** A question about an incomplete pass: which cards may be added to `move`. */
export interface Choose {
  type: "choose";
  id: number;
  ply: number;
  move: Move;
}

/** The shooter chooses the effect of the moon. */
export interface ChooseMoonDocument {
  move: "choose-moon";
  /** The version of the format. */
  heartsrules: 1;
  kind: "move";
  seat: number;
  effect: MoonChoice;
}

/** The shooter chooses the effect of the moon. */
export interface ChooseMoon {
  move: "choose-moon";
  seat: number;
  effect: Moon;
}

export interface ChoosingMoonView {
  phase: "choosing-moon";
  seat: number | null;
  /** A seat, clockwise from 0. */
  dealer: number;
  deal_number: number;
  last_deal: PlayedDealView;
  /** A seat, clockwise from 0. */
  shooter: number;
  others_up: DealScore;
  shooter_down: DealScore;
}

/** The seat on lead claims all remaining tricks, or the seat to act has a settled deal played out. */
export interface Claim {
  type: "claim";
  id: number;
  ply: number;
}

/**
 * When the holder of a compulsory card must play it: never, when the suit led cannot be followed, then and under a
 * higher card of its suit, whenever it is legal to follow with it, whenever it is legal.
 */
export type Compulsory = "always" | "discard" | "no" | "not-lead" | "safe";

/** What a move cost compared with the best one: points, and the chance to win; `value` is both together. */
export interface CostShown {
  points: EstimateShown;
  win: EstimateShown;
  value: EstimateShown;
}

/** Cards that count: the number of hearts, and the others by name. */
export interface Counting {
  hearts: number;
  cards: ReadonlyArray<Card>;
}

/**
 * The chance move that deals the cards: the hands by seat, and the kitty. After a pass through the middle a second
 * one deals the pile back: the cards that each seat gets, and no kitty.
 */
export interface DealDocument {
  move: "deal";
  /** The version of the format. */
  heartsrules: 1;
  kind: "move";
  hands: ReadonlyArray<Cards>;
  kitty: Cards;
}

/**
 * The result of one deal: a row of the score sheet. Arrays are by seat. `queen_taker` is the seat that captured the
 * Q♠, or null if nobody did or not exactly one Q♠ is in play. `exposed` are the cards that each seat exposed; empty
 * if no cards may be.
 */
export interface DealScore {
  points: ReadonlyArray<number>;
  card_points: ReadonlyArray<number>;
  shooter: number | null;
  effect: "both" | "others-pay" | "others-up" | "shooter-down" | "shooter-to-zero" | "shooter-wins" | null;
  sun: boolean;
  tricks_won: ReadonlyArray<number>;
  totals: ReadonlyArray<number>;
  queen_taker: number | null;
  exposed: ReadonlyArray<Cards>;
}

/** The deal was scored; its row joined the score sheet. */
export interface DealScored {
  code: "deal-scored";
  score: DealScore;
}

/**
 * The chance move that deals the cards: the hands by seat, and the kitty. After a pass through the middle a second
 * one deals the pile back: the cards that each seat gets, and no kitty.
 */
export interface Deal {
  move: "deal";
  hands: ReadonlyArray<Cards>;
  kitty: Cards;
}

export interface DealingBackView {
  phase: "dealing-back";
  seat: number | null;
  /** A seat, clockwise from 0. */
  dealer: number;
  deal_number: number;
  hand: Cards;
  commitment: ReadonlyArray<Cards> | null;
}

/**
 * An answer to `AskReview`: a move, and the position before it. `position` is its notation with all hands, once
 * they are public.
 */
export interface DecisionMessage {
  type: "decision";
  id: number;
  decision: ReviewedMove;
  position: string | null;
  view: AnySeen;
  facts: Facts;
  choice: SeatChoice;
}

/** A card that multiplies its taker's score; if the taker has no scoring card, `alone` is subtracted instead. */
export interface Doubler {
  card: Card;
  factor: number;
  alone: number;
}

/** The answer to `GET /api/drills`: a drill, and how many there are of its theme. */
export interface DrillAnswer {
  count: number;
  drill: DrillShown;
}

/** A move to choose from, with what is said to the person who chooses it. */
export interface DrillChoice {
  move: GameMove;
  quality: "best" | "blunder" | "fine" | "inaccuracy" | "mistake";
  cost: CostShown;
  right: boolean;
  verdict: Wording;
  reason: Wording;
  costs: Wording;
}

/** The answer to `AskDrill`; null: this move makes no drill. */
export interface DrillMessage {
  type: "drill";
  id: number;
  drill: DrillShown | null;
}

/** A position that asks for the best move, with its answers. `names` and `teams` are by seat. */
export interface DrillShown {
  theme: string;
  seat: number;
  names: ReadonlyArray<string>;
  teams: ReadonlyArray<number>;
  choices: ReadonlyArray<DrillChoice>;
  view: AnySeen;
  facts: Facts;
  choice: SeatChoice;
}

/** What equal cards in one trick do: cancel each other, or the first or the last of them wins. */
export type Duplicates = "cancel" | "first-wins" | "last-wins";

/** An estimate, with its 95 % interval. */
export interface EstimateShown {
  mean: number;
  interval: readonly [number, number];
}

/**
 * In which deals cards are shown before the pass, which is then made only if nobody has shown any, and again after
 * it: in none; in those whose pass goes through the middle; or in all that have a pass.
 */
export type ExposeBeforePass = "always" | "middle" | "never";

/** A seat shows cards of its hand before the first lead, or decides to show none. */
export interface ExposeDocument {
  move: "expose";
  /** The version of the format. */
  heartsrules: 1;
  kind: "move";
  seat: number;
  cards: Cards;
}

/** A seat shows cards of its hand before the first lead, or decides to show none. */
export interface Expose {
  move: "expose";
  seat: number;
  cards: Cards;
}

/**
 * How shown cards wait until an earlier trick was led in their suit: not at all; while their holder has another
 * card of the suit; or so when following, and on the lead while their holder may lead any other card.
 */
export type ExposedCardPlay = "free" | "wait-in-suit" | "wait-on-lead";

export interface ExposingView {
  phase: "exposing";
  seat: number | null;
  /** A seat, clockwise from 0. */
  dealer: number;
  deal_number: number;
  hand: Cards;
  exposable: Cards;
  exposure: Cards | null;
  committed: ReadonlyArray<number>;
  to_act: ReadonlyArray<number>;
  before_pass: boolean;
  commitment: ReadonlyArray<Cards> | null;
  exposed: ReadonlyArray<Cards>;
}

/**
 * How cards are shown before the first lead: in any order, and nobody sees them before all have moved; or one seat
 * after the other from the dealer's left, each seen at once. In rounds, in any order or in turn, each is seen at
 * once too, and whenever a seat shows cards all others may show more.
 */
export type Exposure = "in-turn" | "rounds" | "rounds-in-turn" | "together";

/** Another seat decided what it shows. */
export interface ExposureCommittedHidden {
  code: "exposure-committed-hidden";
  seat: number;
}

/** A seat decided which cards it shows, if all seats show together. */
export interface ExposureCommitted {
  code: "exposure-committed";
  seat: number;
  cards: Cards;
}

/**
 * What follows from a view by the rules, which the page does not know. Tuples have one item per seat. `plan` are
 * the transfers of the pass: how many seats to the left, or 0 for the middle, and how many cards. `open` are the
 * cards that are face up before each seat, and `aside` those that nobody won. `scored`: the deal is over.
 */
export interface Facts {
  doing: ReadonlyArray<"choosing" | "has-chosen" | "shot-moon" | "to-play" | "wins" | null>;
  totals: ReadonlyArray<number>;
  plan: ReadonlyArray<readonly [number, number]>;
  marks: { readonly [card in Card]?: CardMark };
  open: ReadonlyArray<ReadonlyArray<Card>>;
  hand_sizes: ReadonlyArray<number>;
  scored: boolean;
  lying: LyingTrick | null;
  kitty: KittyPile | null;
  taken: ReadonlyArray<Taken>;
  aside: Counting | null;
  moon: MoonEffects | null;
  standings: ReadonlyArray<StandingShown>;
}

/** The host chooses who plays on a vacant seat: a bot of this level; with `friend` only if nobody comes. */
export interface Fill {
  type: "fill";
  id: number;
  seat: number;
  level: string;
  friend?: boolean;
}

/**
 * What may not be discarded on the first trick of a deal: penalty cards; hearts; scoring cards, which are hearts,
 * penalty cards and bonus cards; or nothing is barred.
 */
export type FirstTrick = "free" | "no-hearts" | "no-points" | "no-scoring";

export type FromPage =
  | Hello | Ping | Start | StandIn | Vote | Back | Leave | Agree | Fill | Undo | Again | Say | SetPace | GoOn |
    AskReview | AskDrill | Try | Claim | Choose | AskHint;

/** No further deal follows. */
export interface GameEnded {
  code: "game-ended";
  winners: ReadonlyArray<number>;
}

export type GameEvent =
  | CardsDealt | CardsDealtHidden | PassCommittedHidden | CardsPassed | CardsPassedHidden | ExposureCommittedHidden |
    CardsExposed | PlayBegan | CardPlayed | HeartsBroken | TrickWon | TrickVoid | KittyTaken | KittyTakenHidden |
    MoonShot | MoonChosen | DealScored | GameEnded | PassCommitted | ExposureCommitted;

export type GameMove = Deal | Pass | Expose | Play | ChooseMoon;

export interface GameOverView {
  phase: "game-over";
  seat: number | null;
  /** A seat, clockwise from 0. */
  dealer: number;
  deal_number: number;
  last_deal: PlayedDealView;
  winners: ReadonlyArray<number>;
}

/** A person is still here: the bots may play on. */
export interface GoOn {
  type: "go-on";
  id: number;
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
export interface HeartsBroken {
  code: "hearts-broken";
  seat: number;
  card: Card;
}

/**
 * When a heart may be led: once hearts are broken; once they are broken, and until then no other penalty card may
 * be led either; or at any time.
 */
export type HeartsLead = "any-time" | "points-when-broken" | "when-broken";

/** The first message on a socket: the key of a seat, or null to watch, and the language of the page. */
export interface Hello {
  type: "hello";
  token: string | null;
  language?: string;
}

/** The answer to `AskHint`: a sentence, and the move that it is about. */
export interface HintMessage {
  type: "hint";
  id: number;
  ply: number;
  sentence: Wording;
  move: GameMove;
}

/** The answer to `GET /api/tables/TABLE`: what whoever has the link may know before sitting down. */
export interface Invitation {
  host: string | null;
  started: boolean;
  over: boolean;
  hints: "alone" | "always" | "never";
  game: Origin | null;
  people: ReadonlyArray<Person>;
  sentences: ReadonlyArray<Wording>;
  link: string;
}

/** The body of `POST /api/tables/TABLE/seats`: the request for this seat, or the first one that may be taken. */
export interface Joining {
  name: string;
  seat?: number | null;
}

/** The answer to `OwnKey`: a link, and the rows of its QR code, in which `1` is dark. */
export interface KeyLink {
  link: string;
  code: ReadonlyArray<string>;
}

/**
 * Who collects the cards that are left over after dealing: the first winner of a trick, of a penalty card, of a
 * heart, or the winner of the last trick.
 */
export type Kitty = "first-heart" | "first-point" | "first-trick" | "last-trick" | "none";

/** The kitty: how many cards it has, the seat that has taken it, and its cards if they may be seen. */
export interface KittyPile {
  size: number;
  winner: number | null;
  cards: ReadonlyArray<Card>;
}

/** Who may see the kitty when it is taken. */
export type KittyShownTo = "everybody" | "nobody" | "taker";

/** The winner of the trick took the kitty; its cards may not be seen. */
export interface KittyTakenHidden {
  code: "kitty-taken-hidden";
  seat: number;
}

/** The winner of the trick took the kitty, and its cards may be seen. */
export interface KittyTaken {
  code: "kitty-taken";
  seat: number;
  cards: Cards;
  shown_to: KittyShownTo;
}

/** A person gives up a seat, or no longer waits for it. */
export interface Leave {
  type: "leave";
  id: number;
}

/** The events of a move in a deal, or a note. */
export interface LogEntry {
  deal: number;
  events: ReadonlyArray<GameEvent>;
  note: Note | null;
}

/** The latest entries of the log, for a page that has just connected, or after a move was taken back. */
export interface LogMessage {
  type: "log";
  entries: ReadonlyArray<LogEntry>;
}

/** The parts of a deal's points: the average, the dealt hand (luck), the own play (skill) and the others. */
export interface LuckAndSkill {
  deal: number;
  seat: number;
  points: number;
  average: number;
  cards: number;
  play: number;
  others: number;
  cards_margin: number;
  play_margin: number;
}

/**
 * The cards in the middle: those of the current trick, or else of the last one, which is `complete`. `winner` is
 * the seat that wins so far, or has won. `cancelled` are the seats whose cards cancel each other.
 */
export interface LyingTrick {
  leader: number;
  plays: ReadonlyArray<Card>;
  winner: number | null;
  complete: boolean;
  cancelled: ReadonlyArray<number>;
}

/**
 * What shooting the moon does. All but "off", "choice" and the automatic ones are also the effects that it can
 * have; a shooter who chooses has the first two.
 */
export type Moon =
  | "auto-extend" | "auto-save" | "both" | "choice" | "off" | "others-pay" | "others-up" | "shooter-down" |
    "shooter-to-zero" | "shooter-wins";

/**
 * Which cards make a moon: every penalty card; every heart and Q♠; every heart (and then the Q♠ too, for a shooter
 * who holds it); or every card in play, which takes every trick.
 */
export type MoonCards = "all" | "every-card" | "hearts" | "hearts-and-queen";

/** The shooter chose what the moon does. */
export interface MoonChosen {
  code: "moon-chosen";
  seat: number;
  effect: Moon;
}

/** What each effect of the moon does to each displayed total. */
export interface MoonEffects {
  others_up: ReadonlyArray<number>;
  shooter_down: ReadonlyArray<number>;
}

/** Who can shoot the moon, or win every trick for the sun: one player, or a team together. */
export type MoonScope = "player" | "team";

/** The deal was played out, somebody shot the moon and is to choose what it does. */
export interface MoonShot {
  code: "moon-shot";
  shooter: number;
  others_up: DealScore;
  shooter_down: DealScore;
}

export type Move = DealDocument | PassDocument | ExposeDocument | PlayDocument | ChooseMoonDocument;

/** A game of the first page: a preset for a number of players. What the server proposes may have a `name`. */
export interface NamedGame {
  preset: string;
  players: number;
  name: string | null;
  picture: RulesPicture;
}

/** Who waits for a seat, the seats at the same address, and those that have to agree yet. */
export interface Newcomer {
  seat: number;
  name: string;
  near: ReadonlyArray<number>;
  asked: ReadonlyArray<number>;
}

/** An announcement to everybody at the table. */
export interface Note {
  code: "back" | "host" | "near" | "player-failed" | "seat-asked" | "seat-declined" | "seat-left" | "seat-returned" | "seat-taken" | "seat-withdrawn" | "stand-in";
  seat: number;
  name: string;
  before: string;
  why: string;
}

/** An announcement to everybody at the table. */
export interface NoteMessage {
  type: "note";
  note: Note;
}

/**
 * The answer to `GET /api/choices`: all that the page offers. `schema` is the JSON Schema of documents of kind
 * `rules`, and `defaults` the values of all options by number of players. The first of `games` is that of "Play
 * now".
 */
export interface OfferedChoices {
  /** A JSON Schema. */
  schema: unknown;
  defaults: { readonly [name: string]: FullRules };
  presets: ReadonlyArray<OfferedPreset>;
  sections: ReadonlyArray<OptionSection>;
  sentences: { readonly [name: string]: string };
  games: ReadonlyArray<NamedGame>;
  levels: ReadonlyArray<BotLevel>;
  away: number;
}

/**
 * A published rule set. `rules` has, by number of players, the options that differ from those of
 * `OfferedChoices.defaults`, and `named` are the numbers of players that its source names.
 */
export interface OfferedPreset {
  name: string;
  source: string;
  summary: string;
  players: number;
  named: ReadonlyArray<number>;
  rules: { readonly [name: string]: RuleSet };
}

/** The answer to `Opening` and `PlayOn`: the table, and the host's seat and key. */
export interface OpenedTable {
  table: string;
  seat: number | null;
  token: string | null;
}

/**
 * The body of `POST /api/tables`, which opens a table. `rules` is a document of kind `rules`, and `game` the preset
 * that it was made from. The host has this `name` and plays on the first seat, or watches if not `play`. `seats`
 * are plans by seat; friends where it is too short. `away` is the number of seconds after which a bot plays for an
 * absent person, or null for never.
 */
export interface Opening {
  rules: RulesDocument;
  name?: string;
  play?: boolean;
  seats?: ReadonlyArray<SeatPlan>;
  away?: number | null;
  hints?: "alone" | "always" | "never";
  game?: string;
}

/**
 * What may be led to the first trick of a deal: the lowest club, any club, a card that is not a penalty card,
 * whatever `hearts_lead` allows, or any card at all.
 */
export type OpeningCard = "any" | "any-club" | "lowest-club" | "non-point" | "unrestricted";

/**
 * Who leads to the first trick of a deal: the holder of the lowest club, the seat to the dealer's left, or whoever
 * captured the Q♠ in the deal before (in the first deal, and if nobody did, the holder of the lowest spade).
 */
export type OpeningLeader = "dealer-left" | "lowest-club" | "queen-taker";

/** An option of the rules, or with a `value` that value of it. */
export interface OptionPart {
  type: "option";
  option: string;
  value: string | null;
}

/** A section of the options. */
export interface OptionSection {
  title: string;
  options: ReadonlyArray<string>;
}

/** The answer to `Choose`. */
export interface OptionsMessage {
  type: "options";
  id: number;
  ply: number;
  options: PassOptionsShown;
}

/** The preset that a table was opened from, and whether its rules were changed. */
export interface Origin {
  preset: string;
  changed: boolean;
}

/** The body of `POST /api/tables/TABLE/key`: the request for the key of a seat as a link. */
export interface OwnKey {
  token: string;
}

/** Another seat committed its pass. */
export interface PassCommittedHidden {
  code: "pass-committed-hidden";
  seat: number;
}

/** A seat committed its pass. */
export interface PassCommitted {
  code: "pass-committed";
  seat: number;
  cards: ReadonlyArray<Cards>;
}

/** A seat commits its pass: the cards of each gift; no gifts if it declines to pass. */
export interface PassDocument {
  move: "pass";
  /** The version of the format. */
  heartsrules: 1;
  kind: "move";
  seat: number;
  cards: ReadonlyArray<Cards>;
}

/** Whether a player may decline to pass, and what happens then. */
export type PassOptional = "no" | "skip" | "unanimous";

/**
 * How an incomplete pass may go on. By transfer, `missing` is the number of cards that are missing, and `cards` has
 * the reasons against each card, as numbers in `reasons`.
 */
export interface PassOptionsShown {
  missing: ReadonlyArray<number>;
  complete: boolean;
  reasons: ReadonlyArray<ReasonShown>;
  cards: ReadonlyArray<{ readonly [card in Card]?: ReadonlyArray<number> }>;
}

/** A seat commits its pass: the cards of each gift; no gifts if it declines to pass. */
export interface Pass {
  move: "pass";
  seat: number;
  cards: ReadonlyArray<Cards>;
}

export interface PassingView {
  phase: "passing";
  seat: number | null;
  /** A seat, clockwise from 0. */
  dealer: number;
  deal_number: number;
  hand: Cards;
  plan: ReadonlyArray<readonly [number, number]>;
  may_decline: boolean;
  commitment: ReadonlyArray<Cards> | null;
  committed: ReadonlyArray<number>;
  to_act: ReadonlyArray<number>;
}

/**
 * What everybody may know about the player of a seat. `here`: one of their pages is connected. `stand_in`: a bot
 * plays for them. `level` is that of the bot that plays here, or will. `owner` is the absent person whose seat this
 * is. `takeable`: a spectator may ask for the seat. `near` are the other seats whose people have the same network
 * address.
 */
export interface Person {
  name: string;
  kind: "bot" | "free" | "person";
  here: boolean;
  stand_in: boolean;
  level: string;
  owner: string | null;
  takeable: boolean;
  near: ReadonlyArray<number>;
}

/** The player of a seat. */
export interface PersonPart {
  type: "person";
  seat: number;
}

/** A player says something. */
export interface PhraseMessage {
  type: "phrase";
  seat: number;
  phrase: "again" | "bye" | "game" | "hello" | "luck" | "moment" | "nice" | "ouch" | "sorry" | "thanks";
}

/** A card of a picture, with the sign below it. */
export interface PictureCard {
  card: Card;
  sign: string | null;
}

/** A sign of life, answered at once by `PongMessage`. It does not keep a table awake. */
export interface Ping {
  type: "ping";
}

/** The first trick of a deal is to be led. */
export interface PlayBegan {
  code: "play-began";
  leader: number;
}

/** A seat plays a card. */
export interface PlayDocument {
  move: "play";
  /** The version of the format. */
  heartsrules: 1;
  kind: "move";
  seat: number;
  card: Card;
}

/**
 * The body of `POST /api/positions`, which opens a table at which a position is played on against bots. `position`
 * is a line of the notation, or a document of kind `state`. The host plays the cards of `seat`; null: of whom the
 * position asks a move first, or the first seat.
 */
export interface PlayOn {
  position: string;
  name: string;
  seat?: number | null;
}

/** A seat plays a card. */
export interface Play {
  move: "play";
  seat: number;
  card: Card;
}

/**
 * A finished deal as one seat knows it. `commitment` are the cards of each gift of this seat, or null;
 * `pass_counts` has, by seat, how many cards it committed to pass, and is empty if the deal had no pass. `exposed`
 * are the cards each seat exposed; `led_before` are the suits led before the first recorded trick, empty if nothing
 * was shown. `kitty` is null if the seat may not see it.
 */
export interface PlayedDealView {
  commitment: ReadonlyArray<Cards> | null;
  passed: Cards;
  received: Cards;
  pass_counts: ReadonlyArray<number>;
  exposed: ReadonlyArray<Cards>;
  led_before: ReadonlyArray<Suit>;
  /** A seat, clockwise from 0. */
  leader: number;
  tricks: ReadonlyArray<Trick>;
  captured: ReadonlyArray<Cards>;
  tricks_won: ReadonlyArray<number>;
  trick_number: number;
  set_aside: Cards;
  kitty_winner: number | null;
  kitty: Cards | null;
}

export interface PlayingView {
  phase: "playing";
  seat: number | null;
  /** A seat, clockwise from 0. */
  dealer: number;
  deal_number: number;
  hand: Cards;
  /** A seat, clockwise from 0. */
  turn: number;
  /** A seat, clockwise from 0. */
  leader: number;
  trick: ReadonlyArray<Card>;
  hearts_broken: boolean;
  commitment: ReadonlyArray<Cards> | null;
  exposed: ReadonlyArray<Cards>;
  tricks: ReadonlyArray<Trick>;
  captured: ReadonlyArray<Cards>;
  tricks_won: ReadonlyArray<number>;
  trick_number: number;
  set_aside: Cards;
}

/** The answer to `Ping`. */
export interface PongMessage {
  type: "pong";
}

/** What is wrong with a document, and the fields at fault, as pointers into it. */
export interface ProblemShown {
  code: string;
  fields: ReadonlyArray<string>;
  sentence: Wording;
}

/** How the Q♠ breaks hearts: not at all, when led, when discarded on another suit, when played in any way. */
export type QueenBreaks = "discarded" | "led" | "never" | "played";

/**
 * A reason against a card or a move. `kind` says when it goes away: `turn`, at the seat's turn; `full`, when
 * another card is taken back; `barred`, not while the position stays the same.
 */
export interface ReasonShown {
  code: string;
  kind: "barred" | "full" | "turn";
  sentence: Wording;
}

/** The answer to a request over HTTP that was refused. */
export interface Refusal {
  code: string;
  message: string;
  problems: ReadonlyArray<ProblemShown>;
}

/** The answer to a request that was refused, and to a message that could not be read, which has no id. */
export interface RefusedMessage {
  type: "refused";
  id: number | null;
  ply: number | null;
  code: string;
  message: string;
  violations: ReadonlyArray<ReasonShown>;
  problems: ReadonlyArray<ProblemShown>;
}

/** The last answer to `AskReview`: the chance to win after the deal, luck and skill, and turning points. */
export interface ReviewedMessage {
  type: "reviewed";
  id: number;
  deal: number;
  win: number;
  parts: LuckAndSkill | null;
  turns: ReadonlyArray<Turn>;
}

/**
 * A move that was made, beside the best ones. `at_random` is what a random move would have cost, and `win` the
 * chance to win the match before the move.
 */
export interface ReviewedMove {
  ply: number;
  deal: number;
  trick: number | null;
  move: GameMove;
  best: ReadonlyArray<GameMove>;
  quality: "best" | "blunder" | "fine" | "inaccuracy" | "mistake";
  cost: CostShown;
  at_random: number;
  win: number;
  sentence: Wording;
}

/** A rule set: the options that differ from the defaults for that count of players. */
export interface RulesDocument {
  /** The version of the format. */
  heartsrules: 1;
  kind: "rules";
  /** How many players there are. */
  players?: number;
  /** How many decks are shuffled together. */
  decks?: number;
  /** The cards that are taken out of the decks before play; never assumed from the count of players. */
  removed?: Cards;
  /** How many cards each player is dealt, or null: as many as deal out evenly. */
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
  unpassable?: Cards;
  /** The faces that their holders may show before the first lead. */
  exposable?: Cards;
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
  compulsory_cards?: Cards;
  /** Whether the Q♠ may be discarded only once hearts are broken. */
  queen_discard_after_hearts?: boolean;
  /** What equal cards in one trick do (two decks). */
  duplicates?: Duplicates;
  /** Whether two or more pairs in one trick mean that nobody wins it. */
  two_pairs_void?: boolean;
  /** Who takes a last trick that nobody wins. */
  void_last_trick?: VoidLastTrick;
  /** The penalty values of 2♥ to A♥: a `HeartValues` or 13 numbers. */
  heart_values?: HeartValues | ReadonlyArray<number>;
  /** The penalty value of the Q♠. */
  queen_points?: number;
  /** (card, points) pairs, a card once: points added to what the card is worth. */
  extra_penalties?: ReadonlyArray<readonly [Card, number]>;
  /** The cards whose points are subtracted from their taker's score, a card once. */
  bonuses?: ReadonlyArray<Bonus>;
  /** How far the bonus cards may lower a score. */
  bonus_floor?: BonusFloor;
  /** A card that multiplies its taker's score, or null. */
  doubler?: Doubler | null;
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
  /** The moon's value, or null: the penalty value of the cards that make it. */
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
  /** The moon's value when every trick was taken, or null: twice the usual one. */
  sun_points?: number | null;
  /** The total that ends the game, or null. */
  target?: number | null;
  /** Whether the target must be reached or exceeded. */
  target_test?: TargetTest;
  /** Whose total is compared with the target: a side's, or each player's own. */
  target_scope?: TargetScope;
  /** The game also ends when a total is this far below 0; null: it does not. */
  bonus_target?: number | null;
  /** The number of deals that ends the game, or null; no game has more than 1,000,000. */
  max_deals?: number | null;
  /** Totals that fall back: a total of exactly the first number becomes the second. Each first number once. */
  exact_resets?: ReadonlyArray<readonly [number, number]>;
  /** What happens when the lowest total is not unique at the end. */
  tie?: Tie;
  /** How totals are shown; play is unaffected. */
  score_display?: ScoreDisplay;
}

/**
 * What the picture of a rule set shows: its players, decks, special cards, and the number of cards in the kitty.
 * `teams` has the number of the team of each seat, and is empty if each plays for themselves.
 */
export interface RulesPicture {
  players: number;
  decks: number;
  teams: ReadonlyArray<number>;
  cards: ReadonlyArray<PictureCard>;
  kitty: number;
}

/** A rule set: the options that differ from the defaults for that count of players. */
export interface RuleSet {
  /** How many players there are. */
  players?: number;
  /** How many decks are shuffled together. */
  decks?: number;
  /** The cards that are taken out of the decks before play; never assumed from the count of players. */
  removed?: Cards;
  /** How many cards each player is dealt, or null: as many as deal out evenly. */
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
  unpassable?: Cards;
  /** The faces that their holders may show before the first lead. */
  exposable?: Cards;
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
  compulsory_cards?: Cards;
  /** Whether the Q♠ may be discarded only once hearts are broken. */
  queen_discard_after_hearts?: boolean;
  /** What equal cards in one trick do (two decks). */
  duplicates?: Duplicates;
  /** Whether two or more pairs in one trick mean that nobody wins it. */
  two_pairs_void?: boolean;
  /** Who takes a last trick that nobody wins. */
  void_last_trick?: VoidLastTrick;
  /** The penalty values of 2♥ to A♥: a `HeartValues` or 13 numbers. */
  heart_values?: HeartValues | ReadonlyArray<number>;
  /** The penalty value of the Q♠. */
  queen_points?: number;
  /** (card, points) pairs, a card once: points added to what the card is worth. */
  extra_penalties?: ReadonlyArray<readonly [Card, number]>;
  /** The cards whose points are subtracted from their taker's score, a card once. */
  bonuses?: ReadonlyArray<Bonus>;
  /** How far the bonus cards may lower a score. */
  bonus_floor?: BonusFloor;
  /** A card that multiplies its taker's score, or null. */
  doubler?: Doubler | null;
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
  /** The moon's value, or null: the penalty value of the cards that make it. */
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
  /** The moon's value when every trick was taken, or null: twice the usual one. */
  sun_points?: number | null;
  /** The total that ends the game, or null. */
  target?: number | null;
  /** Whether the target must be reached or exceeded. */
  target_test?: TargetTest;
  /** Whose total is compared with the target: a side's, or each player's own. */
  target_scope?: TargetScope;
  /** The game also ends when a total is this far below 0; null: it does not. */
  bonus_target?: number | null;
  /** The number of deals that ends the game, or null; no game has more than 1,000,000. */
  max_deals?: number | null;
  /** Totals that fall back: a total of exactly the first number becomes the second. Each first number once. */
  exact_resets?: ReadonlyArray<readonly [number, number]>;
  /** What happens when the lowest total is not unique at the end. */
  tie?: Tie;
  /** How totals are shown; play is unaffected. */
  score_display?: ScoreDisplay;
}

/** A player says one of the fixed phrases to everybody at the table. */
export interface Say {
  type: "say";
  id: number;
  phrase: "again" | "bye" | "game" | "hello" | "luck" | "moment" | "nice" | "ouch" | "sorry" | "thanks";
}

/** How totals are shown: as penalties, as negative points, or as what is left of the target. */
export type ScoreDisplay = "countdown" | "negative" | "penalty";

/**
 * What a seat may do: whether it is to act, may claim the rest, have a settled deal played out, or decline to pass.
 * `cards` are the cards of the hand, each with the reasons against it as numbers in `reasons`.
 */
export interface SeatChoice {
  to_act: ReadonlyArray<number>;
  mine: boolean;
  claim: boolean;
  settled: boolean;
  may_decline: boolean;
  undo: boolean;
  hint: boolean;
  options: PassOptionsShown | null;
  reasons: ReadonlyArray<ReasonShown>;
  cards: { readonly [card in Card]?: ReadonlyArray<number> };
}

/** Who is to play on a seat: a bot of this level; with `friend` only if nobody comes. */
export interface SeatPlan {
  level?: string;
  friend?: boolean;
}

/**
 * What a seat has done in the finished deals of a match. `average` and `most` are displayed points of a deal,
 * `clean` counts deals without penalty points, and `queens` is null if no deal had one queen of spades.
 */
export interface SeatStatistics {
  average: number;
  most: number;
  clean: number;
  tricks: number;
  queens: number | null;
  moons: number;
}

/** A person wants the bots to play at another pace. */
export interface SetPace {
  type: "pace";
  id: number;
  pace: "fast" | "slow" | "usual";
}

/**
 * The score sheet. It comes before the view that it belongs to, and only when it changes. `zero` is what a total of
 * 0 is displayed as, `start` are the displayed totals before the first row, and `statistics` are by seat, empty
 * before the first deal has ended.
 */
export interface SheetMessage {
  type: "sheet";
  zero: number;
  start: ReadonlyArray<number>;
  rows: ReadonlyArray<SheetRow>;
  statistics: ReadonlyArray<SeatStatistics>;
}

/** A finished deal: what it did to each displayed total, the totals after it, and who shot the moon. */
export interface SheetRow {
  points: ReadonlyArray<number>;
  totals: ReadonlyArray<number>;
  shooter: number | null;
}

/** The host has a bot play for a person who has been away for long, until they are back. */
export interface StandIn {
  type: "stand-in";
  id: number;
  seat: number;
}

/** A place of the standings, and its displayed total. */
export interface StandingShown {
  place: number;
  seats: ReadonlyArray<number>;
  total: number;
}

/** The host begins the game; bots take the free seats. */
export interface Start {
  type: "start";
  id: number;
}

/**
 * Who plays. It comes whenever it changes. `seat` is the seat of this page and `waits_for` the one that it waits
 * for. `paused` says why no further deal is dealt, and `look` for how many seconds the last trick of a deal stays.
 * `next` is the table of the next match with the same people.
 */
export interface TableMessage {
  type: "table";
  seat: number | null;
  waits_for: number | null;
  started: boolean;
  over: boolean;
  host: number | null;
  people: ReadonlyArray<Person>;
  absent: ReadonlyArray<Absent>;
  newcomers: ReadonlyArray<Newcomer>;
  paused: "limit" | "unattended" | null;
  look: number;
  next: string | null;
}

/** What a seat has taken in the deal in play or the last one, and its points: once it is scored, all of the deal. */
export interface Taken {
  hearts: number;
  cards: ReadonlyArray<Card>;
  points: number;
}

/** The answer to `Joining`: the seat, its key, and whether it has to be waited for. */
export interface TakenSeat {
  seat: number;
  token: string;
  waits: boolean;
}

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

export type ToPage =
  | Welcome | TableMessage | SheetMessage | ViewMessage | LogMessage | NoteMessage | PhraseMessage | OptionsMessage |
    HintMessage | DecisionMessage | ReviewedMessage | DrillMessage | AcceptedMessage | RefusedMessage | PongMessage;

/** A trick was completed, nobody won it, and it was set aside. */
export interface TrickVoid {
  code: "trick-void";
  cards: Cards;
}

/**
 * A completed trick. `plays` are its cards, the leader's first. If nobody won it, `winner` is null, and it was set
 * aside.
 */
export interface Trick {
  /** A seat, clockwise from 0. */
  leader: number;
  plays: ReadonlyArray<Card>;
  winner: number | null;
}

/** A trick was completed and won, with all that was set aside before. */
export interface TrickWon {
  code: "trick-won";
  winner: number;
  cards: Cards;
}

/** A seat tries a move. */
export interface Try {
  type: "move";
  id: number;
  ply: number;
  move: Move;
}

/** A place of a match where the chance of a seat to win it changed much. */
export interface Turn {
  ply: number;
  deal: number;
  trick: number | null;
  seat: number;
  before: number;
  after: number;
  cause: "cards" | "others" | "own";
}

/** A seat takes back its last move; all others must be bots. */
export interface Undo {
  type: "undo";
  id: number;
}

/**
 * A view, the events that led to it and the choices of its seat. It comes after every move. `ply` is the number of
 * moves made, and `since` the ply at which the seat was last asked for one. `events` are empty for a page that has
 * just connected. Of the tricks of a deal, `view` has the last one alone.
 */
export interface ViewMessage {
  type: "view";
  ply: number;
  since: number;
  view: AnySeen;
  facts: Facts;
  choice: SeatChoice;
  events: ReadonlyArray<GameEvent>;
}

/** Who takes a last trick that nobody wins. */
export type VoidLastTrick = "leader" | "nobody";

/** A vote for a bot to play for a person who has been away or idle for long, or the withdrawal of that vote. */
export interface Vote {
  type: "vote";
  id: number;
  seat: number;
  wanted?: boolean;
}

/**
 * The first message on a socket: what stays the same at a table. `version` is that of the page that the server
 * gives out; a page of another version is to be loaded again. It is empty where the page is its own server. `teams`
 * has the number of the team of each seat, and is empty if each plays for themselves. `rules` are sentences; `away`
 * is the number of seconds after which a bot plays for an absent person, or null for never.
 */
export interface Welcome {
  type: "welcome";
  version: string;
  table: string;
  game: Origin | null;
  teams: ReadonlyArray<number>;
  rules: ReadonlyArray<Wording>;
  hints: "alone" | "always" | "never";
  away: number | null;
}

export type Wording = ReadonlyArray<string | CardPart | PersonPart | OptionPart>;
