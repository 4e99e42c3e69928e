"""`python -m nerv`."""

from nerv.cli.main import main

main()
