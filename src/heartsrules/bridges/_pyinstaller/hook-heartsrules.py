"""The hook for every program that imports the package.

Compiled modules need the packages and modules listed here. Modules that need an extra are frozen only if a program
imports them.
"""

from heartsrules.bridges._pyinstaller import data, library, modules

datas = data()
hiddenimports = [
    *modules(
        "analysis", "base", "chance", "formats/notation", "messages", "pictures", "play", "rules", "setup", "views"
    ),
    *library(),
    "heartsrules.bridges._actions",
    "abc",
    "contextlib",
    "contextvars",
    "hashlib",
    "inspect",
    "random",
    "struct",
    "types",
]
