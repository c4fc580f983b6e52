# Generates tails.tsv: exact tails and quantiles of distributions at float64
# arguments. mpmath 1.3.0, python3 tails.py
from mpmath import mp, mpf, betainc, gammainc, erfc, sqrt, log, exp, findroot, quad, loggamma

mp.dps = 60
LEAST = mpf("1e-300")


def show(kind, f, *args):
    try:
        value = f()
    except Exception:  # no convergence: far below LEAST
        return
    if value > LEAST or value == 0:
        print("\t".join([kind] + [repr(float(a)) for a in args] + [mp.nstr(value, 20)]))


def student(t, df):
    t, df = mpf(t), mpf(df)
    return betainc(df / 2, mpf(1) / 2, 0, df / (df + t * t), regularized=True) / 2


def snedecor(f, a, b):
    f, a, b = mpf(f), mpf(a), mpf(b)
    return betainc(b / 2, a / 2, 0, b / (b + a * f), regularized=True)


def integral(f, s):
    """The integral of a density f that falls from 0 on within some s."""
    parts = [k * s / 40 for k in range(80)] + [k * s / 4 for k in range(8, 161)]
    return quad(f, parts, method="gauss-legendre")


def beta(a, b, x):
    """I_x(a, b) for large a and b: quadrature over the log odds."""
    a, b, x = mpf(a), mpf(b), mpf(x)
    lb = loggamma(a + b) - loggamma(a) - loggamma(b)
    s = sqrt((a + b) / (a * b))
    top = log(x / (1 - x))
    f = lambda u: exp(lb - a * log(1 + exp(-u)) - b * log(1 + exp(u)))
    return integral(lambda d: f(top - d), s)


def gamma(a, x, side):
    """Q(a, x), or P(a, x) if side is -1, for large a: quadrature over log x."""
    a, x = mpf(a), mpf(x)
    lg, l, s = loggamma(a), log(x), 1 / sqrt(a)
    return integral(lambda d: exp(a * (l + side * d) - exp(l + side * d) - lg), s)


def quantile(sf, p, lo, hi):
    """The root of sf(exp(l)) = p, by bisection and regula falsi."""
    f = lambda l: log(sf(exp(l))) - log(mpf(p))
    lo, hi = mpf(lo), mpf(hi)
    for _ in range(60):
        m = (lo + hi) / 2
        lo, hi = (m, hi) if f(m) > 0 else (lo, m)
    return exp(findroot(f, (lo, hi), solver="anderson", tol=1e-50, verify=False))


for df in (0.5, 1, 2, 3, 5, 9, 14.5, 30, 99, 499, 1000, 1e4, 1e5):
    for t in (1e-8, 0.01, 0.3, 1, 1.9842, 3, 6, 10, 20, 40, 100, 1e3, 1e5, 1e10, 1e30):
        show("student", lambda: student(t, df), t, df)
for a, b in ((1, 5), (2, 9), (10, 5), (3, 30), (5, 99), (10, 99), (99, 10), (50, 500), (1000, 1000), (20, 10000)):
    for f in (1e-6, 0.01, 0.5, 0.9, 1, 1.1, 2, 5, 20, 100, 1e4, 1e8):
        show("f", lambda: snedecor(f, a, b), f, a, b)
for a, b in ((25000, 25000), (1e6, 1e6), (1e6, 10), (5e5, 2e6), (1e8, 1e8), (100, 1e6)):
    m = a / (a + b)
    sd = (a * b / (a + b) ** 2 / (a + b + 1)) ** 0.5
    for z in (-30, -20, -10, -5, -2, -1, 0):
        if m + z * sd > 0:
            show("beta", lambda: beta(a, b, m + z * sd), a, b, m + z * sd)
for df in (0.5, 1, 2, 3, 5, 10, 30, 99, 300, 1000, 5000, 20000):
    for r in (1e-6, 0.01, 0.1, 0.5, 0.8, 0.9, 0.99, 1, 1.01, 1.1, 1.3, 2, 4, 10, 50):
        x = df * r
        show("chi2sf", lambda: gammainc(mpf(df) / 2, mpf(x) / 2, mp.inf, regularized=True), x, df)
        show("chi2cdf", lambda: gammainc(mpf(df) / 2, 0, mpf(x) / 2, regularized=True), x, df)
for a in (1e5, 1e6, 1e8, 1e10, 1e12, 1e14):
    for z in (0, 0.5, 1, 2, 5, 10, 20, 30):
        x = a + z * a**0.5
        show("chi2sf", lambda: gamma(a, x, 1), 2 * x, 2 * a)
        x = a - z * a**0.5
        show("chi2cdf", lambda: gamma(a, x, -1), 2 * x, 2 * a)
for p in (0.49999, 0.4, 0.3, 0.1, 0.05, 0.025, 0.01, 1e-3, 1e-5, 1e-8, 1e-12, 1e-16, 1e-20, 1e-30, 1e-50, 1e-100, 1e-200, 1e-300):
    show("normalq", lambda: quantile(lambda z: erfc(z / sqrt(2)) / 2, p, -20, 5), p)
mp.dps = 40
for df in (1, 2, 3, 5, 9, 30, 99, 1000, 1e5):
    for p in (0.4, 0.1, 0.05, 0.025, 1e-3, 1e-5, 1e-10, 1e-16, 1e-20, 1e-50, 1e-100, 1e-200):
        show("studentq", lambda: quantile(lambda t: student(t, df), p, -60, 500), p, df)
for n in (1, 5, 10, 54, 100, 1000):
    for k in sorted({1, 2, n // 4, n // 3, n // 2, n // 2 + 1, 2 * n // 3, 9 * n // 10, n}):
        for p in (0.5, 0.3):
            if 1 <= k <= n:
                show("binomial", lambda: betainc(k, n - k + 1, 0, mpf(p), regularized=True), k, n, p)
