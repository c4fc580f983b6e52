# Writes the files of a search of scikit-learn, and tables in the shapes that trackers and benchmark libraries export.
# The results of the search are what scikit-learn returns: its example "Statistical comparison of models using grid
# search", with the p-values of that example's own functions beside them. The tables have real scores of scikit-learn in
# the columns that the documentation of each tool shows; README.md says where. It needs scikit-learn, scipy and pandas
# (1.2.1, 1.10.1 and 1.5.3 were used).
#
# Usage: python3 generate_tables.py DIRECTORY
import itertools
import json
import os
import sys
import warnings

import numpy as np
import pandas as pd
from scipy.stats import t
from sklearn.datasets import load_iris, make_moons
from sklearn.metrics import accuracy_score, log_loss
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

warnings.simplefilter("ignore")


def path(*names):
    p = os.path.join(sys.argv[1], *names)
    os.makedirs(os.path.dirname(p), exist_ok=True)
    return p


def search():
    x, y = make_moons(noise=0.352, random_state=1, n_samples=100)
    grid = [{"kernel": ["linear"]}, {"kernel": ["poly"], "degree": [2, 3]}, {"kernel": ["rbf"]}]
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    found = GridSearchCV(SVC(random_state=0), grid, scoring="roc_auc", cv=cv).fit(x, y)
    frame = pd.DataFrame(found.cv_results_)
    frame.to_csv(path("search", "svm.csv"))
    frame.to_json(path("search", "svm.json"))
    scores = frame.filter(regex=r"split\d*_test_score").to_numpy()
    names = [" ".join("%s=%s" % (k, p[k]) for k in sorted(p)) for p in frame["params"]]
    pairs = []
    for a, b in itertools.combinations(range(len(names)), 2):
        d = scores[a] - scores[b]
        n = len(d)
        statistic = d.mean() / np.sqrt(d.var(ddof=1) * (1 / n + 10 / 90))
        pairs.append({"a": names[a], "b": names[b], "difference": d.mean(), "statistic": statistic, "p": 2 * t.sf(abs(statistic), n - 1)})
    with open(path("search", "ttest.json"), "w") as f:
        json.dump(pairs, f, indent=1)
        f.write("\n")


def trials():
    x, y = load_iris(return_X_y=True)
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=1)
    learners = {"tree": DecisionTreeClassifier(max_depth=2, random_state=1), "bayes": GaussianNB()}
    for name, learner in learners.items():
        for i, (train, test) in enumerate(cv.split(x, y)):
            p = learner.fit(x[train], y[train]).predict_proba(x[test])
            yield name, i, accuracy_score(y[test], p.argmax(axis=1)), log_loss(y[test], p)


def tables():
    rows = list(trials())

    # A plain table, as a spreadsheet of a country with decimal points and semicolons saves it.
    plain = pd.DataFrame([("iris", n, i // 5, i % 5, acc) for n, i, acc, _ in rows], columns=["dataset", "model", "repeat", "fold", "score"])
    plain.to_csv(path("table", "plain.csv"), index=False)
    plain.to_csv(path("table", "semicolons.csv"), index=False, sep=";")

    # mlflow.search_runs().to_csv(): a run of the tracker is a fold; parameters are texts. The last row is the parent run.
    runs = []
    for k, (n, i, acc, loss) in enumerate(rows):
        runs.append({"run_id": "%032x" % (k + 1), "experiment_id": "1", "status": "FINISHED", "artifact_uri": "mlruns/1", "start_time": "2026-01-05 09:%02d:00+00:00" % k,
                     "end_time": "2026-01-05 09:%02d:30+00:00" % k, "metrics.accuracy": acc, "metrics.log_loss": loss, "params.dataset": "iris", "params.model": n,
                     "params.repeat": str(i // 5), "params.fold": str(i % 5), "tags.mlflow.runName": "%s-%d" % (n, i), "tags.level": "fold"})
    runs.append({"run_id": "%032x" % 99, "experiment_id": "1", "status": "FINISHED", "tags.mlflow.runName": "all", "tags.level": "parent"})
    pd.DataFrame(runs).to_csv(path("table", "mlflow.csv"), index=False)

    # Runs of Weights & Biases by its public API: a line of JSON with name, state, config and summary.
    with open(path("table", "wandb.jsonl"), "w") as f:
        for k, (n, i, acc, loss) in enumerate(rows):
            f.write(json.dumps({"name": "run-%d" % (k + 1), "state": "finished", "config": {"dataset": "iris", "model": n, "seed": 7 + 35 * (i // 5), "fold": i % 5},
                                "summary": {"accuracy": acc, "log_loss": loss, "_runtime": 1.5, "_step": 0}}) + "\n")

    # dvc exp show --csv: the workspace and the branch come first.
    with open(path("table", "dvc.csv"), "w") as f:
        f.write("Experiment,rev,typ,Created,parent,accuracy,log_loss,data,model,cv.repeat,cv.fold\n")
        f.write(",workspace,baseline,,,%r,%r,iris,tree,1,1\n" % rows[0][2:])
        f.write("main,23ceb4a,baseline,2026-01-05T09:00:00,,%r,%r,iris,tree,1,1\n" % rows[0][2:])
        for k, (n, i, acc, loss) in enumerate(rows):
            f.write("exp-%d,%07x,branch_commit,2026-01-05T09:%02d:00,,%r,%r,iris,%s,%d,%d\n" % (k, 0x6d13f33 + k, k, acc, loss, n, i // 5 + 1, i % 5 + 1))

    # sktime's ClassificationBenchmark: a row for each learner and task, columns for each fold.
    wide = []
    for n in ("tree", "bayes"):
        own = [r for r in rows if r[0] == n]
        row = {"validation_id": "[dataset=iris]_[cv_splitter=RepeatedStratifiedKFold]", "model_id": n, "runtime_secs": 1.25}
        for _, i, acc, _ in own:
            row["accuracy_score_fold_%d_test" % i] = acc
        row["accuracy_score_mean"] = np.mean([r[2] for r in own])
        row["accuracy_score_std"] = np.std([r[2] for r in own], ddof=1)
        for _, i, _, _ in own:
            row["fit_time_fold_%d_test" % i] = 0.5 + i / 8
        for _, i, _, _ in own:
            row["pred_time_fold_%d_test" % i] = 0.125
        wide.append(row)
    pd.DataFrame(wide).to_csv(path("table", "sktime.csv"))

    # The data of skore's metrics.summarize(): a row for each split and metric.
    long = []
    for n, i, acc, loss in rows:
        for metric, score, favorability in (("Accuracy", acc, "(↗︎)"), ("Log loss", loss, "(↘︎)")):
            long.append({"split": i, "metric": metric, "estimator_name": n, "data_source": "test", "label": None, "average": None, "output": None,
                         "score": score, "favorability": favorability})
    pd.DataFrame(long).to_csv(path("table", "skore.csv"), index=False)


search()
tables()
