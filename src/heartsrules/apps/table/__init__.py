"""Hearts in the browser: a small server for any rules of `heartsrules`, and a page to play on.

`heartsrules table` starts it (extra `web`). It uses only the public API. From the bottom: `seats` and `log` are values;
`messages` builds and reads all messages; `table` judges the requests at one table; `storage`, `connection` and `bots`
are the interfaces that a server implements; `room` runs one table with its sockets, `rooms` runs all of them, and
`answering` answers the pages' requests. There are two servers: `app`, the ASGI application, with the database of
`store` and the processes of `thinkers`; and `in_page`, which runs in the page itself.
"""

from heartsrules.base.extras import needs

with needs("web", "the browser table"):
    import msgspec  # noqa: F401 (all messages need it; in a page the rest of the extra is not there)
