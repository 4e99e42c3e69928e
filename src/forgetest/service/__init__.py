"""`forgetest serve`: grading over HTTP.

    connection ─ http/ ─▶ Request ─ application ─▶ endpoints, doors/ ─▶ grading_queue ─▶ Grader.submit

The event loop only moves bytes and values; samples are judged where the Grader judges them.
"""
