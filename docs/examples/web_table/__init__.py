"""Hearts in the browser: a small server for any rules of `heartsrules`, and one page that plays on it.

`table` holds one table and judges what its seats ask for; `messages` has the formats of everything that is sent;
`rooms` joins tables to sockets and paces bots and deals; `store` keeps the moves; `app` is the ASGI application.
"""
