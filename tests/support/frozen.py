"""A program that PyInstaller freezes: it plays, and uses what is found by name, files and compiled modules."""

import heartsrules as hearts
from heartsrules import analysis, bots, messages
from heartsrules.chance import RandomStream
from heartsrules.formats import wire

start = hearts.new_game(hearts.presets.cardstock())
state = hearts.apply(start, hearts.deal(start, seed="frozen"))
(seat,) = hearts.to_act(state)
view = hearts.view(state, seat)
refused = hearts.Play(seat, hearts.Card("2S"))
print(hearts.__version__, hearts.COMPILED, *[messages.text(each, "de") for each in hearts.why_illegal(view, refused)])
print(analysis.hint(analysis.assess(view, RandomStream("any"), worlds=10), "de"))
print(bots.Learned()(view, RandomStream("any")), wire.to_json(view).decode(), state)
print(view._repr_svg_(), analysis.drills()[0].judge(analysis.drills()[0].best[0]))
