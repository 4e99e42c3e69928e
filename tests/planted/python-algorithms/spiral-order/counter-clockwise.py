def spiral(matrix: list[list]) -> list:
    rows, found = [list(row) for row in matrix], []
    while rows and rows[0]:
        found += rows.pop(0)
        rows = [list(column) for column in zip(*rows[::-1])]
    return found
