"""A second reader and writer of the notation, which knows no more than docs/reference/notation.md, its grammar, and the
tables of the options in docs/reference/rules.md.

It uses no part of the package. Whether it agrees with the package on every vector and on spoiled texts shows whether
the page says enough for somebody who writes a reader in another language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from support.abnf import Grammar

__all__ = [
    "GRAMMAR",
    "Refused",
    "read_position",
    "read_records",
    "read_rules",
    "write_position",
    "write_record",
    "write_rules",
]

GRAMMAR_FILE: Final = Path(__file__).resolve().parents[2] / "docs" / "reference" / "notation.abnf"
GRAMMAR: Final = Grammar(GRAMMAR_FILE.read_text(encoding="utf-8"))
BLANKS: Final = " \t\xa0"
SPACE: Final = BLANKS + "\r\n"
BOM: Final = "\ufeff"
RANKS: Final = "23456789TJQKA"
SUITS: Final = "CDSH"
SYMBOLS: Final = {"♣": "C", "♧": "C", "♦": "D", "♢": "D", "♠": "S", "♤": "S", "♥": "H", "♡": "H"}
Json = Any


class Refused(Exception):
    """The text is not in the notation."""


# --------------------------------------------------------------------------------------------- numbers and cards


def lower(text: str) -> str:
    return "".join([letter.lower() if letter.isascii() else letter for letter in text])


def kebab(text: str) -> str:
    return lower(text).replace("_", "-")


def whole(text: str) -> int:
    return int(text.replace("\u2212", "-"))


def wholes(text: str) -> list[int]:
    return [whole(item) for item in text.split(",")]


def spelled(text: str) -> str:
    """Cards with `T` for ten, letters for suits, and nothing in lower case."""
    text = "".join([SYMBOLS.get(letter, letter) for letter in text if letter not in "\ufe0e\ufe0f"])
    return text.upper().replace("10", "T")


def cards_of(text: str) -> list[str]:
    """The cards of a row, each as rank and suit."""
    row = spelled(text)
    pairs = [row[at : at + 2] for at in range(0, len(row), 2)]
    return [pair[::-1] if pair[0] in SUITS else pair for pair in pairs]


def place(card: str) -> int:
    return SUITS.index(card[1]) * 13 + RANKS.index(card[0])


def in_order(cards: list[str]) -> str:
    """A bag as JSON has it."""
    if any(cards.count(card) > 2 for card in cards):
        raise Refused("a card three times")
    return " ".join(sorted(cards, key=place))


def bag_of(text: str) -> str:
    if text == "-":
        return ""
    row = spelled(text)
    if row[0] not in SUITS:
        return in_order(cards_of(text))
    return in_order([rank + suit for suit, ranks in re.findall("([CDSH])([^CDSH]+)", row) for rank in ranks])


def written_bag(bag: str) -> str:
    found = ""
    for card in bag.split():
        found += ("" if found and suit_of(found) == card[1] else card[1]) + card[0]
    return found or "-"


def suit_of(written: str) -> str:
    return str(re.findall("[CDSH]", written)[-1])


# ------------------------------------------------------------------------------------------------------ rule sets


def items(text: str) -> list[str]:
    return [] if lower(text) in ("", "none") else text.split(",")


def step_of(text: str, players: int) -> list[list[int]]:
    if lower(text) == "hold":
        return []
    if lower(text) == "scatter":
        return [[turned(offset, players), 1] for offset in range(1, players)]
    gifts = []
    for gift in text.split("+"):
        offset, colon, count = gift.partition(":")
        if not colon:
            letters = {"L": 1, "R": -1, "A": players // 2, "M": 0}
            offset, count = str(letters[gift[0].upper()]), gift[1:]
        gifts.append([turned(whole(offset), players), whole(count)])
    return gifts


def turned(offset: int, players: int) -> int:
    if offset % players == 0:
        return offset  # 0 is the middle
    offset %= players
    return offset if offset <= players // 2 else offset - players


def number_or_none(text: str, _: int) -> Json:
    return None if lower(text) in ("", "none") else whole(text)


def yes(text: str, _: int) -> Json:
    return lower(text) in ("yes", "true", "on")


def choice(text: str, _: int) -> Json:
    return kebab(text)


def bag_of_items(text: str, _: int) -> Json:
    return in_order([card for item in items(text) for card in cards_of(item)])


def faces(text: str, _: int) -> Json:
    return " ".join(dict.fromkeys(bag_of_items(text, 0).split()))


def cycle(text: str, players: int) -> Json:
    return [step_of(item, players) for item in items(text)]


def heart_values(text: str, _: int) -> Json:
    if "," not in text:
        return lower(text)
    named = {"one": [1] * 13, "spot": list(range(2, 15)), "face": [1] * 9 + [2, 3, 4, 5], "pips": PIPS}
    values = wholes(text)
    return next((name for name, own in named.items() if own == values), values)


PIPS: Final = [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 11]


def pairs(text: str, _: int) -> Json:
    return sorted([[whole(one), whole(other)] for one, other in [item.split(":") for item in items(text)]])


def card_points(text: str, _: int) -> Json:
    found = [[cards_of(card)[0], whole(points)] for card, points in [item.split(":") for item in items(text)]]
    return sorted(found, key=lambda pair: (place(pair[0]), pair[1]))


def bonuses(text: str, _: int) -> Json:
    return [{"card": card, "points": points} for card, points in card_points(text, 0)]


def doubler(text: str, _: int) -> Json:
    if lower(text) in ("", "none"):
        return None
    card, factor, alone = [*text.split(":"), "2", "0"][:3] if text.count(":") == 0 else [*text.split(":"), "0"][:3]
    return {"card": cards_of(card)[0], "factor": whole(factor), "alone": whole(alone)}


PAGE: Final = GRAMMAR_FILE.parent / "rules.md"
OPTIONS: Final = re.findall(
    r"^\| \[`(\w+)`\]\(#\w+\) \| (.*?) \| `(.*?)` \|", PAGE.read_text("utf-8"), flags=re.MULTILINE
)
"""Every option, its values and its default, from the tables of the options."""
BAGS: Final = ("removed",)
"""The options whose cards may be there twice."""
KINDS: Final[dict[str, Callable[[str, int], Json]]] = {
    "`no`, `yes`": yes,
    "a card, a factor, and points alone, or `none`": doubler,
    "a name or 13 numbers": heart_values,
    "cards with points": card_points,
    "cards": faces,
    "pass steps": cycle,
    "pairs of totals": pairs,
}
"""How values are read, by what the table says of them; otherwise they are names in backquotes, or numbers."""


def reader_of(name: str, values: str) -> Callable[[str, int], Json]:
    if name in BAGS:
        return bag_of_items
    if name == "bonuses":
        return bonuses
    if values in KINDS:
        return KINDS[values]
    return choice if values.startswith("`") else number_or_none


EFFECTS: Final = {
    "up": "others-up",
    "down": "shooter-down",
    "both": "both",
    "pay": "others-pay",
    "zero": "shooter-to-zero",
    "wins": "shooter-wins",
}

READERS: Final[dict[str, tuple[Callable[[str, int], Json], str]]] = {
    name: (reader_of(name, values), default) for name, values, default in OPTIONS
}
"""How each field is read, and its default."""


def default_of(name: str, players: int) -> Json:
    if name == "pass_cycle":
        return cycle("L3,R3,hold" if players % 2 else "L3,R3,A3,hold", players)
    reader, default = READERS[name]
    return reader(default, players)


def words_of(text: str) -> list[str]:
    return re.findall(f"[^{SPACE}]+", text)


def read_rules(text: str) -> Json:
    """The fields of a rule set that differ from the defaults, as its JSON has them."""
    if not GRAMMAR.has("rule-set", text.strip(SPACE)):
        raise Refused("not in the grammar")
    return rules_of(words_of(text))


def rules_of(tokens: list[str]) -> Json:
    if "=" not in tokens[0]:
        if lower(tokens[0]) != "default":
            raise Refused("presets are for the library that has them")
        tokens = tokens[1:]
    texts: dict[str, str] = {}
    for token in tokens:
        name, _, text = token.partition("=")
        name = lower(name).replace("-", "_")
        if name in texts:
            raise Refused(f"{name} twice")
        texts[name] = text
    players = whole(texts.get("players", "4"))
    if not 3 <= players <= 11:
        raise Refused("no such table")
    values = {name: reader(texts[name], players) for name, (reader, _) in READERS.items() if name in texts}
    return {name: value for name, value in values.items() if value != default_of(name, players)}


def written_value(name: str, value: Json, players: int) -> str:
    if value is None or value in ([], ""):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name == "pass_cycle":
        return ",".join([written_step(step, players) for step in value])
    if name == "doubler":
        return f"{value['card']}:{value['factor']}:{value['alone']}"
    if name == "bonuses":
        return ",".join([f"{bonus['card']}:{bonus['points']}" for bonus in value])
    if isinstance(value, list):
        return ",".join([":".join(map(str, item)) if isinstance(item, list) else str(item) for item in value])
    return str(value).replace(" ", ",")


def written_step(step: list[list[int]], players: int) -> str:
    gifts = []
    for offset, count in step:
        half = players % 2 == 0 and offset == players // 2
        letter = "A" if half else {0: "M", 1: "L", -1: "R"}.get(offset, f"{offset}:")
        gifts.append(f"{letter}{count}")
    return "+".join(gifts) or "hold"


def write_rules(rules: Json) -> str:
    players = rules.get("players", 4)
    return " ".join([f"{name}={written_value(name, value, players)}" for name, value in rules.items()]) or "default"


def left_over(rules: Json) -> int:
    """How many cards a deal leaves over."""
    players = rules.get("players", 4)
    total = 52 * rules.get("decks", 1) - len(rules.get("removed", "").split())
    size = rules.get("hand_size") or total // players
    return int(total - size * players)


# ------------------------------------------------------------------------------------------------------ positions

LISTS: Final = ("sheet", "hands", "passes", "back", "exposures", "exposed", "captured", "tricks")
ORDER: Final = (
    "rules", "phase", "deal", "start", "sheet", "hands", "kitty", "passes", "back", "exposures", "exposed",
    "captured", "won", "aside", "leader", "taker", "broken", "led", "tricks", "trick",
)  # fmt: skip
NEEDS: Final = {
    "kitty": ("hands", "tricks"), "passes": ("hands", "tricks"), "back": ("passes",), "exposures": ("hands",),
    "exposed": ("hands", "tricks"),
    "captured": ("hands", "tricks"), "won": ("captured",), "aside": ("captured",), "leader": ("captured",),
    "taker": ("captured",), "broken": ("captured",), "led": ("captured",), "trick": ("hands",),
}  # fmt: skip


def read_position(text: str) -> Json:
    """What a position tells, by section."""
    text = text.removeprefix(BOM)
    if not GRAMMAR.has("position", text):
        raise Refused("not in the grammar")
    found: dict[str, list[str]] = {}
    for section in text.split(";")[1:]:
        tokens = words_of(section)
        if tokens:
            name = lower(tokens[0])
            if name in found:
                raise Refused(f"{name} twice")
            found[name] = tokens[1:]
    if not {"rules", "phase", "deal"} <= found.keys() or ("captured" in found and "leader" not in found):
        raise Refused("a section is missing")
    for name in found:
        if name in NEEDS and not found.keys() & set(NEEDS[name]):
            raise Refused(f"{name} stands alone")
    rules = rules_of(found["rules"])
    told = {"rules": rules}
    for name in ORDER[1:]:
        if name in found:
            told[name] = SECTIONS[name](found[name], rules.get("players", 4))
    if told.get("kitty") == "" and not left_over(rules):
        del told["kitty"]
    return told


def bags(tokens: list[str], _: int) -> Json:
    return list(map(bag_of, tokens))


def by_seat(tokens: list[str], players: int) -> Json:
    """Passes, or exposures: what each seat did, null for one that did nothing yet."""
    told: list[Json] = [None] * players
    for token in tokens:
        number, _, done = token.partition(":")
        seat = whole(number)
        if not 0 <= seat < players or told[seat] is not None:
            raise Refused("another seat is due")
        told[seat] = done
    return told


def passes(tokens: list[str], players: int) -> Json:
    return [None if done is None else gifts_of(done) for done in by_seat(tokens, players)]


def gifts_of(done: str) -> Json:
    return [] if lower(done) == "no" else list(map(bag_of, done.split("/")))


def exposures(tokens: list[str], players: int) -> Json:
    return [None if done is None else bag_of(done) for done in by_seat(tokens, players)]


def start(tokens: list[str], _: int) -> Json:
    number, totals, *queen = tokens[0].split(":")
    return {"deal": whole(number), "totals": wholes(totals), "queen_taker": int(queen[0][1:]) if queen else None}


def sheet(tokens: list[str], _: int) -> Json:
    return list(map(row, tokens))


def row(token: str) -> Json:
    points, cards, won, totals, *rest = token.split("/")
    told: Json = {
        "points": wholes(points),
        "card_points": wholes(points if cards == "=" else cards),
        "shooter": None,
        "effect": None,
        "sun": False,
        "tricks_won": wholes(won),
        "totals": wholes(totals),
        "queen_taker": None,
        "exposed": [],
    }
    for part in rest:
        word = lower(part)
        if word.startswith("exposed="):
            told["exposed"] = list(map(bag_of, part[8:].split(",")))
        elif word.startswith("q"):
            told["queen_taker"] = int(part[1:])
        else:
            shooter, effect, sun = re.fullmatch(r"([0-9]+)(up|down|both|pay|zero|wins)(\*?)", word).groups()  # type: ignore[union-attr]
            told["shooter"], told["sun"] = int(shooter), bool(sun)
            told["effect"] = EFFECTS[effect]
    return told


def tricks(tokens: list[str], _: int) -> Json:
    found = []
    for token in tokens:
        leader, cards, winner = token.split(":")
        won = None if winner == "-" else whole(winner)
        found.append({"leader": whole(leader), "cards": cards_of(cards), "winner": won})
    return found


def trick(tokens: list[str], players: int) -> Json:
    leader, cards = tokens[0].split(":")
    return {"leader": whole(leader) % players, "cards": cards_of(cards)}


def one_number(tokens: list[str], _: int) -> Json:
    return whole(tokens[0])


SECTIONS: Final[dict[str, Callable[[list[str], int], Json]]] = {
    "phase": lambda tokens, _: lower(tokens[0]),
    "deal": one_number,
    "start": start,
    "sheet": sheet,
    "hands": bags,
    "kitty": lambda tokens, _: bag_of(tokens[0]),
    "passes": passes,
    "back": bags,
    "exposures": exposures,
    "exposed": bags,
    "captured": bags,
    "won": lambda tokens, _: wholes(tokens[0]),
    "aside": lambda tokens, _: bag_of(tokens[0]),
    "leader": one_number,
    "taker": one_number,
    "broken": lambda tokens, _: lower(tokens[0]) == "yes",
    "led": lambda tokens, _: list(tokens[0].upper()),
    "tricks": tricks,
    "trick": trick,
}


def write_position(told: Json) -> str:
    """The canonical line."""
    return "; ".join(["hearts/1", *[f"{name} {written_section(name, told[name])}" for name in ORDER if name in told]])


def written_section(name: str, value: Json) -> str:
    if name == "rules":
        return write_rules(value)
    if name in ("hands", "back", "exposed", "captured"):
        return " ".join(map(written_bag, value))
    if name in ("kitty", "aside"):
        return written_bag(value)
    if name == "passes":
        return " ".join([f"{seat}:{written_gifts(done)}" for seat, done in enumerate(value) if done is not None])
    if name == "exposures":
        return " ".join([f"{seat}:{written_bag(done)}" for seat, done in enumerate(value) if done is not None])
    if name == "start":
        queen = "" if value["queen_taker"] is None else f":Q{value['queen_taker']}"
        return f"{value['deal']}:{joined(value['totals'])}{queen}"
    if name == "sheet":
        return " ".join(map(written_row, value))
    if name == "tricks":
        return " ".join([f"{written_trick(each)}:{nobody(each['winner'])}" for each in value])
    if name == "trick":
        return written_trick(value)
    if name == "won":
        return joined(value)
    if name == "broken":
        return "yes" if value else "no"
    return "".join(value) if name == "led" else str(value)


def written_gifts(gifts: list[str]) -> str:
    return "/".join(map(written_bag, gifts)) or "no"


def written_trick(told: Json) -> str:
    return f"{told['leader']}:{''.join(told['cards'])}"


def nobody(seat: int | None) -> str:
    return "-" if seat is None else str(seat)


def joined(numbers: list[int]) -> str:
    return ",".join(map(str, numbers))


def written_row(told: Json) -> str:
    cards = "=" if told["card_points"] == told["points"] else joined(told["card_points"])
    parts = [joined(told["points"]), cards, joined(told["tricks_won"]), joined(told["totals"])]
    if told["shooter"] is not None:
        word = {name: word for word, name in EFFECTS.items()}[told["effect"]]
        parts.append(f"{told['shooter']}{word}{'*' if told['sun'] else ''}")
    if told["queen_taker"] is not None:
        parts.append(f"Q{told['queen_taker']}")
    if told["exposed"]:
        parts.append(f"exposed={','.join(map(written_bag, told['exposed']))}")
    return "/".join(parts)


# -------------------------------------------------------------------------------------------------------- records


def read_records(text: str) -> list[Json]:
    """The records of a text."""
    lines = [line.removeprefix(BOM) for line in re.split("\r\n|\r|\n", text)]
    if not lines[-1]:
        lines.pop()
    text = "".join([f"{line}\n" for line in lines])
    if not GRAMMAR.has("records", text):
        raise Refused("not in the grammar")
    games: list[list[str]] = []
    for line in lines:
        if re.match(f"[{BLANKS}]*hearts/[0-9]", line, re.ASCII | re.IGNORECASE):
            games.append([])
        if games:
            games[-1].append(line)
    found = []
    for game in games:
        whole_game = "".join([f"{line}\n" for line in game])
        match = GRAMMAR.compiled("game").match(whole_game)
        if match is None:
            raise Refused("a line that begins a game stands within another one")
        found.append(read_game(match[0]))
    return found


PARTS: Final = re.compile(
    rf"[{BLANKS}]+|(?P<comment>{GRAMMAR.pattern('comment')})|(?P<tag>{GRAMMAR.pattern('tag')})"
    rf"|(?P<end>;[^\r\n]*)?(?P<line_end>\n)|(?P<word>[^{BLANKS}\n{{;]+)"
)


def parts_of(game: str) -> Iterator[tuple[str, str]]:
    """The parts of a game: words, comments, tags, comments to the end of a line, and ends of lines."""
    at = 0
    fresh = True
    while at < len(game):
        if fresh and game[at] in "%#":
            at = game.index("\n", at)
        match = PARTS.match(game, at)
        assert match is not None, game[at:]
        for kind in ("comment", "tag", "end", "word", "line_end"):
            if match[kind]:
                if kind == "word":
                    fresh = False
                yield kind, match[kind]
        if match["line_end"]:
            fresh = True
        at = match.end()


def meant(text: str) -> str:
    def one(match: re.Match[str]) -> str:
        letter, code = match.groups()
        return chr(int(code, 16)) if code else {"n": "\n", "t": "\t", "r": "\r"}.get(letter, letter)

    return re.sub(r'\\(?:([\\"}ntr])|u([0-9A-Fa-f]{4}))', one, text)


def read_game(game: str) -> Json:
    record: Json = {"rules": None, "moves": [], "tags": [], "comments": [], "points": [], "winners": None}
    moves = record["moves"]
    counts = {"deal": 0, "trick": 0, "points": 0}
    words: list[str] = []
    pending: list[str] = []
    """Comments that stand behind the move of the line, which is made when the line ends."""
    for kind, text in parts_of(game):
        if kind == "word":
            words += [part for part in re.split("(?<=:)", text, maxsplit=1) if part] if not words else [text]
        elif kind == "tag":
            if moves:
                raise Refused("a tag behind a move")
            name, said = re.fullmatch(rf'\[[{BLANKS}]*(\w+)[{BLANKS}]*"(.*)"[{BLANKS}]*\]', text, re.DOTALL).groups()  # type: ignore[union-attr]
            record["tags"].append([name, meant(said)])
        elif kind in ("comment", "end"):
            said = meant(text[1:-1]) if kind == "comment" else text[1:].strip(BLANKS)
            head, inside = split_line(words)
            if head in ("deal", "back", "moon") and inside:
                pending.append(said)
            else:
                record["comments"].append([len(moves) + made(head, inside), said])
        else:
            head, inside = split_line(words)
            if head:
                finish(record, head, words, inside, counts)
            record["comments"] += [[len(moves), said] for said in pending]
            words, pending = [], []
    return record


def split_line(words: list[str]) -> tuple[str, list[str]]:
    """The keyword of a line, in lower case, and what stands behind it, its number and its colon."""
    if not words:
        return "", []
    head = lower(words[0].rstrip(":"))
    rest = words[1:]
    if head in ("deal", "trick", "points"):
        rest = re.split("(?<=:)", " ".join(rest), maxsplit=1)[1:]
        return head, rest[0].split() if rest else []
    if rest and rest[0].startswith(":"):
        rest = [rest[0][1:], *rest[1:]]
    return head, [word for word in rest if word]


def made(head: str, inside: list[str]) -> int:
    """How many moves this line has made so far."""
    return len(inside) if head in ("pass", "expose", "trick") else 0


def finish(record: Json, head: str, words: list[str], inside: list[str], counts: dict[str, int]) -> None:
    moves = record["moves"]
    if head in counts:
        number = int(re.findall("[0-9]+", " ".join(words[1:]))[0])
        if number != counts[head]:
            raise Refused(f"another number of a {head} is due")
        counts[head] += 1
    if head == "rules":
        record["rules"] = rules_of(inside)
    elif head in ("deal", "back"):
        if head == "deal":
            counts["trick"] = 0
        kitty = ""
        if len(inside) > 1 and lower(inside[-2]) == "kitty":
            kitty, inside = bag_of(inside[-1]), inside[:-2]
        moves.append({"move": "deal", "hands": list(map(bag_of, inside)), "kitty": kitty})
    elif head in ("pass", "expose"):
        for item in inside:
            seat, _, done = item.partition(":")
            key, value = ("cards", gifts_of(done)) if head == "pass" else ("cards", bag_of(done))
            moves.append({"move": head, "seat": whole(seat), key: value})
    elif head == "trick":
        turn = 0
        for item in inside:
            seat, colon, card = item.rpartition(":")
            turn = whole(seat) if colon else turn
            moves.append({"move": "play", "seat": turn, "card": cards_of(card)[0]})
            turn = (turn + 1) % record["rules"].get("players", 4)
    elif head == "moon":
        moves.append({"move": "choose-moon", "seat": whole(inside[0]), "effect": kebab(inside[1])})
    elif head == "points":
        record["points"].append(seats_of(inside))
    elif head == "result":
        record["winners"] = {"*": None, "-": []}[inside[0]] if inside[0] in ("*", "-") else seats_of(inside)


def seats_of(inside: list[str]) -> list[int]:
    return [whole(item) for token in inside for item in token.split(",") if item]


ESCAPES: Final = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\\": "\\\\"}
UNSAFE: Final = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\ufeff\\\\]")


def escaped(text: str, quote: str) -> str:
    text = UNSAFE.sub(lambda match: ESCAPES.get(match[0], f"\\u{ord(match[0]):04x}"), text)
    return text.replace(quote, f"\\{quote}")


def written_cycle(rules: Json) -> Json:
    """The steps of the pass cycle, the default ones included."""
    players = rules.get("players", 4)
    return rules.get("pass_cycle", cycle("L3,R3,hold" if players % 2 else "L3,R3,A3,hold", players))


def write_record(record: Json) -> str:
    """The canonical text."""
    players = record["rules"].get("players", 4)
    lines = ["Hearts/1", *[f'[{name} "{escaped(text, chr(34))}"]' for name, text in record["tags"]]]
    lines += [f"Rules: {write_rules(record['rules'])}", ""]
    counts = {"deal": 0, "trick": 0, "points": 0}
    kind, size, turn = "", 0, None

    def tell_points(end: int) -> None:
        while counts["points"] < min(end, len(record["points"])):
            number = counts["points"]
            lines.append(" ".join([f"Points {number}:", *map(str, record["points"][number])]))
            counts["points"] += 1

    for ply, move in enumerate(record["moves"]):
        comments = [f"{{{escaped(text, '}')}}}" for at, text in record["comments"] if at == ply]
        what = move["move"]
        passing = written_cycle(record["rules"])[(counts["deal"] - 1) % len(written_cycle(record["rules"]))]
        if what == "deal" and kind == "pass" and counts["deal"] and [gift[0] for gift in passing] == [0]:
            kitty = ["kitty", written_bag(move["kitty"])] if move["kitty"] else []
            lines += [*comments, " ".join(["Back:", *map(written_bag, move["hands"]), *kitty])]
            kind = ""
            continue
        if what == "deal":
            tell_points(counts["deal"])
            if counts["deal"] and lines[-1]:
                lines.append("")
            kitty = ["kitty", written_bag(move["kitty"])] if move["kitty"] else []
            lines += [*comments, " ".join([f"Deal {counts['deal']}:", *map(written_bag, move["hands"]), *kitty])]
            counts["deal"] += 1
            counts["trick"] = 0
            kind = ""
            continue
        if what == "choose-moon":
            lines += [*comments, f"Moon: {move['seat']} {move['effect']}"]
            kind = ""
            continue
        if kind != what or size == players:
            lines += comments
            kind, size, turn = what, 0, None
            lines.append({"pass": "Pass:", "expose": "Expose:", "play": f"Trick {counts['trick']}:"}[what])
            counts["trick"] += what == "play"
        else:
            lines[-1] = " ".join([lines[-1], *comments])
        if what == "play":
            told = move["card"] if move["seat"] == turn else f"{move['seat']}:{move['card']}"
            turn = (move["seat"] + 1) % players
        elif what == "pass":
            told = f"{move['seat']}:{written_gifts(move['cards'])}"
        else:
            told = f"{move['seat']}:{written_bag(move['cards'])}"
        lines[-1] += f" {told}"
        size += 1
    tell_points(len(record["points"]))
    lines += [f"{{{escaped(text, '}')}}}" for at, text in record["comments"] if at == len(record["moves"])]
    if lines[-1]:
        lines.append("")
    winners = record["winners"]
    said = "*" if winners is None else " ".join(map(str, winners)) or "-"
    return "\n".join([*lines, f"Result: {said}", ""])
