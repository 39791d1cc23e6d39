"""For the command line, which imports the module of a command by its name."""

from heartsrules.bridges._pyinstaller import modules

hiddenimports = modules("apps/command_line")
