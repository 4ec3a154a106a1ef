"""fetch.py URL: by urllib, whose proxy is that of the environment."""

import sys
import urllib.request

with urllib.request.urlopen(sys.argv[1]) as answer:
    print(answer.status, answer.read().decode(), end="")
