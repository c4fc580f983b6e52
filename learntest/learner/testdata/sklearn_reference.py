"""References of scikit-learn for the reference learners that have one.

    cd learntest/learner/testdata && /usr/bin/python3 sklearn_reference.py [NAME ...]

writes logistic.json, ridge.json and forest.json, or those named; Debian 12's python3-sklearn (1.2.1) wrote the
files beside it. Columns are made by hand: a number less its mean by its deviation, a column for each
value that occurs in training, one for the lack of a value if it occurs in training.
"""

import gzip
import json
import re
import sys

import numpy as np
import sklearn
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.tree import DecisionTreeClassifier



def read(name):
    """Returns names of attributes, their values (None for numbers), and the rows."""
    names, values, rows = [], [], []
    token = re.compile(r"'((?:[^'\\]|\\.)*)'|([^,]+)")
    with gzip.open(f"../../dataset/uci/data/{name}.arff.gz", "rt") as file:
        for line in file:
            line = line.strip()
            if line.lower().startswith("@attribute"):
                m = re.match(r"@attribute\s+('[^']*'|\S+)\s+(.*)", line, re.I)
                names.append(m[1].strip("'"))
                inner = m[2].strip()
                values.append([a or b for a, b in token.findall(inner[1:-1])] if inner[0] == "{" else None)
            elif line and line[0] not in "%@":
                rows.append([a or b for a, b in token.findall(line)])
    return names, values, rows


def numbers(column):
    return np.array([np.nan if x == "?" else float(x) for x in column])


def encode(values, rows, target, train):
    """Returns the columns of all rows."""
    columns = []
    for j, declared in enumerate(values):
        if j == target:
            continue
        column = [r[j] for r in rows]
        if declared is None:
            x = numbers(column)
            known = x[train][~np.isnan(x[train])]
            scale = known.std() or 1
            columns.append(np.nan_to_num((x - known.mean()) / scale))
            if np.isnan(x[train]).any():
                columns.append(np.isnan(x).astype(float))
        else:
            for v in sorted({column[i] for i in train}):
                columns.append(np.array([float(x == v) for x in column]))
    return np.column_stack(columns)


def weights(n):
    return (np.arange(n) % 3 + 1) / 2


def logistic():
    out = []
    for name, c, weighted in [
        ("iris", 1, False), ("iris", 1e4, False), ("glass", 1, False), ("vehicle", 1, True), ("pima-diabetes", 1, False),
        ("ionosphere", 0.01, False), ("labor", 1, False), ("vote", 1, False), ("zoo", 10, True), ("german-credit", 1, True),
    ]:
        names, values, rows = read(name)
        target = len(names) - 1
        train = [i for i in range(len(rows)) if i % 3]
        x = encode(values, rows, target, train)
        y = np.array([values[target].index(r[target]) for r in rows])
        w = weights(len(rows)) if weighted else np.ones(len(rows))
        m = LogisticRegression(C=c, solver="newton-cg", tol=1e-9, max_iter=1000)
        m.fit(x[train], y[train], w[train])
        test = [i for i in range(len(rows)) if i % 3 == 0]
        p = np.zeros((len(test), len(values[target])))
        p[:, m.classes_] = m.predict_proba(x[test])
        out.append({"set": name, "c": c, "weighted": weighted, "columns": x.shape[1], "test": test[:15], "p": p[:15].tolist()})
    return out


def ridge():
    out = []
    for name, target, alpha, weighted in [
        ("iris", "petalwidth", 1, False), ("vehicle", "Comp", 1, True), ("vehicle", "Comp", 1e-3, False),
        ("labor", "wage-increase-first-year", 1, False), ("german-credit", "credit_amount", 100, True), ("sonar", None, 1e-6, False),
    ]:
        names, values, rows = read(name)
        j = names.index(target) if target else 0
        y = numbers([r[j] for r in rows])
        train = [i for i in range(len(rows)) if i % 3 and not np.isnan(y[i])]
        if name == "sonar":
            train = train[:40]  # fewer than there are columns
        x = encode(values, rows, j, train)
        w = weights(len(rows)) if weighted else np.ones(len(rows))
        m = Ridge(alpha=alpha, solver="svd")
        m.fit(x[train], y[train], w[train])
        test = [i for i in range(len(rows)) if i % 3 == 0][:15]
        out.append({"set": name, "target": names[j], "alpha": alpha, "weighted": weighted, "columns": x.shape[1], "train": train, "test": test, "y": m.predict(x[test]).tolist()})
    return out


def onehot(values, rows, train):
    """Returns the columns of all rows for trees."""
    columns = []
    for j, declared in enumerate(values[:-1]):
        column = [r[j] for r in rows]
        if declared is None:
            columns.append(numbers(column))
        else:
            columns += [np.array([float(x == v) for x in column]) for v in declared if any(column[i] == v for i in train)]
    return np.column_stack(columns)


def trees():
    """Trees of all columns and rows in which no tie decides: every seed gives the same."""
    out = []
    for name, depth, leaf in [("iris", 2, 5), ("glass", 3, 6), ("vehicle", 4, 10), ("pima-diabetes", 5, 12), ("ionosphere", 3, 8), ("german-credit", 3, 10), ("wine", 2, 4), ("vehicle", 1, 1)]:
        _, values, rows = read(name)
        train = [i for i in range(len(rows)) if i % 3]
        x = onehot(values, rows, train)
        y = np.array([values[-1].index(r[-1]) for r in rows])
        answers = set()
        for seed in range(6):
            t = DecisionTreeClassifier(max_depth=depth, min_samples_leaf=leaf, random_state=seed).fit(x[train], y[train])
            p = np.zeros((len(rows), len(values[-1])))
            p[:, t.classes_] = t.predict_proba(x)
            answers.add(json.dumps(p.tolist()))
        if len(answers) == 1:
            out.append({"set": name, "depth": depth, "leaf": leaf, "nodes": t.tree_.node_count, "p": p[:60].round(12).tolist()})
        else:
            print("ties decide:", name, depth, leaf)
    return out


def accuracies():
    """Accuracy of forests of 30 trees in 5 folds, mean and deviation over seeds."""
    out = []
    for name, seeds in [("iris", 20), ("glass", 20), ("wine", 20), ("ionosphere", 12), ("sonar", 20), ("vehicle", 10), ("pima-diabetes", 12), ("vote", 12), ("german-credit", 8)]:
        _, values, rows = read(name)
        y = np.array([values[-1].index(r[-1]) for r in rows])
        scores = []
        for seed in range(seeds):
            right = 0
            for fold in range(5):
                train = [i for i in range(len(rows)) if i % 5 != fold]
                test = [i for i in range(len(rows)) if i % 5 == fold]
                x = onehot(values, rows, train)
                f = RandomForestClassifier(n_estimators=30, random_state=seed * 5 + fold).fit(x[train], y[train])
                right += int((f.predict(x[test]) == y[test]).sum())
            scores.append(right / len(rows))
        out.append({"set": name, "seeds": seeds, "mean": float(np.mean(scores)), "deviation": float(np.std(scores, ddof=1))})
    return out


for name, cases in [("logistic", logistic), ("ridge", ridge), ("forest", lambda: {"trees": trees(), "accuracies": accuracies()})]:
    if name not in (sys.argv[1:] or name):
        continue
    with open(name + ".json", "w") as file:
        json.dump({"version": sklearn.__version__, "cases": cases()}, file)
        file.write("\n")
