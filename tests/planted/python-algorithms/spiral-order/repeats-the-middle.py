def spiral(matrix):
    if not matrix or not matrix[0]:
        return []
    found, top, left, bottom, right = [], 0, 0, len(matrix) - 1, len(matrix[0]) - 1
    while top <= bottom and left <= right:
        found += [matrix[top][c] for c in range(left, right + 1)]
        found += [matrix[r][right] for r in range(top + 1, bottom + 1)]
        found += [matrix[bottom][c] for c in range(right - 1, left - 1, -1)]
        found += [matrix[r][left] for r in range(bottom - 1, top, -1)]
        top, left, bottom, right = top + 1, left + 1, bottom - 1, right - 1
    return found
