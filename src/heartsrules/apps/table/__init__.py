"""Hearts in the browser: a small server for any rules of `heartsrules`, and one page that plays on it.

`heartsrules table` starts it (extra `web`). It uses the public API alone, as any other front end would. From the
bottom: `seats` and `log` are values, `messages` has the formats of all messages, `table` judges the requests of one
table's seats, `storage`, `connection` and `bots` say what a server asks of its surroundings, `room` runs a table with
its sockets, `rooms` all of them, and `answering` has what pages ask for. There are two servers: `app`, the ASGI
application, with the database of `store` and the processes of `thinkers`; and `in_page`, which runs in the page itself.
"""

from heartsrules.base.extras import needs

with needs("web", "the browser table"):
    import msgspec  # noqa: F401 (all messages need it; in a page the rest of the extra is not there)
