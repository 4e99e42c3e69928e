def split_csv(line: str) -> list[str]:
    fields, position = [], 0
    while True:
        if line[position : position + 1] == '"':
            field, position = _quoted(line, position + 1)
        else:
            end = line.find(",", position)
            end = len(line) if end < 0 else end
            field, position = line[position:end], end
        fields.append(field)
        if position == len(line):
            return fields
        if line[position] != ",":
            raise ValueError(f"column {position + 1}: a comma was expected")
        position += 1
        if position == len(line):
            return fields


def _quoted(line, position):
    field = ""
    while True:
        end = line.find('"', position)
        if end < 0:
            raise ValueError("a quoted field is not closed")
        field += line[position:end]
        if line[end + 1 : end + 2] != '"':
            return field, end + 1
        field, position = field + '"', end + 2
