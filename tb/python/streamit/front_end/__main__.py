"""python -m front_end FILE.str...: the flat graph as JSON; exit 2 with the place if the program is wrong."""

import json
import sys

from . import StreamItError, read

try:
    print(json.dumps(read(*sys.argv[1:]).to_json(), indent=1))
except StreamItError as error:
    print(error, file=sys.stderr)
    sys.exit(2)
