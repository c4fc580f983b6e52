package learnertest

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
	fit        func(t *dataset.Table, rows []int, seed uint64, m *model) error
	twoClasses bool
}

type model struct {
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
	m := &model{prior: make([]float64, t.NumClasses())}
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

func (m *model) Distribution(t *dataset.Table, row int, dist []float64) {
	copy(dist, m.prior)
	if m.predict != nil {
		m.predict(t, row, dist)
	}
}

func (m *model) Close() error {
	if m.close != nil {
		return m.close()
	}
	return nil
}

func TestCheckAcceptsACorrectClassifier(t *testing.T) {
	t.Parallel()
	require.NoError(t, Check(&majority{}, Options{OrderFree: true}))
	require.NoError(t, Check(&majority{twoClasses: true}, Options{OrderFree: true, TwoClasses: true}))
	silent := &majority{fit: func(_ *dataset.Table, _ []int, _ uint64, m *model) error { clear(m.prior); return nil }}
	require.NoError(t, Check(silent, Options{}), "no opinion")
}

func TestCheckFindsBrokenRules(t *testing.T) {
	t.Parallel()
	type fit = func(t *dataset.Table, rows []int, seed uint64, m *model) error
	predicts := func(f func(t *dataset.Table, row int, dist []float64)) fit {
		return func(_ *dataset.Table, _ []int, _ uint64, m *model) error {
			m.predict = f
			return nil
		}
	}
	var calls, names atomic.Int64
	var last atomic.Pointer[model]
	tests := []struct {
		name  string
		c     *majority
		opts  Options
		wants []string
	}{
		{"empty name", &majority{name: func() string { return "" }}, Options{}, []string{`name: Name must be a single word that never changes: on table mixed: Name() = ""`}},
		{"changing name", &majority{name: func() string { return string(rune('a' + names.Add(1)%20)) }}, Options{}, []string{`Name() = "b", then "c"`}},
		{
			"negative probability",
			&majority{fit: predicts(func(_ *dataset.Table, _ int, dist []float64) { dist[0], dist[1] = -1, 2 })},
			Options{},
			[]string{"distribution: ", "row 0: [-1 2"},
		},
		{
			"sum above 1",
			&majority{fit: predicts(func(_ *dataset.Table, _ int, dist []float64) { dist[0] += 0.5 })},
			Options{},
			[]string{"sums to 1.5"},
		},
		{
			"entry not written",
			&majority{fit: predicts(func(_ *dataset.Table, _ int, dist []float64) { dist[1] = math.NaN() })},
			Options{},
			[]string{"distribution: ", "NaN"},
		},
		{
			"unseeded randomness",
			&majority{fit: func(_ *dataset.Table, _ []int, _ uint64, m *model) error {
				p := 1 / float64(1+calls.Add(1))
				clear(m.prior)
				m.prior[0], m.prior[1] = p, 1-p
				return nil
			}},
			Options{},
			[]string{"determinism: ", "the distribution of row 0 was"},
		},
		{
			"sorts the rows",
			&majority{fit: func(_ *dataset.Table, rows []int, _ uint64, _ *model) error { slices.Sort(rows); return nil }},
			Options{},
			[]string{"rows: ", "rows were modified"},
		},
		{
			"fills missing values in place",
			&majority{fit: func(t *dataset.Table, _ []int, _ uint64, _ *model) error {
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
			[]string{"table: ", "on table missing: column 0 (a0) was modified"},
		},
		{
			"keeps the rows",
			&majority{fit: func(_ *dataset.Table, rows []int, _ uint64, m *model) error {
				m.predict = func(_ *dataset.Table, row int, dist []float64) {
					clear(dist)
					if slices.Contains(rows, row) {
						dist[0] = 1
					} else {
						dist[1] = 1
					}
				}
				return nil
			}},
			Options{},
			[]string{"retention: "},
		},
		{
			"shares one model",
			&majority{fit: func(_ *dataset.Table, _ []int, _ uint64, m *model) error {
				last.Store(m)
				m.predict = func(_ *dataset.Table, _ int, dist []float64) { copy(dist, last.Load().prior) }
				return nil
			}},
			Options{},
			[]string{"independence: ", "after another Fit"},
		},
		{
			"learns from predictions",
			&majority{fit: func(_ *dataset.Table, _ []int, _ uint64, m *model) error {
				n := 1.0
				m.predict = func(_ *dataset.Table, _ int, dist []float64) {
					clear(dist)
					dist[0], dist[1] = 1/n, 1-1/n
					n++
				}
				return nil
			}},
			Options{},
			[]string{"independence: ", "at the second prediction"},
		},
		{
			"refuses other tables",
			&majority{fit: func(t *dataset.Table, _ []int, _ uint64, m *model) error {
				m.predict = func(u *dataset.Table, _ int, dist []float64) {
					if t != u {
						panic("who are you")
					}
				}
				return nil
			}},
			Options{},
			[]string{"another table: ", "panic: who are you"},
		},
		{
			"counts rows of unknown class",
			&majority{fit: func(_ *dataset.Table, rows []int, _ uint64, m *model) error {
				clear(m.prior)
				m.prior[len(rows)%2] = 1
				return nil
			}},
			Options{},
			[]string{"unknown class: "},
		},
		{
			"depends on the row order",
			&majority{fit: func(_ *dataset.Table, rows []int, _ uint64, m *model) error {
				clear(m.prior)
				m.prior[rows[0]%2] = 1
				return nil
			}},
			Options{OrderFree: true},
			[]string{"row order: "},
		},
		{
			"cannot close",
			&majority{fit: func(_ *dataset.Table, _ []int, _ uint64, m *model) error {
				m.close = func() error { return errors.New("stuck") }
				return nil
			}},
			Options{},
			[]string{"closing: stuck"},
		},
		{"panics in Fit", &majority{fit: func(*dataset.Table, []int, uint64, *model) error { panic("oh") }}, Options{}, []string{"panic: oh"}},
		{
			"cannot learn",
			&majority{fit: func(*dataset.Table, []int, uint64, *model) error { return errors.New("too hard") }},
			Options{},
			[]string{"determinism: ", "training: too hard"},
		},
		{"learns three classes", &majority{}, Options{TwoClasses: true}, []string{"refusal: ", "there was none"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			err := Check(test.c, test.opts)
			for _, want := range test.wants {
				assert.ErrorContains(t, err, want)
			}
		})
	}
}

// careless is a classifier that checks nothing.
type careless struct{ majority }

func (c *careless) Fit(t *dataset.Table, rows []int, seed uint64) (learner.Model, error) {
	return &model{prior: make([]float64, max(t.NumClasses(), 2))}, nil
}

func TestCheckFindsWhatIsNotRefused(t *testing.T) {
	t.Parallel()
	err := Check(&careless{}, Options{})
	for _, want := range []string{
		"no row to train on: on table mixed", "a row is negative: on table mixed",
		"does not have a row: on table mixed", "there is no class: on table no-class",
	} {
		assert.ErrorContains(t, err, want)
	}
}

func TestTolerancePassesRounding(t *testing.T) {
	t.Parallel()
	c := &majority{fit: func(_ *dataset.Table, rows []int, _ uint64, m *model) error {
		p := 0.25 + float64(rows[0])*1e-12
		clear(m.prior)
		m.prior[0], m.prior[1] = p, 1-p
		return nil
	}}
	require.Error(t, Check(c, Options{OrderFree: true}))
	require.NoError(t, Check(c, Options{OrderFree: true, Tolerance: 1e-9}))
}

func TestTablesAreTheSameAtEveryCall(t *testing.T) {
	t.Parallel()
	a, b := Tables(3), Tables(3)
	require.Len(t, b, len(a))
	for i := range a {
		c, equal, err := clone(a[i])
		require.NoError(t, err)
		require.NoError(t, equal())
		assert.Equal(t, rowsOfTable, c.Len())
		da, err := a[i].Digest()
		require.NoError(t, err)
		db, err := b[i].Digest()
		require.NoError(t, err)
		assert.Equal(t, da, db, a[i].Name())
	}
}
