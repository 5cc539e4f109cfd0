"""`python -m thinkagent`: the command line."""

from thinkagent.cli.main import main

main()
