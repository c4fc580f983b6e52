package prints_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/learnbench/learnbench/papers/internal/prints"
	"github.com/stretchr/testify/require"
)

func TestFigures(t *testing.T) {
	t.Parallel()
	table := prints.Open("bf-table2")
	require.Equal(t, prints.Figure{Text: "0.843", Value: 0.843, Decimals: 3},
		table.Figure("20", "NB vs C4.5", "R"))
	require.Equal(t, 17, table.Int("20", "C4.5 vs NN", "almost consistent"))
	require.Panics(t, func() { table.Figure("30", "NB vs C4.5", "R") })
	require.Panics(t, func() { table.Figure("20", "NB vs C4.5", "r") })
	require.Panics(t, func() { prints.Open("bf-table9") })
	require.Panics(t, func() { prints.Open("bcm-table1").Figure("Card=4", "C2 vs C7") })

	scores := prints.Open("bcm-table2").Scores()
	require.Len(t, scores, 54)
	require.Equal(t, []float64{98.44, 98, 98, 96.43, 98.55, 98.33, 99}, scores[0])
	require.Equal(t, []float64{100, 92.18}, prints.Open("bcm-table2").Scores(1, 0)[53])
}

func TestRounds(t *testing.T) {
	t.Parallel()
	f := prints.Print("0.046")
	require.True(t, f.Rounds(0.0455))
	require.True(t, f.Rounds(0.0465))
	require.False(t, f.Rounds(0.0454))
	require.False(t, f.Rounds(0.0466))
	require.InDelta(t, 0.00028868, f.Rounding(), 1e-8)
	require.True(t, prints.Print("-2").Rounds(-1.5))
	require.False(t, prints.Print("-2").Rounds(2))
}

var comparisons = []string{"TDDT-2 1×10", "TDDT-2 5×2", "naive-bayes 1×10", "naive-bayes 5×2"}

// Table 4 of Bradford & Brodley follows from tables 2 and 3, and 496 of 5060 conclusions
// are wrong.
func TestBradfordBrodleyTablesAgree(t *testing.T) {
	t.Parallel()
	two, three, four := prints.Open("bb-table2"), prints.Open("bb-table3"), prints.Open("bb-table4")
	wrong := 0
	for _, c := range comparisons {
		var accept, reject, typeI, typeII int
		for _, row := range two.Rows {
			p := two.Figure(c, row[0])
			none := three.Int(c+" none", row[0])
			first, second := three.Int(c+" first", row[0]), three.Int(c+" second", row[0])
			require.Equal(t, 55, first+none+second, "%s: %s", row[0], c)
			switch {
			case p.Value > 0.025 || p.Value < -0.025:
				accept += none
				typeI += first + second
			default:
				reject += first + second
				typeII += none
			}
			// The first column counts what speaks against TDDT-1.
			if first > 5 || second > 5 {
				require.Equal(t, first > second, p.Text[0] == '-', "%s: %s", row[0], c)
			}
		}
		require.Equal(t, []int{
			four.Int("accept", c), four.Int("reject", c), four.Int("type I", c),
			four.Int("type II", c),
		},
			[]int{accept, reject, typeI, typeII}, c)
		wrong += typeI + typeII
	}
	require.Equal(t, 496, wrong)
}

// "Only twice, breast and tic-tac-toe for the naive-bayes algorithm, were the accuracy values
// from the two-fold cross-validation higher."
func TestBradfordBrodleyTwoFoldsAreLessAccurate(t *testing.T) {
	t.Parallel()
	one := prints.Open("bb-table1")
	var higher []string
	for _, a := range []string{"TDDT-1", "TDDT-2", "naive-bayes"} {
		for _, row := range one.Rows {
			if one.Figure(a+" 5×2", row[:2]...).Value > one.Figure(a+" 1×10", row[:2]...).Value {
				higher = append(higher, row[1]+" "+a)
			}
		}
	}
	require.Equal(t, []string{"breast naive-bayes", "tic-tac-toe naive-bayes"}, higher)
}

// Tables 3 and 4 of Bouckaert & Frank share a column.
func TestBouckaertFrankTablesAgree(t *testing.T) {
	t.Parallel()
	three, four := prints.Open("bf-table3"), prints.Open("bf-table4")
	for _, row := range three.Rows {
		require.Equal(t, three.Figure("10", row[:2]...), four.Figure("0.05", row[:2]...))
	}
}

// The module of the tests over data sets, which cannot import this one, has a copy.
func TestCopyOfTheAccuracies(t *testing.T) {
	t.Parallel()
	ours, err := os.ReadFile("bcm-table2.csv")
	require.NoError(t, err)
	theirs, err := os.ReadFile(filepath.Join("..", "..", "..", "learntest", "stat", "across",
		"testdata", "bcm-table2.csv"))
	require.NoError(t, err)
	require.Equal(t, string(ours), string(theirs))
}
