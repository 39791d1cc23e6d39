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

/** A person who has been away or idle too long, and the votes for a bot. */
export interface Absent {
  seat: number;
  votes: ReadonlyArray<number>;
  needed: number;
}

/** The answer to a request that has been carried out and has no answer of its own. */
export interface AcceptedMessage {
  type: "accepted";
  id: number;
  ply: number;
}

/** A player's request for another match with the same people, at a new table. */
export interface Again {
  type: "again";
  id: number;
}

/** A person's consent to a seat's newcomer, or their refusal, which sends the newcomer away. */
export interface Agree {
  type: "agree";
  id: number;
  seat: number;
  agreed?: boolean;
}

export type AnySeen =
  | AwaitingDealView | PassingView | DealingBackView | ExposingView | PlayingView | ChoosingMoonView | GameOverView;

/** A request for a drill from a mistake in a finished deal, the move number `ply`. */
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

/** A request to review a seat's moves in finished deals. */
export interface AskReview {
  type: "review";
  id: number;
  deals: ReadonlyArray<number>;
}

export interface AwaitingDealView {
  phase: "awaiting-deal";
  seat: number | null;
  /** A seat, clockwise from 0. */
  dealer: number;
  deal_number: number;
}

/** A person's request to play on instead of the bot that plays for them. */
export interface Back {
  type: "back";
  id: number;
}

/**
 * The limit to which bonus cards can lower a score. There is none, or the deal's points or the running total do not
 * fall below 0.
 */
export type BonusFloor = "deal" | "none" | "total";

/** A card whose points are subtracted from its taker's score. */
export interface Bonus {
  card: Card;
  points: number;
}

/** A bot that hosts can choose. The page's catalogues have titles for those that are `ours`. */
export interface BotLevel {
  name: string;
  ours: boolean;
  usual: boolean;
}

/** The sign on a bonus card or on the doubler, and its value. */
export interface CardMark {
  sign: string;
  kind: "bonus" | "doubler";
  worth: number;
}

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
  /** Cards separated by single spaces, written in the order C D S H, 2 to A. */
  hand: Cards;
}

/** The cards were dealt. No player may see the whole event. */
export interface CardsDealt {
  code: "cards-dealt";
  hands: ReadonlyArray<Cards>;
  /** Cards separated by single spaces, written in the order C D S H, 2 to A. */
  kitty: Cards;
}

/** A seat exposed cards. */
export interface CardsExposed {
  code: "cards-exposed";
  seat: number;
  /** Cards separated by single spaces, written in the order C D S H, 2 to A. */
  cards: Cards;
}

/** The cards changed hands, as one seat sees it. */
export interface CardsPassedHidden {
  code: "cards-passed-hidden";
  seat: number | null;
  /** Cards separated by single spaces, written in the order C D S H, 2 to A. */
  passed: Cards;
  /** Cards separated by single spaces, written in the order C D S H, 2 to A. */
  received: Cards;
  counts: ReadonlyArray<number>;
}

/** The cards changed hands or were dealt back from the middle, after all passes. */
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

/** A question about an incomplete pass: the cards that can be added to `move`. */
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
  /** A seat, clockwise from 0. */
  shooter: number;
  others_up: DealScore;
  shooter_down: DealScore;
}

/** A claim of all remaining tricks, or a request to play out a settled deal. */
export interface Claim {
  type: "claim";
  id: number;
  ply: number;
}

/**
 * The condition under which a compulsory card must be played. Its holder must play it never, when void in the suit
 * led, then or under a higher card of its suit, whenever following with it is legal, or whenever it is legal.
 */
export type Compulsory = "always" | "discard" | "no" | "not-lead" | "safe";

/** The cost of a move relative to the best one. `value` combines the points and the chance to win. */
export interface CostShown {
  points: EstimateShown;
  win: EstimateShown;
  value: EstimateShown;
}

/** Cards that count: the number of hearts, and the names of the others. */
export interface Counting {
  hearts: number;
  cards: ReadonlyArray<Card>;
}

/**
 * The chance move that deals each seat's hand and the kitty. After a pass through the middle, a second one deals
 * the pile back, without a kitty.
 */
export interface DealDocument {
  move: "deal";
  /** The version of the format. */
  heartsrules: 1;
  kind: "move";
  hands: ReadonlyArray<Cards>;
  /** Cards separated by single spaces, written in the order C D S H, 2 to A. */
  kitty: Cards;
}

/**
 * The result of one deal, a row of the score sheet. Arrays have one item per seat. `queen_taker` is the seat that
 * captured the ♠Q, or null if none did or not exactly one ♠Q is in play. `exposed` are each seat's exposed cards,
 * empty if none may be.
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

/** The deal was scored and its row added to the score sheet. */
export interface DealScored {
  code: "deal-scored";
  score: DealScore;
}

/**
 * The chance move that deals each seat's hand and the kitty. After a pass through the middle, a second one deals
 * the pile back, without a kitty.
 */
export interface Deal {
  move: "deal";
  hands: ReadonlyArray<Cards>;
  /** Cards separated by single spaces, written in the order C D S H, 2 to A. */
  kitty: Cards;
}

export interface DealingBackView {
  phase: "dealing-back";
  seat: number | null;
  /** A seat, clockwise from 0. */
  dealer: number;
  deal_number: number;
  /** Cards separated by single spaces, written in the order C D S H, 2 to A. */
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

/** A card that multiplies its taker's score. If the taker has no scoring card, `alone` is subtracted instead. */
export interface Doubler {
  card: Card;
  factor: number;
  alone: number;
}

/** The answer to `GET /api/drills`: a drill, and the number of drills on its theme. */
export interface DrillAnswer {
  count: number;
  drill: DrillShown;
}

/** A move to choose from, with the sentences for someone who chooses it. */
export interface DrillChoice {
  move: GameMove;
  quality: "best" | "blunder" | "fine" | "inaccuracy" | "mistake";
  cost: CostShown;
  right: boolean;
  verdict: Wording;
  reason: Wording;
  costs: Wording;
}

/** The answer to `AskDrill`: a drill, or null if the move makes none. */
export interface DrillMessage {
  type: "drill";
  id: number;
  drill: DrillShown | null;
}

/** A position that asks for the best move, with the answers. `names` has one item per seat. */
export interface DrillShown {
  theme: string;
  seat: number;
  names: ReadonlyArray<string>;
  teams: ReadonlyArray<number>;
  rows: ReadonlyArray<SheetRow>;
  choices: ReadonlyArray<DrillChoice>;
  view: AnySeen;
  facts: Facts;
  choice: SeatChoice;
}

/** The effect of equal cards in one trick. They cancel each other, or the first or the last of them wins. */
export type Duplicates = "cancel" | "first-wins" | "last-wins";

/** An estimate, with its 95 % interval. */
export interface EstimateShown {
  mean: number;
  interval: readonly [number, number];
}

/**
 * The deals in which cards are exposed before the pass. These are none, the ones that pass through the middle, or
 * all with a pass. The pass then takes place only if no card is exposed, and is followed by another chance to
 * expose.
 */
export type ExposeBeforePass = "always" | "middle" | "never";

/** A seat exposes cards of its hand, or none, before the first lead. */
export interface ExposeDocument {
  move: "expose";
  /** The version of the format. */
  heartsrules: 1;
  kind: "move";
  seat: number;
  /** Cards separated by single spaces, written in the order C D S H, 2 to A. */
  cards: Cards;
}

/** A seat exposes cards of its hand, or none, before the first lead. */
export interface Expose {
  move: "expose";
  seat: number;
  /** Cards separated by single spaces, written in the order C D S H, 2 to A. */
  cards: Cards;
}

/**
 * The limit on playing an exposed card before its suit has been led. There is no limit, or it waits while its
 * holder has another card of the suit. With "wait-on-lead" that holds when following; on the lead it waits while
 * any other card may be led.
 */
export type ExposedCardPlay = "free" | "wait-in-suit" | "wait-on-lead";

export interface ExposingView {
  phase: "exposing";
  seat: number | null;
  /** A seat, clockwise from 0. */
  dealer: number;
  deal_number: number;
  /** Cards separated by single spaces, written in the order C D S H, 2 to A. */
  hand: Cards;
  /** Cards separated by single spaces, written in the order C D S H, 2 to A. */
  exposable: Cards;
  exposure: Cards | null;
  committed: ReadonlyArray<number>;
  to_act: ReadonlyArray<number>;
  before_pass: boolean;
  commitment: ReadonlyArray<Cards> | null;
  exposed: ReadonlyArray<Cards>;
}

/**
 * The order of exposing cards before the first lead. "together" has any order and hides the cards until all have
 * moved. "in-turn" goes from the dealer's left, with each decision seen at once. In rounds, when a seat exposes
 * cards, all others may expose more.
 */
export type Exposure = "in-turn" | "rounds" | "rounds-in-turn" | "together";

/** Another seat's decision what to expose. */
export interface ExposureCommittedHidden {
  code: "exposure-committed-hidden";
  seat: number;
}

/** A seat decided which cards it exposes, if all seats expose at once. */
export interface ExposureCommitted {
  code: "exposure-committed";
  seat: number;
  /** Cards separated by single spaces, written in the order C D S H, 2 to A. */
  cards: Cards;
}

/**
 * The consequences of a view that a page cannot derive without the rules. Tuples have one item per seat. `plan` has
 * the transfers of the pass: the number of seats to the left, or 0 for the middle, and the number of cards. `open`
 * are each seat's exposed cards, and `aside` the cards that no one has won. `scored` is true once the deal is over.
 * `lying` is the current trick, or else the `last` one, which is complete.
 */
export interface Facts {
  doing: ReadonlyArray<"choosing" | "has-chosen" | "shot-moon" | "to-play" | "wins" | null>;
  totals: ReadonlyArray<number>;
  plan: ReadonlyArray<readonly [number, number]>;
  marks: { readonly [card in Card]?: CardMark };
  open: ReadonlyArray<ReadonlyArray<Card>>;
  hand_sizes: ReadonlyArray<number>;
  scored: boolean;
  lying: ShownTrick | null;
  last: ShownTrick | null;
  kitty: KittyPile | null;
  taken: ReadonlyArray<Taken>;
  aside: Counting | null;
  moon: MoonEffects | null;
  standings: ReadonlyArray<StandingShown>;
}

/** The host's choice for a vacant seat: a bot of this level, or with `friend` only if no one takes it. */
export interface Fill {
  type: "fill";
  id: number;
  seat: number;
  level: string;
  friend?: boolean;
}

/**
 * The cards that may not be discarded on the first trick of a deal. These are penalty cards, hearts, scoring cards
 * (hearts, penalty and bonus cards), or none.
 */
export type FirstTrick = "free" | "no-hearts" | "no-points" | "no-scoring";

export type FromPage =
  | Hello | Ping | Start | StandIn | Vote | Back | Leave | Agree | Fill | Undo | Again | Say | SetPace | Reviewing |
    GoOn | AskReview | AskDrill | Try | Claim | Choose | AskHint;

/** The game is over. */
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
  winners: ReadonlyArray<number>;
}

/** A sign that a person is still there, so the bots can play on. */
export interface GoOn {
  type: "go-on";
  id: number;
}

/**
 * Named penalty values of the hearts. These are 1 each (13 in all), spot values with 11 to 14 for J Q K A (104), 1
 * each but 2 to 5 for J Q K A (23), or spot values with 10 for J Q K A (94).
 */
export type HeartValues = "face" | "one" | "pips" | "spot";

/**
 * The way in which a heart breaks hearts. It breaks them when played, when played but not led, when discarded on
 * another suit, or never.
 */
export type HeartsBreak = "discarded" | "never" | "not-led" | "played";

/** The card played broke hearts. */
export interface HeartsBroken {
  code: "hearts-broken";
  seat: number;
  card: Card;
}

/**
 * The condition for leading a heart. Hearts must be broken to lead a heart, or to lead any penalty card, or there
 * is no condition.
 */
export type HeartsLead = "any-time" | "points-when-broken" | "when-broken";

/** The first message on a socket: a seat's key, or null to watch, and the page's language. */
export interface Hello {
  type: "hello";
  token: string | null;
  language?: string;
}

/** The answer to `AskHint`: a sentence, and the move that it recommends. */
export interface HintMessage {
  type: "hint";
  id: number;
  ply: number;
  sentence: Wording;
  move: GameMove;
}

/** The answer to `GET /api/tables/TABLE`: the public facts about a table. */
export interface Invitation {
  host: string | null;
  started: boolean;
  over: boolean;
  hints: "alone" | "always" | "never";
  game: Origin | null;
  people: ReadonlyArray<Person>;
  sentences: ReadonlyArray<Wording>;
}

/**
 * The body of `POST /api/tables/TABLE/seats`: the requested seat, by default the first available one. `token` is
 * the key of this seat if its person gave it up and wants it again.
 */
export interface Joining {
  name: string;
  seat?: number | null;
  token?: string;
}

/** The answer to `OwnKey`: a link, and the rows of its QR code, in which `1` is dark. */
export interface KeyLink {
  link: string;
  code: ReadonlyArray<string>;
}

/**
 * The winner of the cards left over after dealing. That is the first player to win a trick, a penalty card or a
 * heart, or the winner of the last trick.
 */
export type Kitty = "first-heart" | "first-point" | "first-trick" | "last-trick" | "none";

/** The kitty, with its cards if they are visible. */
export interface KittyPile {
  size: number;
  winner: number | null;
  cards: ReadonlyArray<Card>;
}

/** The players who may see the kitty when it is won. */
export type KittyShownTo = "everybody" | "nobody" | "taker";

/** The winner of the trick took the kitty, whose cards are hidden. */
export interface KittyTakenHidden {
  code: "kitty-taken-hidden";
  seat: number;
}

/** The winner of the trick took the kitty, whose cards are visible. */
export interface KittyTaken {
  code: "kitty-taken";
  seat: number;
  /** Cards separated by single spaces, written in the order C D S H, 2 to A. */
  cards: Cards;
  shown_to: KittyShownTo;
}

/** A person's request to give up a seat, or to stop waiting for it. */
export interface Leave {
  type: "leave";
  id: number;
}

/** A note, or a move's events. */
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

/**
 * The parts of the points of some deals: the average, the dealt hands (luck), one's own play (skill) and the rest.
 * All are rounded, and add up to `points`.
 */
export interface LuckAndSkill {
  deals: number;
  points: number;
  average: number;
  cards: number;
  play: number;
  others: number;
  cards_margin: number;
  play_margin: number;
}

/**
 * The effect of shooting the moon. "off", "choice", "auto-save" and "auto-extend" are settings only; the other
 * members are also effects of a moon.
 */
export type Moon =
  | "auto-extend" | "auto-save" | "both" | "choice" | "off" | "others-pay" | "others-up" | "shooter-down" |
    "shooter-to-zero" | "shooter-wins";

/**
 * The cards that make a moon. These are all penalty cards, all hearts and the ♠Q, all hearts (which take the ♠Q
 * with them if the shooter has it), or all cards in play, which requires every trick.
 */
export type MoonCards = "all" | "every-card" | "hearts" | "hearts-and-queen";

/** The shooter chose the moon's effect. */
export interface MoonChosen {
  code: "moon-chosen";
  seat: number;
  effect: Moon;
}

/** The change of each displayed total by each effect of shooting the moon. */
export interface MoonEffects {
  others_up: ReadonlyArray<number>;
  shooter_down: ReadonlyArray<number>;
}

/** The shooter of a moon, or the winner of every trick for the sun. That is one player, or a team together. */
export type MoonScope = "player" | "team";

/** The deal is over, and the shooter of the moon must choose its effect. */
export interface MoonShot {
  code: "moon-shot";
  shooter: number;
  others_up: DealScore;
  shooter_down: DealScore;
}

export type Move = DealDocument | PassDocument | ExposeDocument | PlayDocument | ChooseMoonDocument;

/** A game of the first page: a preset for a number of players, with a `name` if the server proposes it. */
export interface NamedGame {
  preset: string;
  players: number;
  name: string | null;
  picture: RulesPicture;
}

/** A person waiting for a seat, the seats at the same address, and those that have yet to agree. */
export interface Newcomer {
  seat: number;
  name: string;
  near: ReadonlyArray<number>;
  asked: ReadonlyArray<number>;
}

/** An announcement to the whole table. */
export interface Note {
  code: "back" | "host" | "near" | "player-failed" | "seat-asked" | "seat-declined" | "seat-left" | "seat-returned" | "seat-taken" | "seat-withdrawn" | "stand-in";
  seat: number;
  name: string;
  before: string;
  why: string;
}

/** An announcement to the whole table. */
export interface NoteMessage {
  type: "note";
  note: Note;
}

/**
 * The answer to `GET /api/choices`: everything that the page offers. `defaults` has the values of all options by
 * number of players. "Play now" starts the first of `games`.
 */
export interface OfferedChoices {
  defaults: { readonly [name: string]: FullRules };
  presets: ReadonlyArray<OfferedPreset>;
  games: ReadonlyArray<NamedGame>;
  levels: ReadonlyArray<BotLevel>;
  away: number;
}

/**
 * A published rule set. For each number of players, `rules` has the options that differ from
 * `OfferedChoices.defaults`. `named` are the numbers of players that its source names.
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
 * The body of `POST /api/tables`, which opens a table. `rules` is a document of kind `rules`, and `game` its
 * preset. `name` is the host's, who plays on the first seat, or watches unless `play`. `seats` has one plan per
 * seat; seats without a plan are for friends. `away` is the number of seconds until a bot plays for an absent
 * person, or null for never.
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
 * The cards that may be led to the first trick of a deal. These are the lowest club, any club, all but penalty
 * cards, the ones that `hearts_lead` allows, or all.
 */
export type OpeningCard = "any" | "any-club" | "lowest-club" | "non-point" | "unrestricted";

/**
 * The leader to the first trick of a deal. That is the holder of the lowest club, the seat to the dealer's left, or
 * the player who took the ♠Q in the previous deal. If there is none, the holder of the lowest spade leads.
 */
export type OpeningLeader = "dealer-left" | "lowest-club" | "queen-taker";

/** An option of the rules, or with a `value` that value of it. */
export interface OptionPart {
  type: "option";
  option: string;
  value: string | null;
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

/** The body of `POST /api/tables/TABLE/key`, which asks for a seat's key as a link. */
export interface OwnKey {
  token: string;
}

/** Another seat's pass. */
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

/** A seat's pass, with the cards for each recipient. `cards` is empty if the seat declines. */
export interface PassDocument {
  move: "pass";
  /** The version of the format. */
  heartsrules: 1;
  kind: "move";
  seat: number;
  cards: ReadonlyArray<Cards>;
}

/** The effect of declining to pass, if that is allowed. */
export type PassOptional = "no" | "skip" | "unanimous";

/**
 * The ways to complete a pass. For each transfer, `missing` is the number of missing cards, and `cards` has the
 * reasons against each card, as indices into `reasons`.
 */
export interface PassOptionsShown {
  missing: ReadonlyArray<number>;
  complete: boolean;
  reasons: ReadonlyArray<ReasonShown>;
  cards: ReadonlyArray<{ readonly [card in Card]?: ReadonlyArray<number> }>;
}

/** A seat's pass, with the cards for each recipient. `cards` is empty if the seat declines. */
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
  /** Cards separated by single spaces, written in the order C D S H, 2 to A. */
  hand: Cards;
  plan: ReadonlyArray<readonly [number, number]>;
  may_decline: boolean;
  commitment: ReadonlyArray<Cards> | null;
  committed: ReadonlyArray<number>;
  to_act: ReadonlyArray<number>;
}

/**
 * The public facts about a seat's player. `here` is true if one of their pages is connected, `stand_in` if a bot
 * plays for them, and `takeable` if a spectator can ask for the seat. `level` is that of the present or future bot.
 * `owner` is the absent person who owns the seat. `near` lists the other seats whose people have the same network
 * address, and `since` is their first deal here.
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
  since: number;
}

/** The player of a seat. */
export interface PersonPart {
  type: "person";
  seat: number;
}

/** A phrase that a player says. */
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

/** A keep-alive, answered at once by `PongMessage`. It does not keep a table awake. */
export interface Ping {
  type: "ping";
}

/** A deal's first trick is about to be led. */
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
 * The body of `POST /api/positions`, which opens a table to play a position on against bots. `position` is a line
 * of the notation, or a document of kind `state`. The host plays the cards of `seat`, by default of the first seat
 * to act, or of the first seat if there is none.
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

/** A card of a trick, and whether an equal one cancels it. */
export interface PlayedCard {
  seat: number;
  card: Card;
  cancelled: boolean;
}

export interface PlayingView {
  phase: "playing";
  seat: number | null;
  /** A seat, clockwise from 0. */
  dealer: number;
  deal_number: number;
  /** Cards separated by single spaces, written in the order C D S H, 2 to A. */
  hand: Cards;
  /** A seat, clockwise from 0. */
  turn: number;
  /** A seat, clockwise from 0. */
  leader: number;
  hearts_broken: boolean;
  commitment: ReadonlyArray<Cards> | null;
  exposed: ReadonlyArray<Cards>;
  trick_number: number;
  /** Cards separated by single spaces, written in the order C D S H, 2 to A. */
  set_aside: Cards;
}

/** The answer to `Ping`. */
export interface PongMessage {
  type: "pong";
}

/** A problem in a document, and pointers to the faulty fields. */
export interface ProblemShown {
  code: string;
  fields: ReadonlyArray<string>;
  sentence: Wording;
}

/**
 * The way in which the ♠Q breaks hearts. It breaks them never, when led, when discarded on another suit, or when
 * played.
 */
export type QueenBreaks = "discarded" | "led" | "never" | "played";

/**
 * A reason against a card or a move. `kind` says when it ends: `turn`, at the seat's turn; `full`, when another
 * card is taken back; `barred`, only when the position changes.
 */
export interface ReasonShown {
  code: string;
  kind: "barred" | "full" | "turn";
  sentence: Wording;
}

/** The answer to a refused HTTP request. */
export interface Refusal {
  code: string;
  message: string;
  problems: ReadonlyArray<ProblemShown>;
}

/** The answer to a refused request, or to an unreadable message, which has no id. */
export interface RefusedMessage {
  type: "refused";
  id: number | null;
  ply: number | null;
  code: string;
  message: string;
  violations: ReadonlyArray<ReasonShown>;
  problems: ReadonlyArray<ProblemShown>;
}

/**
 * An answer to `AskReview` after each deal, about all decisions so far. `done` are the deals that were reviewed,
 * `accuracy` is null if no choice mattered, `win` is the chance to win after the last of the deals, and `luck` is
 * null if the beginning of no deal is known.
 */
export interface ReviewedMessage {
  type: "reviewed";
  id: number;
  done: ReadonlyArray<number>;
  accuracy: number | null;
  counts: { readonly [name: string]: number };
  win: number;
  luck: LuckAndSkill | null;
  turns: ReadonlyArray<Turn>;
}

/**
 * A move that was made, and the best ones. `scale` names the cost that goes with `quality`, `at_random` is the cost
 * of a random move, and `win` the chance to win the match before the move.
 */
export interface ReviewedMove {
  ply: number;
  deal: number;
  trick: number | null;
  move: GameMove;
  best: ReadonlyArray<GameMove>;
  quality: "best" | "blunder" | "fine" | "inaccuracy" | "mistake";
  scale: "points" | "win";
  cost: CostShown;
  at_random: number;
  win: number;
  sentence: Wording;
}

/** A person opens a review, or closes it: meanwhile no deal is dealt. */
export interface Reviewing {
  type: "reviewing";
  id: number;
  open: boolean;
}

/** A rule set: the options that differ from the defaults for that count of players. */
export interface RulesDocument {
  /** The version of the format. */
  heartsrules: 1;
  kind: "rules";
  /** The number of players. */
  players?: number;
  /** The number of decks. */
  decks?: number;
  /** The cards removed from the decks before play, whatever the number of players. */
  removed?: Cards;
  /** The number of cards dealt to each player, or null to deal out evenly. */
  hand_size?: number | null;
  /** The winner of the cards left over after dealing. */
  kitty?: Kitty;
  /** The players who may see the kitty when it is won. */
  kitty_shown_to?: KittyShownTo;
  /** The number of teams, or 0 for none. Seat s plays for team s mod teams. */
  teams?: 0 | 2 | 3;
  /** The dealer of the first deal. */
  first_dealer?: number;
  /** The passes; deal k uses pass k mod their number. Defaults to `default_pass_cycle(players)`. */
  pass_cycle?: ReadonlyArray<ReadonlyArray<readonly [number | "across", number]>>;
  /** The effect of declining to pass, if that is allowed. */
  pass_optional?: PassOptional;
  /** The cards that may not be passed, in any copy. */
  unpassable?: Cards;
  /** The cards that their holders may expose before the first lead. */
  exposable?: Cards;
  /** The order of exposing cards before the first lead. */
  exposure?: Exposure;
  /** The deals in which cards are exposed before the pass, which only follows if none are. */
  expose_before_pass?: ExposeBeforePass;
  /** The limit on playing an exposed card before its suit has been led. */
  exposed_card_play?: ExposedCardPlay;
  /** The leader to the first trick. */
  opening_leader?: OpeningLeader;
  /** The cards that may be led to the first trick. */
  opening_card?: OpeningCard;
  /** The cards that may not be discarded on the first trick. */
  first_trick?: FirstTrick;
  /** The condition for leading a heart. */
  hearts_lead?: HeartsLead;
  /** The way in which a heart breaks hearts. */
  hearts_break?: HeartsBreak;
  /** The way in which the ♠Q breaks hearts. */
  queen_breaks?: QueenBreaks;
  /** True if a leader with only hearts and ♠Q may lead a heart before hearts are broken. */
  heart_lead_spares_queen?: boolean;
  /** The condition under which a compulsory card must be played. */
  compulsory?: Compulsory;
  /** The compulsory cards. */
  compulsory_cards?: Cards;
  /** True if the ♠Q may be discarded only once hearts are broken. */
  queen_discard_after_hearts?: boolean;
  /** The effect of equal cards in one trick (two decks). */
  duplicates?: Duplicates;
  /** True if a trick with two or more pairs has no winner. */
  two_pairs_void?: boolean;
  /** The taker of a last trick without a winner. */
  void_last_trick?: VoidLastTrick;
  /** The penalty values of ♥2 to ♥A: a `HeartValues` or 13 numbers. */
  heart_values?: HeartValues | ReadonlyArray<number>;
  /** The penalty value of the ♠Q. */
  queen_points?: number;
  /** (card, points) pairs, with points added to the card's value. Each card once. */
  extra_penalties?: ReadonlyArray<readonly [Card, number]>;
  /** The cards whose points are subtracted from their taker's score. Each card once. */
  bonuses?: ReadonlyArray<Bonus>;
  /** The limit to which bonus cards can lower a score. */
  bonus_floor?: BonusFloor;
  /** A card that multiplies its taker's score, or null. */
  doubler?: Doubler | null;
  /** The points subtracted for winning no trick. */
  no_tricks_bonus?: number;
  /** True if `no_tricks_bonus` counts in a deal with a moon. */
  no_tricks_bonus_on_moon?: boolean;
  /** True if subtracted points never lower a total below 0. */
  total_floor?: boolean;
  /** The effect of shooting the moon. */
  moon?: Moon;
  /** The cards that must be captured to shoot the moon. */
  moon_cards?: MoonCards;
  /** The moon's value, or null for the penalty value of the cards that make it. */
  moon_points?: number | null;
  /** The factor of the moon's value. */
  moon_factor?: number;
  /** True if a shooter must also capture every copy of every bonus card. */
  moon_needs_bonus?: boolean;
  /** The shooter of a moon: one player, or a team together. */
  moon_scope?: MoonScope;
  /** True if taking every trick doubles the moon's value. */
  sun?: boolean;
  /** The winner of every trick for the sun: a team, or one player. */
  sun_scope?: MoonScope;
  /** The moon's value with every trick, or null for twice the usual one. */
  sun_points?: number | null;
  /** The total that ends the game, or null. */
  target?: number | null;
  /** The comparison of a total with the target. */
  target_test?: TargetTest;
  /** The total that is compared with the target: a side's, or each player's own. */
  target_scope?: TargetScope;
  /** The distance of a total below 0 that also ends the game, or null. */
  bonus_target?: number | null;
  /** The number of deals that ends the game, or null. No game has more than 1,000,000. */
  max_deals?: number | null;
  /** (exact, new) totals: a total of exactly the first number becomes the second. Each first number once. */
  exact_resets?: ReadonlyArray<readonly [number, number]>;
  /** The effect of a tie for the lowest total at the end. */
  tie?: Tie;
  /** The display of totals. Play is unaffected. */
  score_display?: ScoreDisplay;
}

/**
 * The content of a rule set's picture: players, decks, special cards, and the size of the kitty. `teams` is as in
 * `Welcome`.
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
  /** The number of players. */
  players?: number;
  /** The number of decks. */
  decks?: number;
  /** The cards removed from the decks before play, whatever the number of players. */
  removed?: Cards;
  /** The number of cards dealt to each player, or null to deal out evenly. */
  hand_size?: number | null;
  /** The winner of the cards left over after dealing. */
  kitty?: Kitty;
  /** The players who may see the kitty when it is won. */
  kitty_shown_to?: KittyShownTo;
  /** The number of teams, or 0 for none. Seat s plays for team s mod teams. */
  teams?: 0 | 2 | 3;
  /** The dealer of the first deal. */
  first_dealer?: number;
  /** The passes; deal k uses pass k mod their number. Defaults to `default_pass_cycle(players)`. */
  pass_cycle?: ReadonlyArray<ReadonlyArray<readonly [number | "across", number]>>;
  /** The effect of declining to pass, if that is allowed. */
  pass_optional?: PassOptional;
  /** The cards that may not be passed, in any copy. */
  unpassable?: Cards;
  /** The cards that their holders may expose before the first lead. */
  exposable?: Cards;
  /** The order of exposing cards before the first lead. */
  exposure?: Exposure;
  /** The deals in which cards are exposed before the pass, which only follows if none are. */
  expose_before_pass?: ExposeBeforePass;
  /** The limit on playing an exposed card before its suit has been led. */
  exposed_card_play?: ExposedCardPlay;
  /** The leader to the first trick. */
  opening_leader?: OpeningLeader;
  /** The cards that may be led to the first trick. */
  opening_card?: OpeningCard;
  /** The cards that may not be discarded on the first trick. */
  first_trick?: FirstTrick;
  /** The condition for leading a heart. */
  hearts_lead?: HeartsLead;
  /** The way in which a heart breaks hearts. */
  hearts_break?: HeartsBreak;
  /** The way in which the ♠Q breaks hearts. */
  queen_breaks?: QueenBreaks;
  /** True if a leader with only hearts and ♠Q may lead a heart before hearts are broken. */
  heart_lead_spares_queen?: boolean;
  /** The condition under which a compulsory card must be played. */
  compulsory?: Compulsory;
  /** The compulsory cards. */
  compulsory_cards?: Cards;
  /** True if the ♠Q may be discarded only once hearts are broken. */
  queen_discard_after_hearts?: boolean;
  /** The effect of equal cards in one trick (two decks). */
  duplicates?: Duplicates;
  /** True if a trick with two or more pairs has no winner. */
  two_pairs_void?: boolean;
  /** The taker of a last trick without a winner. */
  void_last_trick?: VoidLastTrick;
  /** The penalty values of ♥2 to ♥A: a `HeartValues` or 13 numbers. */
  heart_values?: HeartValues | ReadonlyArray<number>;
  /** The penalty value of the ♠Q. */
  queen_points?: number;
  /** (card, points) pairs, with points added to the card's value. Each card once. */
  extra_penalties?: ReadonlyArray<readonly [Card, number]>;
  /** The cards whose points are subtracted from their taker's score. Each card once. */
  bonuses?: ReadonlyArray<Bonus>;
  /** The limit to which bonus cards can lower a score. */
  bonus_floor?: BonusFloor;
  /** A card that multiplies its taker's score, or null. */
  doubler?: Doubler | null;
  /** The points subtracted for winning no trick. */
  no_tricks_bonus?: number;
  /** True if `no_tricks_bonus` counts in a deal with a moon. */
  no_tricks_bonus_on_moon?: boolean;
  /** True if subtracted points never lower a total below 0. */
  total_floor?: boolean;
  /** The effect of shooting the moon. */
  moon?: Moon;
  /** The cards that must be captured to shoot the moon. */
  moon_cards?: MoonCards;
  /** The moon's value, or null for the penalty value of the cards that make it. */
  moon_points?: number | null;
  /** The factor of the moon's value. */
  moon_factor?: number;
  /** True if a shooter must also capture every copy of every bonus card. */
  moon_needs_bonus?: boolean;
  /** The shooter of a moon: one player, or a team together. */
  moon_scope?: MoonScope;
  /** True if taking every trick doubles the moon's value. */
  sun?: boolean;
  /** The winner of every trick for the sun: a team, or one player. */
  sun_scope?: MoonScope;
  /** The moon's value with every trick, or null for twice the usual one. */
  sun_points?: number | null;
  /** The total that ends the game, or null. */
  target?: number | null;
  /** The comparison of a total with the target. */
  target_test?: TargetTest;
  /** The total that is compared with the target: a side's, or each player's own. */
  target_scope?: TargetScope;
  /** The distance of a total below 0 that also ends the game, or null. */
  bonus_target?: number | null;
  /** The number of deals that ends the game, or null. No game has more than 1,000,000. */
  max_deals?: number | null;
  /** (exact, new) totals: a total of exactly the first number becomes the second. Each first number once. */
  exact_resets?: ReadonlyArray<readonly [number, number]>;
  /** The effect of a tie for the lowest total at the end. */
  tie?: Tie;
  /** The display of totals. Play is unaffected. */
  score_display?: ScoreDisplay;
}

/** A fixed phrase that a player says to the whole table. */
export interface Say {
  type: "say";
  id: number;
  phrase: "again" | "bye" | "game" | "hello" | "luck" | "moment" | "nice" | "ouch" | "sorry" | "thanks";
}

/** The display of totals. They are shown as penalties, as negative points, or as points left to the target. */
export type ScoreDisplay = "countdown" | "negative" | "penalty";

/**
 * A seat's choices: whether it can act, claim the rest, have a settled deal played out, or decline to pass. `cards`
 * are the cards of the hand, each with the reasons against it as indices into `reasons`.
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

/** The plan for a seat, as in `Fill`. */
export interface SeatPlan {
  level?: string;
  friend?: boolean;
}

/**
 * A seat's statistics over the finished deals of a match. `average` and `most` are displayed points per deal,
 * `clean` is the number of deals without penalty points, and `queens` is null unless some deal had exactly one
 * queen of spades.
 */
export interface SeatStatistics {
  average: number;
  most: number;
  clean: number;
  tricks: number;
  queens: number | null;
  moons: number;
}

/** A person's request for another speed of the bots. */
export interface SetPace {
  type: "pace";
  id: number;
  pace: "fast" | "slow" | "usual";
}

/**
 * The score sheet. It is sent before the view that it belongs to, and only if it has changed. `zero` is the display
 * of a total of 0, and `start` has the displayed totals before the first row. `statistics` has one item per seat,
 * and is empty until the first deal has ended.
 */
export interface SheetMessage {
  type: "sheet";
  zero: number;
  start: ReadonlyArray<number>;
  rows: ReadonlyArray<SheetRow>;
  statistics: ReadonlyArray<SeatStatistics>;
}

/** A finished deal: the change of each displayed total, the new totals, and the seat that shot the moon. */
export interface SheetRow {
  points: ReadonlyArray<number>;
  totals: ReadonlyArray<number>;
  shooter: number | null;
}

/** A trick; `winner` is the seat that wins so far, or has won. */
export interface ShownTrick {
  plays: ReadonlyArray<PlayedCard>;
  winner: number | null;
  complete: boolean;
}

/** The host's request that a bot play for a long-absent person until they return. */
export interface StandIn {
  type: "stand-in";
  id: number;
  seat: number;
}

/** A place in the standings, and its displayed total. */
export interface StandingShown {
  place: number;
  seats: ReadonlyArray<number>;
  total: number;
}

/** The host's request to begin the game. Bots take the free seats. */
export interface Start {
  type: "start";
  id: number;
}

/**
 * The players, sent whenever they change. `seat` is the page's seat. `paused` is the reason why no further deal is
 * dealt, `look` the number of seconds for which a deal's last trick stays, and `next` the table of the next match
 * with the same people.
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
  paused: "limit" | "review" | "unattended" | null;
  reviewing: ReadonlyArray<number>;
  look: number;
  next: string | null;
}

/**
 * The cards that a seat has taken in the current deal, or in the last one, and its points and tricks. `points` are
 * those of the cards, or all of the deal once it is scored. `pile` are all the cards.
 */
export interface Taken {
  hearts: number;
  cards: ReadonlyArray<Card>;
  points: number;
  tricks: number;
  pile: ReadonlyArray<Card>;
}

/** The answer to `Joining`: the seat, its key, and whether the person has to wait for it. */
export interface TakenSeat {
  seat: number;
  token: string;
  waits: boolean;
}

/** The total that is compared with the target. That is a side's (the sum for a team), or each player's own. */
export type TargetScope = "player" | "side";

/**
 * The comparison of a total with the target. The game ends when a total reaches it, or only when one exceeds it.
 * With "exact-wins", a total of exactly the target wins.
 */
export type TargetTest = "exact-wins" | "exceeded" | "reached";

/** The effect of a tie for the lowest total at the end. It leads to an extra deal, or to several winners. */
export type Tie = "extra-deal" | "shared";

export type ToPage =
  | Welcome | TableMessage | SheetMessage | ViewMessage | LogMessage | NoteMessage | PhraseMessage | OptionsMessage |
    HintMessage | DecisionMessage | ReviewedMessage | DrillMessage | AcceptedMessage | RefusedMessage | PongMessage;

/** A trick was completed without a winner and set aside. */
export interface TrickVoid {
  code: "trick-void";
  /** Cards separated by single spaces, written in the order C D S H, 2 to A. */
  cards: Cards;
}

/** A trick was won, with all cards set aside before. */
export interface TrickWon {
  code: "trick-won";
  winner: number;
  /** Cards separated by single spaces, written in the order C D S H, 2 to A. */
  cards: Cards;
}

/** A move that a seat attempts. */
export interface Try {
  type: "move";
  id: number;
  ply: number;
  move: Move;
}

/** A turning point of a match: a deal that changed a seat's chance to win considerably. */
export interface Turn {
  ply: number;
  deal: number;
  trick: number | null;
  seat: number;
  before: number;
  after: number;
  cause: "cards" | "own" | "pass" | "table";
}

/** A seat's request to take back its last move. All other players must be bots. */
export interface Undo {
  type: "undo";
  id: number;
}

/**
 * A view, the events that led to it and the choices of its seat, sent after every move. `ply` is the number of
 * moves made, and `since` the ply at which the seat was last asked for one. `events` are empty for a page that has
 * just connected.
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

/** The taker of a last trick without a winner. */
export type VoidLastTrick = "leader" | "nobody";

/** A vote for a bot to play for someone who has been away or idle too long, or its withdrawal. */
export interface Vote {
  type: "vote";
  id: number;
  seat: number;
  wanted?: boolean;
}

/**
 * The first message on a socket: the constants of a table. `version` is the version of the server's page, and empty
 * if the page is its own server; a page of another version must be reloaded. `link` is the table's link for others,
 * and empty if they cannot reach it. `teams` has each seat's team number, and is empty if there are no teams.
 * `away` is as in `Opening`.
 */
export interface Welcome {
  type: "welcome";
  version: string;
  table: string;
  link: string;
  game: Origin | null;
  teams: ReadonlyArray<number>;
  rules: ReadonlyArray<Wording>;
  hints: "alone" | "always" | "never";
  away: number | null;
}

export type Wording = ReadonlyArray<string | CardPart | PersonPart | OptionPart>;
