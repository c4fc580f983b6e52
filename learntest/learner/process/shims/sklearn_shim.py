"""Serves a scikit-learn estimator: sklearn_shim.py ESTIMATOR [PARAMETER=VALUE ...]

ESTIMATOR is a class of scikit-learn, or any with its module, as in xgboost.XGBClassifier.
Nominal attributes become an indicator for each value, NaN where the value is missing.
"""
import ast, importlib, inspect, json, os, sys, traceback
import numpy as np, sklearn.utils

answers = os.fdopen(os.dup(1), "w")  # whatever else is printed goes to standard error
os.dup2(2, 1)
module, _, name = sys.argv[1].rpartition(".")
estimator = getattr(importlib.import_module(module), name) if module else dict(sklearn.utils.all_estimators())[name]
parameters, tables, model, classes = {}, {}, None, 0
for key, _, text in (a.partition("=") for a in sys.argv[2:]):
    try:
        parameters[key] = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        parameters[key] = text

def matrix(m):
    columns = []
    for attribute, column in zip(m["attributes"], m["columns"]):
        x = np.array(column, dtype=float)  # null becomes NaN
        columns += [np.where(np.isnan(x), x, x == v) for v in range(len(attribute["values"]))] if "values" in attribute else [x]
    return np.column_stack(columns), len(m["target"].get("values", []))

def hello(m):
    kind = "numbers" if estimator._estimator_type == "regressor" else "classes"
    weights = "sample_weight" in inspect.signature(estimator.fit).parameters
    return dict(protocol=1, name=f"{name}, scikit-learn {sklearn.__version__}", predicts=[kind], tables=True, weights=weights, numbers=m["numbers"])

def table(m):
    tables[m["table"]] = matrix(m)
    return {}

def fit(m):
    global model, classes
    model, (x, classes) = None, tables[m["table"]]
    seed = {"random_state": m["seed31"]} if "random_state" in inspect.signature(estimator).parameters else {}
    weights = {"sample_weight": m["weights"]} if "weights" in m else {}
    model = estimator(**{**seed, **parameters}).fit(x[m["rows"]], np.array(m["labels"]), **weights)
    return dict(gives="values" if not classes else "probabilities" if hasattr(model, "predict_proba") else "labels")

def predict(m):
    x = tables[m["table"]][0][m["rows"]]
    if not classes or not hasattr(model, "predict_proba"):
        return {"labels" if classes else "values": model.predict(x).tolist()}
    p = np.zeros((len(x), classes))
    p[:, model.classes_] = model.predict_proba(x)  # classes that were absent have probability 0
    return dict(probabilities=p.tolist())

for line in sys.stdin:
    m = {}
    try:
        m = json.loads(line)
        text = json.dumps({"id": m["id"], **{"hello": hello, "table": table, "fit": fit, "predict": predict}[m["op"]](m)}, allow_nan=False)
    except Exception as e:
        text = json.dumps({"id": m.get("id"), "error": traceback.format_exception_only(e)[-1].strip()})
    print(text, file=answers, flush=True)
