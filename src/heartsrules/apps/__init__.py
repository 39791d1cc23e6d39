"""The programs: command line, terminal, browser table, and a server for other languages."""
