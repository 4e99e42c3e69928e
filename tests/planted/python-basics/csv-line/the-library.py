import csv


def split_csv(line):
    return next(csv.reader([line]), [""])
