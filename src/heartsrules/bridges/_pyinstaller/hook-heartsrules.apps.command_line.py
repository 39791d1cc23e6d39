"""The hook for the command line, which imports a command's module by name."""

from heartsrules.bridges._pyinstaller import modules

hiddenimports = modules("apps/command_line")
