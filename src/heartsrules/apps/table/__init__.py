"""Hearts in the browser: a small server for any rules of `heartsrules`, and one page that plays on it.

`heartsrules table` starts it (extra `web`). `table` holds one table and judges what its seats ask for; `messages` has
the formats of everything that is sent; `rooms` joins tables to sockets and paces bots and deals; `store` keeps the
moves; `app` is the ASGI application. All of it is built on the public API alone, as an app of somebody else would be.
"""

from heartsrules.base.extras import needs

with needs("web", "the browser table"):
    import starlette  # noqa: F401 (`app` imports it)
