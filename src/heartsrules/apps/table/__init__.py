"""Hearts in the browser: a small server for any rules of `heartsrules`, and one page that plays on it.

`heartsrules table` starts it (extra `web`). It uses the public API alone, as any other front end would. From the
bottom: `seats` and `log` are values, `messages` has the formats of all messages, `table` judges the requests of one
table's seats, `store` is the database, `room` runs a table with its sockets, `rooms` all of them, and `app` is the ASGI
application.
"""

from heartsrules.base.extras import needs

with needs("web", "the browser table"):
    import starlette  # noqa: F401 (`app` imports it)
