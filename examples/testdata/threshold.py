# The age from which on most visits find an illness: python3 threshold.py TRAIN TEST PREDICTIONS
import csv
import sys

train = list(csv.DictReader(open(sys.argv[1])))


def right(age):
    return sum((float(r["age"]) >= age) == (r["ill"] == "true") for r in train)


best = max(sorted({float(r["age"]) for r in train}), key=right)
with open(sys.argv[3], "w") as out:
    for r in csv.DictReader(open(sys.argv[2])):
        out.write("true\n" if float(r["age"]) >= best else "false\n")
