def spiral(matrix):
    found = []
    while matrix and matrix[0]:
        found += matrix.pop(0)
        found += [row.pop() for row in matrix if row]
        if matrix:
            found += matrix.pop()[::-1]
        found += [row.pop(0) for row in matrix[::-1] if row]
    return found
