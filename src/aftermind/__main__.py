"""`python -m aftermind`: the command line."""

from aftermind.cli.main import main

raise SystemExit(main())
