package lab

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/learnbench/learnbench/learntest/stat"
)

// A Calibratable is a test whose statistic is proportional to √(df+1), so that its degrees of
// freedom can be calibrated.
type Calibratable struct {
	Name   string
	OneRun bool // it uses the first run only
	Run    func(d stat.Differences, alt stat.Alternative) (stat.Result, error)

	// Expected is the number of degrees of freedom that r runs would have, were the differences
	// independent.
	Expected func(r int) int
}

// Z returns the statistic on some of the runs of a protocol, from one on, as the test
// takes it with its expected degrees of freedom. An averaged t that one of its groups
// leaves undefined, since all its differences are equal, rejects nothing: it is 0.
func (c *Calibratable) Z(d stat.Differences, from, runs int) (float64, error) {
	if c.OneRun {
		runs = 1
	}
	r, err := c.Run(Part(d, from, runs), stat.TwoSided)
	switch {
	case errors.Is(err, stat.ErrZeroVariance):
		return 0, nil
	case err != nil:
		return 0, fmt.Errorf("%s: %w", c.Name, err)
	}
	return r.Statistic, nil
}

// Calibrate calibrates the test on its statistics on data sets without a difference.
func (c *Calibratable) Calibrate(z []float64, runs int, alpha float64) (stat.Calibration, error) {
	return stat.CalibrateDF(z, float64(c.Expected(runs)), alpha)
}

// Critical returns the statistic, as z has it, from which on the test rejects with df
// Degrees of freedom. A test that has none, where df is 0, never does.
func (c *Calibratable) Critical(runs, df int, alpha float64) (float64, error) {
	if df == 0 {
		return math.Inf(1), nil
	}
	t, err := stat.StudentT(float64(df))
	if err != nil {
		return 0, err
	}
	q, err := t.Quantile(alpha / 2)
	return q * math.Sqrt(float64(c.Expected(runs)+1)/float64(df+1)), err
}

// Suits reports whether other degrees of freedom repair the test: whether suitable ones exist
// that are not so few that Student's t has tails like Cauchy's, unless the cause is a lack of
// runs.
func (c *Calibratable) Suits(df, runs int) bool {
	return df > 3 || df >= 2 && 2*df >= c.Expected(runs)
}

// Rejected returns how many statistics on so many runs reject with df degrees of freedom.
func (c *Calibratable) Rejected(z []float64, runs, df int, alpha float64) (Proportion, error) {
	p := Proportion{N: len(z)}
	critical, err := c.Critical(runs, df, alpha)
	for _, x := range z {
		p.K += Indicator(math.Abs(x) >= critical)
	}
	return p, err
}

// A ZTable has the statistics that tests took on data sets: of each test, of each number of
// runs or each repeat, of each data set.
type ZTable [][][]float64

func NewZTable(tests, columns, sets int) ZTable {
	t := make(ZTable, tests)
	for i := range t {
		t[i] = make([][]float64, columns)
		for j := range t[i] {
			t[i][j] = make([]float64, sets)
		}
	}
	return t
}

// Degrees is a number of degrees of freedom in a cell, and a dash for none.
func Degrees(df int) string {
	if df == 0 {
		return "–"
	}
	return strconv.Itoa(df)
}

// CalibrationInterval formats the interval of a calibration for a cell.
func CalibrationInterval(c stat.Calibration) string {
	return Degrees(c.Lo) + " to " +
		Degrees(c.Hi)
}
