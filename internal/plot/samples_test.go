package plot

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
)

// samples returns a picture of each kind of n rows, made of seeded random numbers.
func samples(t testing.TB, n int) map[string]*Picture {
	t.Helper()
	rows := sampleRows(n)
	lines := []string{fmt.Sprintf("n = 10×10 on each of %d data sets, corrected-cv-t, 95%% intervals; protocol cv runs=10 folds=10 stratified seed=1 v1", n)}
	c, err := NewComparison(samplePairs(n, 10, unit.Higher), Finding{
		Outcome: improved, Difference: 0.012, Lo: -0.004, Hi: 0.028, Level: 0.95, P: 0.04, Alpha: 0.05,
		Margin: 0.01,
		Test:   "corrected-cv-t", Title: "nearest-neighbour vs naivebayes on vehicle: improved",
		Subtitle: "accuracy +1.20 points, 95% interval −0.40 to +2.80 points, p = 0.04",
	})
	require.NoError(t, err)
	return map[string]*Picture{
		"comparison": c.Picture(),
		"forest": (&Forest{
			Title: "new.txt against old.txt: accuracy", Lines: lines,
			Axis: "accuracy, points", Rows: rows,
		}).Picture(),
		"scatter": (&Scatter{
			Title: "new.txt against old.txt: accuracy", Lines: lines,
			Axis: "accuracy, %", Rows: rows,
		}).Picture(),
		"simplex": (&Simplex{
			Title: "new.txt against old.txt: accuracy", Lines: lines, Rope: "within 1 point", Rows: rows,
			Over: []Overall{{"Bayesian sign test", Regions{0.1, 0.2, 0.7}}, {
				"Bayesian signed-rank test",
				Regions{0.02, 0.48, 0.5},
			}},
		}).Picture(),
		"ranks":       sampleRanks(n).Picture(),
		"history":     sampleHistory(n).Picture(),
		"curves":      sampleCurves(n).Picture(),
		"panels":      samplePanels(n).Picture(),
		"calibration": sampleCalibration(n).Picture(),
	}
}

var names = []string{
	"iris", "vehicle",
	"soybean-large-with-a-name-that-nobody-would-want-to-read-twice", "vote",
	"wisconsin-breast-cancer", "pima-diabetes", "zoo",
}

func sampleRows(n int) []Row {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	rows := make([]Row, n)
	for i := range rows {
		half := 0.5 + 2*r.ExpFloat64()
		d := 3 * r.NormFloat64()
		base := 60 + 35*r.Float64()
		a, b, c := r.ExpFloat64(), r.ExpFloat64(), r.ExpFloat64()
		switch i % 5 {
		case 1:
			a, b, c = 0.01*a, 0.01*b, 4*c
		case 2:
			a, b, c = 0.01*a, 5*b, 0.01*c
		}
		sum := a + b + c
		rows[i] = Row{
			Label: fmt.Sprintf("%s-%d/nn", names[i%len(names)], i), Outcome: inconclusive, Difference: d,
			Lo: d - half, Hi: d + half, Margin: 1,
			Baseline: base, Candidate: base + d, Posterior: &Regions{a / sum, b / sum, c / sum},
		}
		switch row := &rows[i]; {
		case row.Lo > 0:
			row.Outcome = improved
		case row.Hi < 0:
			row.Outcome, row.Note = regressed, "the gate fails on it"
		case i%7 == 3:
			row.Outcome = equivalent
		}
	}
	if n > 20 {
		rows[4] = Row{
			Label: "broken/nn", Outcome: invalid, Difference: math.NaN(), Lo: math.NaN(),
			Hi: math.NaN(), Baseline: math.NaN(), Candidate: math.NaN(), Margin: 1,
		}
		rows[6].Lo, rows[6].Hi = -90, 90
	}
	return rows
}

func samplePairs(runs, folds int, better unit.Direction) *record.Pairs {
	r := rand.New(rand.NewPCG(2, uint64(runs)))
	p := &record.Pairs{
		Data: "vehicle", Candidate: "nn", Baseline: "naivebayes", Unit: unit.Unit{
			Name:   "accuracy",
			Better: better, Min: 0, Max: 1,
		},
		CandidateHeader: &record.Header{Protocol: fmt.Sprintf("cv runs=%d folds=%d stratified seed=1 v1",
			runs, folds), DataDigest: "ff814f2c1d976160de6ce19771bb2b47a46879e61a87460c0e18ec4846280654"},
		Runs: runs, Folds: folds,
	}
	for range runs {
		shift := 0.01 * r.NormFloat64()
		for range folds {
			b := 0.7 + 0.03*r.NormFloat64()
			p.B = append(p.B, b)
			p.A = append(p.A, b+0.012+shift+0.03*r.NormFloat64())
			p.TrainN, p.TestN = append(p.TrainN, 761), append(p.TestN, 85)
		}
	}
	return p
}

func sampleRanks(n int) *Ranks {
	n = min(n+2, 30)
	r := &Ranks{
		Title: "Seven classifiers over 54 data sets: accuracy",
		Lines: []string{"signed-rank test of each pair, Holm's p over all pairs, level 0.05"},
		Alpha: 0.05,
	}
	for i := range n {
		r.Columns = append(r.Columns, RankedColumn{
			Label: names[i%len(names)] + fmt.Sprint(i),
			Rank:  1 + float64((i*7)%n)*0.93,
		})
	}
	for i := range n {
		for j := range i {
			p := 0.01
			if d := math.Abs(r.Columns[i].Rank - r.Columns[j].Rank); d < 2.1 || i == 1 && j == 0 {
				p = 0.4
			}
			r.Pairs = append(r.Pairs, RankedPair{A: i, B: j, P: p})
		}
	}
	return r
}

func sampleHistory(n int) *History {
	r := rand.New(rand.NewPCG(3, uint64(n)))
	h := &History{
		Title: "vehicle/nn: accuracy over commits",
		Lines: []string{"against reference 3f2a9c1d5e6f of 2026-11-20, 69.62%; 10×10, 95% intervals"},
		Axis:  "accuracy, points", Reference: "3f2a9c1", Budget: 2,
	}
	at := 0.0
	for i := range n {
		if i%40 == 25 {
			at -= 1.2
		}
		d := at + 0.3*r.NormFloat64()
		o := inconclusive
		switch {
		case d+0.8 < 0:
			o = regressed
		case d-0.8 > 0:
			o = improved
		}
		h.Points = append(h.Points, Point{
			Label:  fmt.Sprintf("%07x", 0x3f2a9c1+i*7919),
			Detail: "2026-11-20T16:02:11Z", Outcome: o, Difference: d, Lo: d - 0.8, Hi: d + 0.8,
		})
	}
	for i := 0; i < n; i += 40 {
		end := min(i+25, n)
		h.Segments = append(h.Segments, Segment{i, end - 1, h.Points[i].Difference})
		if end < n {
			next := min(i+40, n)
			h.Segments = append(h.Segments, Segment{end, next - 1, h.Points[end].Difference})
		}
	}
	return h
}

func sampleCurves(n int) *Curves {
	c := &Curves{
		Title: "Type I error by number of runs",
		Lines: []string{"1,000 data sets, level 0.05"}, X: "runs", Y: "Type I error, %", Level: 5,
		LevelName: "the level",
	}
	r := rand.New(rand.NewPCG(4, 4))
	for i := range min(n, 8) {
		s := Series{Name: []string{
			"corrected-cv-t", "t", "b03-use-all-data", "5x2cv-t", "5x2cv-f",
			"averaged-t", "sign-flip", "corrected-resampled-t",
		}[i]}
		for _, x := range []float64{5, 10, 20, 30, 50, 100} {
			y := 4 + float64(i)*4*math.Log10(x) + r.Float64()
			s.X, s.Y, s.Error = append(s.X, x), append(s.Y, y), append(s.Error, 0.7)
		}
		c.Series = append(c.Series, s)
	}
	return c
}

func samplePanels(n int) *Panels {
	p := &Panels{
		Title: "Tests of one data set: error rates and consistency",
		Lines: []string{"4 sources × 1,000 training sets × 10 repetitions; bars are two standard errors"},
	}
	r := rand.New(rand.NewPCG(5, uint64(n)))
	for i := range n {
		p.Rows = append(p.Rows, fmt.Sprintf("test-%d-%s", i, names[i%3]))
	}
	for j, name := range []string{"Type I error, %", "power, %", "consistency, %"} {
		panel := Rates{Name: name}
		if j == 0 {
			panel.Level = 5
		} else {
			panel.Beside = make([]float64, n)
		}
		for range n {
			panel.Values, panel.Errors = append(panel.Values, float64(j*30)+8*r.Float64()),
				append(panel.Errors, 1.2)
		}
		for i := range panel.Beside {
			panel.Beside[i] = panel.Values[i] + 3*r.NormFloat64()
		}
		p.Panels = append(p.Panels, panel)
	}
	return p
}

func sampleCalibration(n int) *Calibration {
	c := &Calibration{
		Title: "Does a rerun agree as often as predicted?",
		Lines: []string{"significant verdicts of ten runs"}, X: "predicted probability", Y: "agreed",
	}
	r := rand.New(rand.NewPCG(6, uint64(n)))
	for i, name := range []string{"real data", "simulated data"} {
		g := Bins{Name: name}
		for range min(n, 20) {
			g.Bins = append(g.Bins, Bin{Predicted: 0.5 + 0.5*r.Float64(), N: 1 + r.IntN(1000)})
			b := &g.Bins[len(g.Bins)-1]
			b.Observed, b.Error = math.Min(1, b.Predicted+0.05*r.NormFloat64()), 0.02*float64(i+1)
		}
		slices.SortFunc(g.Bins, func(a, b Bin) int { return int(1e6 * (a.Predicted - b.Predicted)) })
		c.Groups = append(c.Groups, g)
	}
	return c
}
