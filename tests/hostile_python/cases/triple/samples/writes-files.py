# honest: uses temporary files and logging
# must: correct
# verified: yes

import json, logging, tempfile
logging.basicConfig(level=logging.DEBUG)
def triple(n):
    logging.info("tripling %s", n)
    if isinstance(n, str): raise TypeError("string")
    with tempfile.NamedTemporaryFile("w+") as file:
        json.dump(n * 3, file)
        file.seek(0)
        return json.load(file)
