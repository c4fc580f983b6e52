package imports

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/unit"
)

// rows are the rows of a file with named columns.
type rows interface {
	header() []string
	next() (line int, err error) // io.EOF after the last row
	text(column int) string      // of the row; valid until the next one
}

// A table is the rows of a file that meet the conditions, with access by name.
type table struct {
	rows
	c     *collector
	index map[string]int
	where []requirement
	line  int // of the current row

	decimals decimals
}

// A requirement is a condition on a column that there is.
type requirement struct {
	column int
	value  string
}

func (c *collector) tabulate(r rows) (*table, error) {
	t := &table{rows: r, c: c, index: make(map[string]int)}
	for i, name := range r.header() {
		if _, ok := t.index[name]; ok {
			return nil, c.errorf(1, "there are two columns %q", name)
		}
		t.index[name] = i
	}
	for _, w := range c.Where {
		i, ok := t.index[w.Column]
		if !ok {
			return nil, fmt.Errorf("%w: %s has no column %q for a condition of Where (-where): it has %s",
				ErrOptions, c.source, w.Column, t.list())
		}
		t.where = append(t.where, requirement{i, w.Value})
	}
	return t, nil
}

// list returns the names of the columns for a message.
func (t *table) list() string {
	text := strings.Join(t.header(), ", ")
	if len(text) > 1000 {
		text = strings.ToValidUTF8(text[:1000], "") + "…"
	}
	return text
}

// next moves to the next row that meets the conditions.
func (t *table) next() error {
	for {
		line, err := t.rows.next()
		if err != nil {
			return err
		}
		t.line = line
		met := true
		for _, w := range t.where {
			met = met && t.text(w.column) == w.value
		}
		if met {
			return nil
		}
	}
}

// find returns the index of a column, or -1.
func (t *table) find(name string) int {
	if i, ok := t.index[name]; ok {
		return i
	}
	return -1
}

// need returns the indices of columns that there must be.
func (t *table) need(names ...string) ([]int, error) {
	at := make([]int, len(names))
	for i, name := range names {
		if at[i] = t.find(name); at[i] < 0 {
			return nil, t.c.errorf(1, "there is no column %q: the columns are %s", name, t.list())
		}
	}
	return at, nil
}

// errorf returns an error about a column of the row.
func (t *table) errorf(column int, format string, args ...any) error {
	return t.c.errorf(t.line, "column %q: %s", t.header()[column], fmt.Sprintf(format, args...))
}

// number returns the value of a column, which must be finite.
func (t *table) number(column int) (float64, error) {
	s := strings.TrimSpace(t.text(column))
	text, err := t.plain(s)
	if err != nil {
		return 0, t.errorf(column, "%v", err)
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		remedy := ""
		if commaNumber.MatchString(s) {
			remedy = ": write decimals with a point"
		}
		return 0, t.errorf(column, "%s is not a finite number%s", excerpt(s), remedy)
	}
	return x, nil
}

// count returns the value of a column, which must be a whole number from lowest on.
func (t *table) count(column, lowest int) (int, error) {
	x, err := t.number(column)
	if err != nil {
		return 0, err
	}
	if x != math.Trunc(x) || x < float64(lowest) || x > math.MaxInt32 {
		return 0, t.errorf(column, "%s is not a whole number from %d on", excerpt(t.text(column)), lowest)
	}
	return int(x), nil
}

// seconds returns the value of a column, which may not be negative.
func (t *table) seconds(column int) (float64, error) {
	x, err := t.number(column)
	if err == nil && x < 0 {
		err = t.errorf(column, "%s is negative", excerpt(t.text(column)))
	}
	return x, err
}

// times are the columns of the seconds of a trial. Where there is none, or no value in
// it, the times are not known.
type times struct{ fit, predict int }

// take sets the times of a trial.
func (c times) take(t *table, r *result) error {
	r.timed = false
	if c.fit < 0 || c.predict < 0 || isMissing(t.text(c.fit)) || isMissing(t.text(c.predict)) {
		return nil
	}
	var err error
	if r.fit, err = t.seconds(c.fit); err != nil {
		return err
	}
	if r.predict, err = t.seconds(c.predict); err != nil {
		return err
	}
	r.timed = true
	return nil
}

// sizes are the columns that a file may have for the sizes of training and test sets.
type sizes struct{ train, test int }

func (t *table) sizes() (sizes, error) {
	s := sizes{t.find("n_train"), t.find("n_test")}
	if (s.train < 0) != (s.test < 0) {
		return s, t.c.errorf(1, "there is only one of the columns n_train and n_test")
	}
	return s, nil
}

// sizeColumns names the columns that a format may have for sizes.
func (c *collector) sizeColumns() string {
	if c.format.Name == formatTable {
		return roleTrain + " and " + roleTest + " in Map (-map)"
	}
	return "n_train and n_test"
}

// take sets the sizes of a trial.
func (s sizes) take(t *table, r *result) (err error) {
	if s.train < 0 {
		return nil
	}
	if r.trainN, err = t.count(s.train, 1); err != nil {
		return err
	}
	r.testN, err = t.count(s.test, 1)
	return err
}

// isMissing reports whether a text stands for no value.
func isMissing(s string) bool {
	switch strings.TrimSpace(s) {
	case "", "?", "NA", "NaN", "nan", "null", "None":
		return true
	}
	return false
}

// excerpt returns the beginning of a text, quoted, for a message.
func excerpt(s string) string {
	const most = 60
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return strconv.Quote(s)
}

// each calls f for each row.
func (t *table) each(f func() error) error {
	for {
		err := t.next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = f()
		}
		if err != nil {
			return err
		}
	}
}

// measures returns the columns of the measures that were asked for, or else of the
// usual ones.
func (t *table) measures(list []known, usual []Measure) ([]column, []unit.Unit, error) {
	wanted := t.c.Measures
	if len(wanted) == 0 {
		wanted = usual
	}
	var columns []column
	var units []unit.Unit
	for _, m := range wanted {
		at := t.find(m.Column)
		if at < 0 {
			return nil, nil, fmt.Errorf("%w: %s has no column %q: choose of %s with %s", ErrOptions,
				t.c.source, m.Column, t.list(), optMeasures)
		}
		k, err := resolve(list, m)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", t.c.source, err)
		}
		t.c.assumed.column(known{m.Column, k.unit, k.scale})
		columns = append(columns, column{at, k.unit, k.scale})
		units = append(units, k.unit)
	}
	return columns, units, nil
}

// scores takes the scores of the row. Where a tool writes no score for a trial that
// failed, none of them may be there, and failed says that this is so.
func (t *table) scores(r *result, columns []column) (failed bool, err error) {
	r.values, r.texts, r.columns = r.values[:0], r.texts[:0], r.columns[:0]
	missing := 0
	for _, c := range columns {
		if isMissing(t.text(c.at)) {
			missing++
		}
	}
	if missing == len(columns) {
		return true, nil
	}
	for _, c := range columns {
		text := t.text(c.at)
		if isMissing(text) {
			return false, t.errorf(c.at, "there is no value, but there are others in this row: the scorer has failed: mend it (scikit-learn shows its error with error_score='raise'), or import other columns with %s", optMeasures)
		}
		x, err := t.number(c.at)
		if err != nil {
			return false, err
		}
		r.values, r.texts, r.columns = append(r.values, c.scale.of(x)), append(r.texts, text),
			append(r.columns, t.header()[c.at])
	}
	return false, nil
}
