def format_table(rows):
    widths = [max(len(str(cell)) for cell in column) for column in zip(*rows)]
    lines = []
    for row in rows:
        cells = [str(c).rjust(w) if type(c) in (int, float) else str(c).ljust(w) for c, w in zip(row, widths)]
        lines.append("  ".join(cells).rstrip(" "))
    return "\n".join(lines)
