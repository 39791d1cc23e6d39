"""The command line, the terminal, the browser table, and the server for apps."""
