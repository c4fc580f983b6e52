package dist_test

import (
	"bufio"
	"compress/gzip"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// rivals are the functions of this package and what gonum has in their place. Its
// argument is the line of testdata/tails.tsv.gz without the value.
var rivals = map[string]struct {
	name        string
	here, gonum func(x []float64) float64
}{
	"student": {
		"StudentSF",
		func(x []float64) float64 { return dist.StudentSF(x[0], x[1]) },
		func(x []float64) float64 { return distuv.StudentsT{Sigma: 1, Nu: x[1]}.Survival(x[0]) },
	},
	"studentq": {
		"StudentInvSF",
		func(x []float64) float64 { return dist.StudentInvSF(x[0], x[1]) },
		func(x []float64) float64 { return -distuv.StudentsT{Sigma: 1, Nu: x[1]}.Quantile(x[0]) },
	},
	"f": {
		"FSF",
		func(x []float64) float64 { return dist.FSF(x[0], x[1], x[2]) },
		func(x []float64) float64 { return distuv.F{D1: x[1], D2: x[2]}.Survival(x[0]) },
	},
	"beta": {
		"BetaInc",
		func(x []float64) float64 { return dist.BetaInc(x[0], x[1], x[2], 1-x[2]) },
		func(x []float64) float64 { return mathext.RegIncBeta(x[0], x[1], x[2]) },
	},
	"binomial": {
		"BinomialSF",
		func(x []float64) float64 { return dist.BinomialSF(int(x[0]), int(x[1]), x[2]) },
		func(x []float64) float64 { return mathext.RegIncBeta(x[0], x[1]-x[0]+1, x[2]) },
	},
	"chi2sf": {
		"ChiSquaredSF",
		func(x []float64) float64 { return dist.ChiSquaredSF(x[0], x[1]) },
		func(x []float64) float64 { return mathext.GammaIncRegComp(x[1]/2, x[0]/2) },
	},
	"chi2cdf": {
		"ChiSquaredCDF",
		func(x []float64) float64 { return dist.ChiSquaredCDF(x[0], x[1]) },
		func(x []float64) float64 { return mathext.GammaIncReg(x[1]/2, x[0]/2) },
	},
	"normalq": {
		"NormalInvSF",
		dist1(dist.NormalInvSF),
		dist1(func(p float64) float64 { return -mathext.NormalQuantile(p) }),
	},
}

func dist1(f func(float64) float64) func([]float64) float64 {
	return func(x []float64) float64 { return f(x[0]) }
}

// The package has functions of its own only where they are more accurate than gonum's. This
// test measures the table in the comment of the package.
func TestTableOfErrorsIsMeasured(t *testing.T) {
	t.Parallel()
	type errors struct{ here, gonum float64 }
	worst := map[string]errors{}
	f, err := os.Open("testdata/tails.tsv.gz")
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	lines := 0
	for scan := bufio.NewScanner(z); scan.Scan(); lines++ {
		words := strings.Split(scan.Text(), "\t")
		x := make([]float64, len(words)-1)
		for i := range x {
			x[i], err = strconv.ParseFloat(words[i+1], 64)
			require.NoError(t, err)
		}
		r, ok := rivals[words[0]]
		require.True(t, ok, words[0])
		args, want := x[:len(x)-1], x[len(x)-1]
		w := worst[r.name]
		w.here = max(w.here, math.Abs(r.here(args)/want-1))
		w.gonum = max(w.gonum, math.Abs(r.gonum(args)/want-1))
		worst[r.name] = w
	}
	require.Equal(t, 950, lines)

	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	rows := 0
	for _, row := range regexp.MustCompile(`(?m)^//\t(\w+) +([-.0-9e]+) +([-.0-9e]+|all)( |$)`).FindAllStringSubmatch(string(doc), -1) {
		got := worst[row[1]]
		t.Logf("%s: %.2g here, %.2g in gonum", row[1], got.here, got.gonum)
		here, err := strconv.ParseFloat(row[2], 64)
		require.NoError(t, err)
		// Other machines may fuse operations.
		require.LessOrEqual(t, got.here, 2*here, row[1])
		require.GreaterOrEqual(t, got.here, here/2, row[1])
		if row[3] == "all" {
			require.GreaterOrEqual(t, got.gonum, 0.99, row[1])
		} else {
			gonum, err := strconv.ParseFloat(row[3], 64)
			require.NoError(t, err)
			require.GreaterOrEqual(t, got.gonum, gonum/2, row[1])
		}
		rows++
	}
	require.Equal(t, len(rivals), rows)
}
