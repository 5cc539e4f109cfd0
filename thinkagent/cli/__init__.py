"""The command line: one module a command, each reads its flags, calls the library, and renders."""
