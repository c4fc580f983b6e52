"""Serves a scikit-learn estimator: sklearn_shim.py [--frame] ESTIMATOR [PARAMETER=VALUE ...]

ESTIMATOR is a class of scikit-learn, or any class or function with its module that returns an estimator, such as a
pipeline, when it is called with the parameters: xgboost.XGBClassifier, or mymodels.forest of mymodels.py beside this file or
in the working directory. random_state, of every part where it is None, is set from the seed of the trial.
Nominal attributes become an indicator for each value, NaN where the value is missing. With --frame, examples come as a
pandas.DataFrame instead, in which they are categories.
"""
import ast, difflib, importlib, inspect, json, os, sys
import numpy as np, sklearn.base, sklearn.utils

class Wrong(Exception):
    """A fault of the arguments, in a sentence."""

answers = os.fdopen(os.dup(1), "w")  # whatever else is printed goes to standard error
os.dup2(2, 1)
sys.path.append(os.getcwd())
frame = sys.argv[1:2] == ["--frame"]
given = sys.argv[1 + frame:]
if frame:
    import pandas
parameters, tables, make, seeded, model, classes = {}, {}, None, False, None, 0
for key, _, text in (a.partition("=") for a in given[1:]):
    try:
        parameters[key] = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        parameters[key] = text

def missing(what, name, names, remedy):
    close = difflib.get_close_matches(name, names, 1)
    return Wrong(f"{what} {name}: " + (f"did you mean {close[0]}?" if close else remedy))

def find():
    """Returns what makes estimators."""
    if not given:
        raise Wrong("no estimator: name a class of scikit-learn, or module.name of another")
    module, _, name = given[0].rpartition(".")
    try:
        names = vars(importlib.import_module(module)) if module else dict(sklearn.utils.all_estimators())
    except ModuleNotFoundError as e:
        if not (module + ".").startswith(f"{e.name}."):
            raise
        raise Wrong(f"there is no module {e.name}: {e.name}.py must be beside {os.path.basename(__file__)} or in the working directory, or the module installed")
    if name not in names:
        raise missing((module or "scikit-learn") + " has no", name, names, "name a class of scikit-learn, or module.name of another")
    known = inspect.signature(names[name]).parameters
    for key in parameters:
        if key not in known and not any(p.kind == p.VAR_KEYWORD for p in known.values()):
            raise missing(f"{name} has no parameter", key, known, "it has " + (", ".join(known) or "none"))
    return names[name]

def build(seed):
    """Returns an estimator with its random states."""
    e = make(**{**({"random_state": seed} if seeded else {}), **parameters})
    if isinstance(e, type) or not hasattr(e, "fit") or not hasattr(e, "predict"):
        raise Wrong(f"{given[0]} returns {e!r:.60}, which is no estimator: it has no fit and predict")
    states = e.get_params() if hasattr(e, "get_params") else {}
    states = sorted(k for k, v in states.items() if v is None and k.split("__")[-1] == "random_state")
    seeds = np.random.RandomState(seed)  # each part has its own
    return e.set_params(**{k: int(seeds.randint(1 << 31)) for k in states}) if states else e

def matrix(m):
    columns = []
    for attribute, column in zip(m["attributes"], m["columns"]):
        x = np.array(column, dtype=float)  # null becomes NaN
        if frame:
            codes = np.where(np.isnan(x), -1, x).astype(int)
            columns.append(pandas.Series(pandas.Categorical.from_codes(codes, attribute["values"]) if "values" in attribute else x, name=attribute["name"]))
        else:
            columns += [np.where(np.isnan(x), x, x == v) for v in range(len(attribute["values"]))] if "values" in attribute else [x]
    return pandas.concat(columns, axis=1) if frame else np.column_stack(columns), len(m["target"].get("values", []))

def pick(m):
    x = tables[m["table"]][0]
    return x.iloc[m["rows"]] if frame else x[m["rows"]]

def hello(m):
    global make, seeded
    make = find()
    seeded = "random_state" in inspect.signature(make).parameters
    e = build(0)
    kind = "numbers" if sklearn.base.is_regressor(e) else "classes"
    weights = "sample_weight" in inspect.signature(e.fit).parameters
    return dict(protocol=1, name=f"{given[0].rpartition('.')[2]}, scikit-learn {sklearn.__version__}", predicts=[kind], tables=True, weights=weights, numbers=m["numbers"])

def table(m):
    tables[m["table"]] = matrix(m)
    return {}

def fit(m):
    global model, classes
    model, classes = None, tables[m["table"]][1]
    weights = {"sample_weight": m["weights"]} if "weights" in m else {}
    model = build(m["seed31"]).fit(pick(m), np.array(m["labels"]), **weights)
    return dict(gives="values" if not classes else "probabilities" if hasattr(model, "predict_proba") else "labels")

def predict(m):
    x = pick(m)
    if not classes or not hasattr(model, "predict_proba"):
        return {"labels" if classes else "values": model.predict(x).tolist()}
    p = np.zeros((len(x), classes))
    p[:, model.classes_] = model.predict_proba(x)  # classes that were absent have probability 0
    return dict(probabilities=p.tolist())

def sentence(e):
    text = " ".join(("" if isinstance(e, Wrong) else type(e).__name__ + ": ").split() + str(e).split())
    return text.split(" contains NaN")[0] + ' contains NaN: see docs/process.md of learnbench, "Missing values"' if " contains NaN" in text else text

for line in sys.stdin:
    m = {}
    try:
        m = json.loads(line)
        text = json.dumps({"id": m["id"], **{"hello": hello, "table": table, "fit": fit, "predict": predict}[m["op"]](m)}, allow_nan=False)
    except Exception as e:
        text = json.dumps({"id": m.get("id"), "error": sentence(e)})
    print(text, file=answers, flush=True)
