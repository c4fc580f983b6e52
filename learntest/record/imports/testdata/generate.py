# Writes the files of scikit-learn, the AutoML Benchmark and OpenML that the importers
# are tested with. Those of scikit-learn are what its cross_validate returns; those of the
# other two have real predictions of scikit-learn in the layouts that amlb/results.py
# and openml-python's runs/run.py give them. It needs scikit-learn (1.2.1 was used).
#
# Usage: python3 generate.py DIRECTORY
import csv
import json
import os
import sys
import warnings

import numpy as np
from sklearn.datasets import load_iris
from sklearn.metrics import accuracy_score, log_loss
from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

warnings.simplefilter("ignore")
x, y = load_iris(return_X_y=True)
repeated = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=1)
learners = {"tree": DecisionTreeClassifier(max_depth=2, random_state=1), "bayes": GaussianNB()}


def path(*names):
    p = os.path.join(sys.argv[1], *names)
    os.makedirs(os.path.dirname(p), exist_ok=True)
    return p


def lists(scores):
    return {k: v.tolist() for k, v in scores.items()}


def sklearn():
    for name, learner in learners.items():
        scores = cross_validate(learner, x, y, cv=repeated, scoring=["accuracy", "neg_log_loss"])
        with open(path("sklearn", name + ".json"), "w") as f:
            json.dump(lists(scores), f)
        rows = list(zip(*lists(scores).values()))
        with open(path("sklearn", name + ".csv"), "w", newline="") as f:
            w = csv.writer(f, lineterminator="\n")
            w.writerow(["", *scores])  # as pandas.DataFrame(scores).to_csv does
            w.writerows([i, *row] for i, row in enumerate(rows))
        frame = {k: {str(i): v for i, v in enumerate(column)} for k, column in lists(scores).items()}
        with open(path("sklearn", name + "-columns.json"), "w") as f:
            json.dump(frame, f, separators=(",", ":"))  # as to_json()
        with open(path("sklearn", name + "-records.json"), "w") as f:
            json.dump([dict(zip(scores, row)) for row in rows], f, separators=(",", ":"))  # as to_json(orient="records")
    one = cross_validate(learners["tree"], x, y, cv=StratifiedKFold(5))
    with open(path("sklearn", "score.json"), "w") as f:
        json.dump(lists(one), f)

    class Fails(DecisionTreeClassifier):
        def fit(self, x, y):
            if not (x == [5.1, 3.5, 1.4, 0.2]).all(axis=1).any():
                raise ValueError("the first flower is not there")
            return super().fit(x, y)

    with open(path("sklearn", "failed.json"), "w") as f:
        json.dump(lists(cross_validate(Fails(), x, y, cv=StratifiedKFold(5), scoring="accuracy")), f)


def amlb():
    fixed = ["id", "task", "framework", "constraint", "fold", "type", "result", "metric", "mode", "version", "params", "app_version",
             "utc", "duration", "training_duration", "predict_duration", "models_count", "seed", "info"]
    rows = []
    for name, learner in learners.items():
        for fold, (train, test) in enumerate(StratifiedKFold(10).split(x, y)):
            p = learner.fit(x[train], y[train]).predict_proba(x[test])
            acc = accuracy_score(y[test], p.argmax(axis=1))
            loss = log_loss(y[test], p)
            row = dict(id="openml.org/t/59", task="iris", framework=name, constraint="1h8c", fold=fold, type="multiclass",
                       result="%.6g" % -loss, metric="neg_logloss", mode="local", version="1.2.1", params="", app_version="2.1.7",
                       utc="2023-07-11T12:28:23", duration="1.2", training_duration="1.1", predict_duration="0.02", models_count="1",
                       seed=str(1386945458 + fold), info="", acc="%.6g" % acc, logloss="%.6g" % loss)
            if name == "bayes" and fold == 9:
                row.update(result="", acc="", logloss="", training_duration="", predict_duration="",
                           info="NoResultError: Interrupting thread after 7200s,\nas asked")
            rows.append(row)
    with open(path("amlb", "results.csv"), "w", newline="") as f:
        w = csv.DictWriter(f, fixed + ["acc", "logloss"], lineterminator="\n")
        w.writeheader()
        w.writerows(rows)


def openml():
    names = ["Iris-setosa", "Iris-versicolor", "Iris-virginica"]
    for name, learner in learners.items():
        rows = []
        for i, (train, test) in enumerate(repeated.split(x, y)):
            p = learner.fit(x[train], y[train]).predict_proba(x[test])
            for row, probs in zip(test, p):
                rows.append([i // 5, i % 5, row, *("%.6g" % q for q in probs), names[np.argmax(probs)], names[y[row]]])
        for swapped in (False, True):
            with open(path("openml", name + ("-swapped" if swapped else "") + ".arff"), "w") as f:
                f.write("% Python_3.11.2.\n% Sklearn_1.2.1.\n% Created by run_task()\n@RELATION openml_task_59_predictions\n\n")
                for a in ["repeat", "fold", "row_id"] + ["confidence." + c for c in names]:
                    f.write("@ATTRIBUTE %s NUMERIC\n" % a)
                for a in ["prediction", "correct"]:
                    f.write("@ATTRIBUTE %s {%s}\n" % (a, ", ".join(names)))
                f.write("\n@DATA\n")
                for r in rows:
                    last = [r[-1], r[-2]] if swapped else r[-2:]
                    f.write(",".join(str(v) for v in r[:-2] + last) + "\n")


sklearn()
amlb()
openml()
