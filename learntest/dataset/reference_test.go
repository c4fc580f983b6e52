package dataset

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// reference lists the counts published with the ARFF files in general use: rows,
// nominal and numeric attributes without the class, classes declared and
// occurring, missing values and rows that have some.
var reference = []struct {
	name                                                       string
	n, nominal, numeric, declared, occur, missing, missingRows int
}{
	{"anneal", 898, 32, 6, 6, 5, 0, 0},
	{"arrhythmia", 452, 73, 206, 16, 13, 408, 384},
	{"audiology", 226, 69, 0, 24, 24, 317, 222},
	{"autos", 205, 10, 15, 7, 6, 59, 46},
	{"balance-scale", 625, 0, 4, 3, 3, 0, 0},
	{"breast-cancer", 286, 9, 0, 2, 2, 9, 9},
	{"cleveland", 303, 7, 6, 5, 2, 7, 7},
	{"cmc", 1473, 7, 2, 3, 3, 0, 0},
	{"contact-lenses", 24, 4, 0, 3, 3, 0, 0},
	{"credit-rating", 690, 9, 6, 2, 2, 67, 37},
	{"ecoli", 336, 0, 7, 8, 8, 0, 0},
	{"eucalyptus", 736, 5, 14, 5, 5, 448, 95},
	{"german-credit", 1000, 13, 7, 2, 2, 0, 0},
	{"glass", 214, 0, 9, 7, 6, 0, 0},
	{"grub-damage", 155, 6, 2, 4, 4, 0, 0},
	{"haberman", 306, 1, 2, 2, 2, 0, 0},
	{"hayes-roth", 160, 0, 4, 3, 3, 0, 0},
	{"heart-statlog", 270, 0, 13, 2, 2, 0, 0},
	{"hepatitis", 155, 13, 6, 2, 2, 167, 75},
	{"horse-colic", 368, 15, 7, 2, 2, 1927, 361},
	{"hungarian", 294, 7, 6, 5, 2, 782, 293},
	{"hypothyroid", 3772, 22, 7, 4, 4, 6064, 3772},
	{"ionosphere", 351, 0, 34, 2, 2, 0, 0},
	{"iris", 150, 0, 4, 3, 3, 0, 0},
	{"kr-vs-kp", 3196, 36, 0, 2, 2, 0, 0},
	{"labor", 57, 8, 8, 2, 2, 326, 56},
	{"liver-disorders", 345, 0, 6, 2, 2, 0, 0},
	{"lymphography", 148, 15, 3, 4, 4, 0, 0},
	{"monks1", 556, 6, 0, 2, 2, 0, 0},
	{"monks2", 601, 6, 0, 2, 2, 0, 0},
	{"monks3", 554, 6, 0, 2, 2, 0, 0},
	{"mushroom", 8124, 22, 0, 2, 2, 2480, 2480},
	{"nursery", 12960, 8, 0, 5, 5, 0, 0},
	{"optdigits", 5620, 0, 64, 10, 10, 0, 0},
	{"page-blocks", 5473, 0, 10, 5, 5, 0, 0},
	{"pasture", 36, 1, 21, 3, 3, 0, 0},
	{"pendigits", 10992, 0, 16, 10, 10, 0, 0},
	{"pima-diabetes", 768, 0, 8, 2, 2, 0, 0},
	{"postoperative", 90, 8, 0, 3, 3, 3, 3},
	{"primary-tumor", 339, 17, 0, 22, 21, 225, 207},
	{"segment", 2310, 0, 19, 7, 7, 0, 0},
	{"solar-flare-C", 323, 10, 0, 3, 3, 0, 0},
	{"solar-flare-M", 323, 10, 0, 4, 4, 0, 0},
	{"solar-flare-X", 323, 10, 0, 2, 2, 0, 0},
	{"sonar", 208, 0, 60, 2, 2, 0, 0},
	{"soybean", 683, 35, 0, 19, 19, 2337, 121},
	{"spambase", 4601, 0, 57, 2, 2, 0, 0},
	{"spect", 267, 22, 0, 2, 2, 0, 0},
	{"splice", 3190, 61, 0, 3, 3, 0, 0},
	{"squash-stored", 52, 3, 21, 3, 3, 7, 2},
	{"squash-unstored", 52, 3, 20, 3, 3, 39, 9},
	{"tae", 151, 2, 3, 3, 3, 0, 0},
	{"vehicle", 846, 0, 18, 4, 4, 0, 0},
	{"vote", 435, 16, 0, 2, 2, 392, 203},
	{"vowel", 990, 3, 10, 11, 11, 0, 0},
	{"waveform", 5000, 0, 40, 3, 3, 0, 0},
	{"white-clover", 63, 4, 27, 4, 4, 0, 0},
	{"wine", 178, 0, 13, 3, 3, 0, 0},
	{"wisconsin-breast-cancer", 699, 0, 9, 2, 2, 16, 16},
	{"yeast", 1484, 0, 8, 10, 10, 0, 0},
	{"zoo", 101, 16, 1, 7, 7, 0, 0},
}

// extra files have no published counts but their numbers of rows.
var extra = map[string]int{"car": 1728, "letter": 20000, "tic-tac-toe": 958}

func TestReferenceFiles(t *testing.T) {
	t.Parallel()
	shared := os.Getenv("LEARNBENCH_SHARED")
	if shared == "" {
		t.Skip("LEARNBENCH_SHARED is not set")
	}
	paths, err := filepath.Glob(filepath.Join(shared, "data", "*.arff"))
	require.NoError(t, err)
	require.Len(t, paths, len(reference)+len(extra))
	for name, n := range extra {
		table, err := Open(filepath.Join(shared, "data", name+".arff"), ReadOptions{})
		require.NoError(t, err)
		require.Equal(t, n, table.Len(), name)
	}
	for _, want := range reference {
		t.Run(want.name, func(t *testing.T) {
			t.Parallel()
			table, err := Open(filepath.Join(shared, "data", want.name+".arff"), ReadOptions{})
			require.NoError(t, err)
			got := want
			got.n = table.Len()
			got.declared = table.NumClasses()
			got.nominal, got.numeric, got.missing, got.missingRows = 0, 0, 0, 0
			for j := range table.ClassIndex() {
				if table.Attribute(j).Kind == Nominal {
					got.nominal++
				} else {
					got.numeric++
				}
			}
			classes := make(map[int]bool)
			for i := range table.Len() {
				classes[table.Class(i)] = true
				missing := 0
				for j := range table.ClassIndex() {
					if table.Missing(i, j) {
						missing++
					}
				}
				got.missing += missing
				got.missingRows += min(missing, 1)
			}
			got.occur = len(classes)
			require.Equal(t, want, got)
			requireRoundTrip(t, table)
		})
	}
}

// BenchmarkReadARFF reads 20000 rows of 16 numbers and a class.
func BenchmarkReadARFF(b *testing.B) {
	table := numbersTable(b, 20000, 16)
	var arff strings.Builder
	require.NoError(b, WriteARFF(&arff, table))
	b.SetBytes(int64(arff.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ReadARFF(strings.NewReader(arff.String()), "letters.arff",
			ReadOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}
