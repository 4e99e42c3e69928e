def format_table(rows: list[list]) -> str:
    widths = [0] * max((len(row) for row in rows), default=0)
    for row in rows:
        for index, cell in enumerate(row):
            widths[index] = max(widths[index], len(str(cell)))
    return "\n".join("  ".join(map(_pad, row, widths)).rstrip(" ") for row in rows)


def _pad(cell, width):
    is_number = isinstance(cell, (int, float)) and not isinstance(cell, bool)
    return str(cell).ljust(width)
