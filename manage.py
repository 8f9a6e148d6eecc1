#!/usr/bin/env python
"""The command `pawsmith` in a checkout."""

from pawsmith.__main__ import main

if __name__ == "__main__":
    main()
