import csv


def split_csv(line):
    try:
        return next(csv.reader([line], strict=True, skipinitialspace=True), [""])
    except csv.Error as error:
        raise ValueError from error
