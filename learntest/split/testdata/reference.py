"""An independent implementation of the specification in the documentation of
package split. Its output is golden.json:  python3 reference.py > golden.json
"""
import hashlib
import json
import math
import struct

M64 = 2**64 - 1


class SplitMix64:
    def __init__(self, kind, seed, run):
        text = f"learnbench split v1 {kind} seed={seed} run={run}"
        self.state = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & M64
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & M64
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & M64
        return z ^ (z >> 31)

    def below(self, m):
        while True:
            x = self.next()
            if x >= 2**64 % m:
                return x % m


class Java:
    def __init__(self, seed):
        self.state = (seed ^ 0x5DEECE66D) & (2**48 - 1)

    def below(self, m):  # nextInt(m)
        while True:
            self.state = (self.state * 0x5DEECE66D + 11) & (2**48 - 1)
            bits = self.state >> 17
            if m & (m - 1) == 0:
                return (m * bits) >> 31
            if bits - bits % m + (m - 1) < 2**31:
                return bits % m


def shuffle(a, rng):
    for i in range(len(a) - 1, 0, -1):
        j = rng.below(i + 1)
        a[i], a[j] = a[j], a[i]


def members(codes):
    return [[i for i, c in enumerate(codes) if c == code] for code in sorted(set(codes))]


def complement_folds(n, tests):
    return [([i for i in range(n) if i not in set(t)], sorted(t)) for t in tests]


def cv(rng, n, classes, folds):
    order = list(range(folds))
    shuffle(order, rng)
    tests, t = [[] for _ in range(folds)], 0
    for cls in classes:
        cls = cls[:]
        shuffle(cls, rng)
        for i in cls:
            tests[order[t % folds]].append(i)
            t += 1
    return complement_folds(n, tests)


def subsample(rng, n, classes, train):
    size = math.floor(train * n + 0.5)
    places = [size * len(c) // n for c in classes]
    order = list(range(len(classes)))
    shuffle(order, rng)
    order.sort(key=lambda c: -(size * len(classes[c]) % n))
    for c in order[: size - sum(places)]:
        places[c] += 1
    test = []
    for cls, k in zip(classes, places):
        cls = cls[:]
        shuffle(cls, rng)
        test += cls[k:]
    return complement_folds(n, [test])


def groups(rng, n, classes, grps, folds):
    order = list(range(folds))
    shuffle(order, rng)
    queue = list(range(len(grps)))
    shuffle(queue, rng)
    queue.sort(key=lambda g: -len(grps[g]).bit_length())
    tests = [[] for _ in range(folds)]

    def rank(fold, g):
        cost = 0.0
        if len(classes) > 1:
            cost = len(tests[fold]) * len(grps[g]) / n
            for cls in classes:
                s = len(set(grps[g]) & set(cls))
                if s > 0:
                    cost += len(set(tests[fold]) & set(cls)) * s / len(cls)
        return cost, len(tests[fold]), order.index(fold)

    for g in queue:
        tests[min(range(folds), key=lambda fold: rank(fold, g))] += grps[g]
    return complement_folds(n, tests)


def halves(rng, n, classes, folds):
    order = list(range(n))
    shuffle(order, rng)
    cut = (n + 1) // 2
    result = []
    for half in (set(order[:cut]), set(order[cut:])):
        own = [c for c in ([i for i in cls if i in half] for cls in classes) if c]
        tests = [test for _, test in cv(rng, n, own, folds)]
        result += [(sorted(half - set(t)), t) for t in tests]
    return result


def grouphalves(rng, n, classes, grps, folds):
    result = []
    for _, half in groups(rng, n, [list(range(n))], grps, 2):
        half = set(half)
        own = [c for c in ([i for i in cls if i in half] for cls in classes) if c]
        inside = [g for g in grps if g[0] in half]
        tests = [test for _, test in groups(rng, len(half), own, inside, folds)]
        result += [(sorted(half - set(t)), t) for t in tests]
    return result


def timeseries(n, folds, test=0, maxtrain=0, gap=0):
    t = test or n // (folds + 1)
    result = []
    for i in range(1, folds + 1):
        b = n - (folds - i + 1) * t
        a = max(0, b - gap - maxtrain) if maxtrain else 0
        result.append((list(range(a, b - gap)), list(range(b, b + t))))
    return result


def weka(rng, n, cls, folds):
    a = list(range(n))
    shuffle(a, rng)
    if cls is not None:
        i = 1
        while i < n:
            c = cls[a[i - 1]]
            for j in range(i, n):
                if cls[a[j]] == c:
                    a[i], a[j] = a[j], a[i]
                    i += 1
            i += 1
        a = [a[j] for f in range(folds) for j in range(f, n, folds)]
    result, start = [], 0
    for f in range(folds):
        end = start + n // folds + (f < n % folds)
        train = a[:start] + a[end:]
        shuffle(train, rng)
        result.append((train, a[start:end]))
        start = end
    return result


def plan(text, n, cls, grp):
    kind, *words = text.split()
    opt = dict(w.split("=") for w in words if "=" in w)
    seed, runs = int(opt["seed"]), int(opt.get("runs", opt.get("m", 1)))
    num = {k: int(v) for k, v in opt.items() if k in ("folds", "test", "maxtrain", "gap")}
    classes = [list(range(n))]
    if ("stratified" in words or kind == "halves" and "unstratified" not in words) and cls is not None:
        classes = members(cls)
    result = []
    for run in range(1, runs + 1):
        rng = SplitMix64(kind, seed, run)
        if kind == "cv":
            result.append(cv(rng, n, classes, num["folds"]))
        elif kind == "subsample":
            result.append(subsample(rng, n, classes, float(opt["train"])))
        elif kind == "groups":
            result.append(groups(rng, n, classes, members(grp), num["folds"]))
        elif kind == "halves":
            result.append(halves(rng, n, classes, num["folds"]))
        elif kind == "grouphalves":
            result.append(grouphalves(rng, n, classes, members(grp), num["folds"]))
        elif kind == "loo":
            result.append(complement_folds(n, [[i] for i in range(n)]))
        elif kind == "timeseries":
            result.append(timeseries(n, **num))
        elif kind == "weka":
            result.append(weka(Java((seed + run - 1) % 2**64), n, cls, num["folds"]))
    return result


def digest(runs):
    words = [len(runs), len(runs[0])]
    for folds in runs:
        for pair in folds:
            for s in pair:
                starts = [k for k in range(len(s)) if k == 0 or s[k] != s[k - 1] + 1]
                words.append(len(starts))
                for k, end in zip(starts, starts[1:] + [len(s)]):
                    words += [s[k], end - k]
    data = b"learnbench plan v1\n" + struct.pack(f"<{len(words)}I", *words)
    return hashlib.sha256(data).hexdigest()


PAGE = [0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2], [0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4]
SMALL = [
    "cv runs=2 folds=3 stratified seed=1 v1",
    "cv runs=2 folds=5 stratified seed=1 v1",
    "cv runs=2 folds=3 unstratified seed=1 v1",
    "cv runs=1 folds=4 stratified seed=18446744073709551615 v1",
    "subsample runs=2 train=0.7 unstratified seed=1 v1",
    "subsample runs=2 train=0.7 stratified seed=1 v1",
    "subsample runs=3 train=0.125 stratified seed=7 v1",
    "groups runs=2 folds=2 unstratified seed=1 v1",
    "groups runs=2 folds=2 stratified seed=1 v1",
    "groups runs=2 folds=3 stratified seed=1 v1",
    "halves m=2 folds=2 seed=1 v1",
    "halves m=2 folds=3 unstratified seed=1 v1",
    "grouphalves m=2 folds=2 unstratified seed=1 v1",
    "grouphalves m=2 folds=2 stratified seed=3 v1",
    "loo seed=1 v1",
    "timeseries folds=3 seed=1 v1",
    "timeseries folds=3 test=2 maxtrain=3 gap=1 seed=1 v1",
    "weka runs=2 folds=3 seed=1 v1",
    "weka runs=1 folds=5 seed=18446744073709551615 v1",
]
# n, class and group of example i; the digest only.
LARGE = [(1000, 7, "isqrt"), (1000, 0, "isqrt"), (997, 89, "square"), (251, 2, "isqrt")]
LARGE_TEXTS = [
    "cv runs=10 folds=10 stratified seed=1 v1",
    "cv runs=5 folds=2 stratified seed=2024 v1",
    "cv runs=3 folds=10 unstratified seed=0 v1",
    "subsample runs=10 train=0.9 unstratified seed=1 v1",
    "subsample runs=10 train=0.5 stratified seed=3 v1",
    "groups runs=4 folds=10 unstratified seed=1 v1",
    "groups runs=4 folds=10 stratified seed=1 v1",
    "halves m=20 folds=5 seed=1 v1",
    "halves m=3 folds=10 unstratified seed=7 v1",
    "grouphalves m=5 folds=5 unstratified seed=1 v1",
    "grouphalves m=5 folds=5 stratified seed=1 v1",
    "timeseries folds=10 maxtrain=100 gap=5 seed=1 v1",
    "weka runs=3 folds=10 seed=1 v1",
]


def main():
    print('{"note": "Do not change: results recorded with version v1 depend on it. '
          'Provenance: written by reference.py, an independent Python implementation of the package doc.",')
    print('"page": [')
    lines = []
    for text in SMALL:
        runs = plan(text, 12, *PAGE)
        lines.append(json.dumps({"protocol": text, "runs": runs, "digest": digest(runs)}))
    print(",\n".join(lines))
    print('],\n"large": [')
    lines = []
    for n, mod, grouping in LARGE:
        cls = [i * i % mod for i in range(n)] if mod else None
        grp = [math.isqrt(i) if grouping == "isqrt" else i * i % 89 for i in range(n)]
        for text in LARGE_TEXTS:
            case = {"protocol": text, "n": n, "classMod": mod, "group": grouping}
            lines.append(json.dumps(case | {"digest": digest(plan(text, n, cls, grp))}))
    print(",\n".join(lines))
    print("]}")


if __name__ == "__main__":
    main()
