"""`python -m forgetest`."""

from forgetest.cli.main import main

main()
