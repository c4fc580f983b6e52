package learnercheck

import (
	"errors"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
)

// majority is a correct classifier: the relative frequencies of the classes.
// Its hooks make it break rules.
type majority struct {
	name       func() string
	fit        func(t *dataset.Table, rows []int, seed uint64, m *classModel) error
	twoClasses bool
}

type classModel struct {
	prior   []float64
	predict func(t *dataset.Table, row int, dist []float64)
	close   func() error
}

func (c *majority) Name() string {
	if c.name != nil {
		return c.name()
	}
	return "majority"
}

func (c *majority) Fit(t *dataset.Table, rows []int, seed uint64) (learner.Model, error) {
	if t.ClassIndex() < 0 || t.NumClasses() == 0 || c.twoClasses && t.NumClasses() != 2 {
		return nil, errors.New("no class, or too many")
	}
	m := &classModel{prior: make([]float64, t.NumClasses())}
	n := 0.0
	for _, r := range rows {
		if r < 0 || r >= t.Len() {
			return nil, errors.New("no such row")
		}
		if k := t.Class(r); k >= 0 {
			m.prior[k]++
			n++
		}
	}
	if n == 0 {
		return nil, errors.New("no rows")
	}
	for k := range m.prior {
		m.prior[k] /= n
	}
	if c.fit != nil {
		if err := c.fit(t, rows, seed, m); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func (m *classModel) Distribution(t *dataset.Table, row int, dist []float64) {
	copy(dist, m.prior)
	if m.predict != nil {
		m.predict(t, row, dist)
	}
}

func (m *classModel) Close() error {
	if m.close != nil {
		return m.close()
	}
	return nil
}

func TestCheckAcceptsACorrectClassifier(t *testing.T) {
	t.Parallel()
	require.NoError(t, Check(t.Context(), Classifier(&majority{}, Options{OrderFree: true})))
	require.NoError(t, Check(t.Context(), Classifier(&majority{twoClasses: true},
		Options{OrderFree: true, TwoClasses: true})))
	silent := &majority{fit: func(_ *dataset.Table, _ []int, _ uint64,
		m *classModel,
	) error {
		clear(m.prior)
		return nil
	}}
	require.NoError(t, Check(t.Context(), Classifier(silent, Options{}), Learning), "no opinion")
}

func TestCheckFindsBrokenRules(t *testing.T) {
	t.Parallel()
	type fit = func(t *dataset.Table, rows []int, seed uint64, m *classModel) error
	predicts := func(f func(t *dataset.Table, row int, dist []float64)) fit {
		return func(_ *dataset.Table, _ []int, _ uint64, m *classModel) error {
			m.predict = f
			return nil
		}
	}
	var calls, names atomic.Int64
	var small atomic.Bool
	var last atomic.Pointer[classModel]
	tests := []struct {
		name string
		c    *majority
		opts Options
		rule Rule // the only one that is broken
		says string
	}{
		{"empty name", &majority{name: func() string { return "" }}, Options{}, "name", `Name() = ""`},
		{
			"changing name", &majority{name: func() string { return string(rune('a' + names.Add(1)%20)) }},
			Options{},
			"name", `", then "`,
		},
		{
			"negative probability",
			&majority{fit: predicts(func(_ *dataset.Table, _ int, dist []float64) {
				dist[0], dist[1] = -1,
					2
			})},
			Options{},
			Probabilities, "class 0: -1 is not a probability",
		},
		{
			"sum above 1",
			&majority{fit: predicts(func(_ *dataset.Table, _ int, dist []float64) { dist[0] += 0.5 })},
			Options{},
			Probabilities, "class probabilities sum to 1.",
		},
		{
			"entry not written",
			&majority{fit: predicts(func(_ *dataset.Table, _ int, dist []float64) { dist[1] = math.NaN() })},
			Options{},
			Probabilities, "class 1: NaN is not a probability",
		},
		{
			"unseeded randomness",
			&majority{fit: func(_ *dataset.Table, _ []int, _ uint64, m *classModel) error {
				p := 1 / float64(1+calls.Add(1))
				clear(m.prior)
				m.prior[0], m.prior[1] = p, 1-p
				return nil
			}},
			Options{},
			Determinism, "trained twice in a row under one seed, it predicted ",
		},
		{
			"sorts the rows",
			&majority{fit: func(_ *dataset.Table, rows []int, _ uint64,
				_ *classModel,
			) error {
				slices.Sort(rows)
				return nil
			}},
			Options{},
			Inputs, "it changes the slice of indices",
		},
		{
			"fills missing values in place",
			&majority{fit: func(t *dataset.Table, _ []int, _ uint64, _ *classModel) error {
				if t.Name() != "missing" {
					return nil
				}
				for i, x := range t.Numbers(0) {
					if math.IsNaN(x) {
						t.Numbers(0)[i] = 0
					}
				}
				return nil
			}},
			Options{},
			Inputs, "it changes the examples or labels",
		},
		{
			"keeps the rows",
			&majority{fit: func(_ *dataset.Table, rows []int, _ uint64, m *classModel) error {
				m.predict = func(t *dataset.Table, row int, dist []float64) {
					clear(dist)
					if slices.Contains(rows, row) && t.Class(row) >= 0 {
						dist[0] = 1
					} else {
						dist[1] = 1
					}
				}
				return nil
			}},
			Options{},
			"retention", "predicted ",
		},
		{
			"shares one model",
			&majority{fit: func(_ *dataset.Table, _ []int, _ uint64, m *classModel) error {
				last.Store(m)
				m.predict = func(_ *dataset.Table, _ int, dist []float64) { copy(dist, last.Load().prior) }
				return nil
			}},
			Options{},
			Independence, "another model being trained, used and closed",
		},
		{
			"learns from predictions",
			&majority{fit: func(_ *dataset.Table, _ []int, _ uint64, m *classModel) error {
				n := 1.0
				m.predict = func(_ *dataset.Table, _ int, dist []float64) {
					clear(dist)
					dist[0], dist[1] = 1/n, 1-1/n
					n++
				}
				return nil
			}},
			Options{},
			Order, "it predicted ",
		},
		{
			"refuses other tables",
			&majority{fit: func(t *dataset.Table, _ []int, _ uint64, m *classModel) error {
				m.predict = func(u *dataset.Table, _ int, dist []float64) {
					if t != u {
						panic("who are you")
					}
				}
				return nil
			}},
			Options{},
			"another table", "panic: who are you",
		},
		{
			"depends on earlier models",
			&majority{fit: func(t *dataset.Table, rows []int, _ uint64, m *classModel) error {
				if small.Swap(len(rows) == 6) && len(rows) > 6 {
					m.prior[0], m.prior[1] = m.prior[1]+0.25, m.prior[0]-0.25
				}
				return nil
			}},
			Options{},
			"reuse", "after a model of table mixed, it predicted ",
		},
		{
			"counts rows of unknown class",
			&majority{fit: func(_ *dataset.Table, rows []int, _ uint64, m *classModel) error {
				clear(m.prior)
				m.prior[len(rows)%2] = 1
				return nil
			}},
			Options{},
			"unknown class", "predicted ",
		},
		{
			"depends on the row order",
			&majority{fit: func(_ *dataset.Table, rows []int, _ uint64, m *classModel) error {
				clear(m.prior)
				m.prior[rows[0]%2] = 1
				return nil
			}},
			Options{OrderFree: true},
			"row order", "of its rows, it predicted ",
		},
		{
			"cannot close",
			&majority{fit: func(_ *dataset.Table, _ []int, _ uint64, m *classModel) error {
				m.close = func() error { return errors.New("stuck") }
				return nil
			}},
			Options{},
			Trial, "close: stuck",
		},
		{"panics in Fit", &majority{fit: func(*dataset.Table, []int, uint64,
			*classModel,
		) error {
			panic("oh")
		}}, Options{}, Trial, "panic: oh"},
		{
			"cannot learn",
			&majority{fit: func(*dataset.Table, []int, uint64,
				*classModel,
			) error {
				return errors.New("too hard")
			}},
			Options{},
			Trial, "fit: too hard",
		},
		{
			"learns three classes", &majority{},
			Options{TwoClasses: true},
			"refusal",
			"if there are not two classes (Options.TwoClasses): there was none",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			err := Check(t.Context(), Classifier(test.c, test.opts), Learning) // some do not use labels
			found := false
			for _, f := range flawsIn(t, err) {
				if test.rule == Independence && f.Rule == Parallel {
					continue // on a busy machine trials that share a model meet in parallel, too
				}
				assert.Equal(t, test.rule, f.Rule, "%v", f)
				assert.ErrorContains(t, f.Err, test.says)
				found = true
			}
			assert.True(t, found, "%v", err)
		})
	}
}

// careless is a classifier that checks nothing.
type careless struct{ majority }

func (c *careless) Fit(t *dataset.Table, rows []int, seed uint64) (learner.Model, error) {
	return &classModel{prior: make([]float64, max(t.NumClasses(), 2))}, nil
}

func TestCheckFindsWhatIsNotRefused(t *testing.T) {
	t.Parallel()
	err := Check(t.Context(), Classifier(&careless{}, Options{}))
	for _, want := range []string{
		"no row to train on: there was none", "a row is negative: there was none",
		"does not have a row: there was none", "there is no class: there was none",
	} {
		assert.ErrorContains(t, err, want)
	}
}

func TestTolerancePassesRounding(t *testing.T) {
	t.Parallel()
	c := &majority{fit: func(_ *dataset.Table, rows []int, _ uint64, m *classModel) error {
		p := 0.25 + float64(rows[0])*1e-12
		clear(m.prior)
		m.prior[0], m.prior[1] = p, 1-p
		return nil
	}}
	require.Error(t, Check(t.Context(), Classifier(c, Options{OrderFree: true}), Learning))
	require.NoError(t, Check(t.Context(), Classifier(c, Options{OrderFree: true, Tolerance: 1e-9}),
		Learning))
}

func TestManyTablesAreTheSameAtEveryCall(t *testing.T) {
	t.Parallel()
	a, b := manyTables(3), manyTables(3)
	require.Len(t, b, len(a))
	for i := range a {
		assert.Equal(t, rowsOfTable, a[i].Len())
		da, err := a[i].Digest()
		require.NoError(t, err)
		db, err := b[i].Digest()
		require.NoError(t, err)
		assert.Equal(t, da, db, a[i].Name())
	}
}
