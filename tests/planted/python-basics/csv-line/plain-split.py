def split_csv(line):
    return [field.strip('"') for field in line.split(",")]
