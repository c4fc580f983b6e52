package metric

import (
	"math"

	"github.com/learnbench/learnbench/learntest/unit"
)

func classMetrics() []Metric {
	return []Metric{Accuracy(), Error(), Kappa(), MCC(), MacroF1(), BalancedAccuracy()}
}

// Accuracy is the fraction of test examples whose predicted class is right.
func Accuracy() Metric {
	return classMetric("accuracy", "fraction of correct predictions", unit.Higher, 0, 1, accuracy)
}

// Error is the fraction of test examples whose predicted class is wrong.
func Error() Metric {
	return classMetric("error", "fraction of wrong predictions", unit.Lower, 0, 1,
		func(p *Predictions) float64 { return float64(p.Len()-correct(p)) / float64(p.Len()) })
}

// Kappa is Cohen's kappa: the agreement of truth and prediction beyond chance. It is 1
// if chance agreement is certain, because truth and predictions are then one and the same
// class.
//
// Source: Cohen, A coefficient of agreement for nominal scales, 1960.
func Kappa() Metric {
	return classMetric("kappa", "Cohen's kappa", unit.Higher, -1, 1, kappa)
}

// MCC is the Matthews correlation coefficient, for any number of classes. It is 0 if
// truth or predictions are constant.
//
// Source: Gorodkin, Comparing two K-category assignments by a K-category correlation
// coefficient, 2004, eq. 2.
func MCC() Metric {
	return classMetric("mcc", "Matthews correlation coefficient", unit.Higher, -1, 1, mcc)
}

// MacroF1 is the unweighted mean of the F1 scores of all classes that occur in the
// truth or the predictions.
func MacroF1() Metric {
	return classMetric("macro-f1", "unweighted mean of the classes' F1 scores", unit.Higher,
		0, 1, macroF1)
}

// BalancedAccuracy is the unweighted mean of the recalls of all classes that occur in
// the truth.
func BalancedAccuracy() Metric {
	return classMetric("balanced-accuracy", "unweighted mean of the classes' recalls", unit.Higher, 0,
		1, balancedAccuracy)
}

func classMetric(name, doc string, better unit.Direction, lo, hi float64,
	f func(*Predictions) float64,
) Metric {
	return Metric{
		Unit: unit.Unit{Name: name, Better: better, Min: lo, Max: hi},
		Doc:  doc,
		Eval: func(p *Predictions) (float64, error) {
			if err := p.needClasses(name); err != nil {
				return math.NaN(), err
			}
			return f(p), nil
		},
	}
}

func correct(p *Predictions) int {
	n := 0
	for i, t := range p.Truth {
		if p.Predicted[i] == t {
			n++
		}
	}
	return n
}

func accuracy(p *Predictions) float64 {
	return float64(correct(p)) / float64(p.Len())
}

// margins returns the number of examples of class c in the truth and in the
// predictions.
func margins(m []int, classes, c int) (truth, predicted int) {
	for d := range classes + 1 {
		truth += m[c*(classes+1)+d]
	}
	for t := range classes {
		predicted += m[t*(classes+1)+c]
	}
	return truth, predicted
}

func kappa(p *Predictions) float64 {
	k, n := len(p.Classes), float64(p.Len())
	m := p.Confusion()
	var observed, chance float64
	for c := range k {
		t, q := margins(m, k, c)
		observed += float64(m[c*(k+1)+c])
		chance += float64(float64(t) * float64(q))
	}
	observed /= n
	chance /= n * n
	if chance == 1 {
		return 1
	}
	return (observed - chance) / (1 - chance)
}

func mcc(p *Predictions) float64 {
	k, n := len(p.Classes), float64(p.Len())
	m := p.Confusion()
	// All sums are of integers below 2^53 and so are exact.
	var hit, cross, truth2, predicted2 float64
	for c := range k {
		t, q := margins(m, k, c)
		hit += float64(m[c*(k+1)+c])
		cross += float64(float64(t) * float64(q))
		truth2 += float64(float64(t) * float64(t))
		predicted2 += float64(float64(q) * float64(q))
	}
	none := 0.0
	for c := range k {
		none += float64(m[c*(k+1)+k])
	}
	predicted2 += float64(none * none)
	d := (float64(n*n) - truth2) * (float64(n*n) - predicted2)
	if d == 0 {
		return 0
	}
	return (float64(hit*n) - cross) / math.Sqrt(d)
}

func macroF1(p *Predictions) float64 {
	k := len(p.Classes)
	m := p.Confusion()
	sum, present := 0.0, 0
	for c := range k {
		t, q := margins(m, k, c)
		if t+q == 0 {
			continue
		}
		present++
		sum += 2 * float64(m[c*(k+1)+c]) / float64(t+q)
	}
	return sum / float64(present)
}

func balancedAccuracy(p *Predictions) float64 {
	k := len(p.Classes)
	m := p.Confusion()
	sum, present := 0.0, 0
	for c := range k {
		t, _ := margins(m, k, c)
		if t == 0 {
			continue
		}
		present++
		sum += float64(m[c*(k+1)+c]) / float64(t)
	}
	return sum / float64(present)
}
