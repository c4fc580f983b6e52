"""Runs repeated stratified 10-fold cross-validation of Gaussian naive Bayes, a
decision tree and nearest neighbour of scikit-learn: train, classify, count,
write a line. The tree splits by entropy and has two examples a leaf at least,
as C4.5 has; it is not pruned. Nearest neighbour scales the attributes to the
range of the training set.

Usage: loop.py RUNS OUTPUT.csv DATA.arff...
"""

import sys
import warnings

import numpy
from scipy.io import arff
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.tree import DecisionTreeClassifier


def load(path):
    """Returns the relation, the numeric attributes and the class, which is last."""
    rows, meta = arff.loadarff(path)
    *names, target = meta.names()
    x = numpy.column_stack([rows[name] for name in names])
    return meta.name, x, numpy.unique(rows[target], return_inverse=True)[1]


def main(runs, output, *paths):
    warnings.filterwarnings("ignore", message="The least populated class")
    with open(output, "w", encoding="utf-8") as out:
        print("Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Number_of_training_instances,Number_of_testing_instances,Number_correct", file=out)
        for path in paths:
            name, x, y = load(path)
            for run in range(1, int(runs) + 1):
                folds = StratifiedKFold(10, shuffle=True, random_state=run)
                for fold, (train, test) in enumerate(folds.split(x, y), 1):
                    for scheme, model in (
                        ("GaussianNB", GaussianNB()),
                        ("DecisionTreeClassifier", DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=run)),
                        ("KNeighborsClassifier", make_pipeline(MinMaxScaler(), KNeighborsClassifier(1))),
                    ):
                        correct = (model.fit(x[train], y[train]).predict(x[test]) == y[test]).sum()
                        print(name, run, fold, scheme, len(train), len(test), correct, sep=",", file=out)


main(*sys.argv[1:])
