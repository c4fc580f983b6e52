package uci

import (
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// expected lists what SOURCES.md says of each set. A digest that changes makes
// every stored result on the set incomparable: do not change it.
var expected = []struct {
	name                                string
	load                                func() *dataset.Table
	n, nominal, numeric, classes, occur int
	missing                             int
	digest                              string
}{
	{
		"balance-scale", BalanceScale, 625, 0, 4, 3, 3, 0,
		"86da94a01dea4ce7afda8e399d42b365599405669d3b10033c9e7b63fb3f1a4e",
	},
	{
		"breast-cancer", BreastCancer, 286, 9, 0, 2, 2, 9,
		"f91c39c37d5724a74867778d6f25c56163833c51e689920963afcd36b6972547",
	},
	{
		"contact-lenses", ContactLenses, 24, 4, 0, 3, 3, 0,
		"0e8d7bd999c53daf05b93c1ae00a8ea64502eaabed93710ec7c0e0523a258a6a",
	},
	{
		"german-credit", GermanCredit, 1000, 13, 7, 2, 2, 0,
		"7affa6e19e123fe79be3f8c004e26e685e74dfc0547dbb23ef4589a59d43c481",
	},
	{
		"glass", Glass, 214, 0, 9, 7, 6, 0,
		"72cdf12aa9a72f3de9117322b0049d206060ae9d7463a7931846454080255b23",
	},
	{
		"ionosphere", Ionosphere, 351, 0, 34, 2, 2, 0,
		"7904525b58407e775256f98acee8a3e99216acd72afb8dd162e591ba611adf11",
	},
	{
		"iris", Iris, 150, 0, 4, 3, 3, 0,
		"5097526e53afa7f8651c22d6616053b22f7e1522ffb6a64ebee481c596ce8bd3",
	},
	{
		"labor", Labor, 57, 8, 8, 2, 2, 326,
		"7f791c44d5c8bae548de441b7ff9a1c74996a2b615d50720eae38f8ea47dd4bf",
	},
	{
		"monks1-all", Monks1All, 432, 6, 0, 2, 2, 0,
		"db6c25642379505ef5f1caa72fbe15e64aac974dcd29a237995e61e72194dc7b",
	},
	{
		"monks2-all", Monks2All, 432, 6, 0, 2, 2, 0,
		"d27bd4c03cfbc306408c389a06ba9c360afe6c03b10a260f1327c646d06feb5d",
	},
	{
		"monks3-all", Monks3All, 432, 6, 0, 2, 2, 0,
		"1fa37d56c3de9306a5e8dae29920f3a6e07904865afff137b46e09df8584c7c1",
	},
	{
		"pima-diabetes", PimaDiabetes, 768, 0, 8, 2, 2, 0,
		"5862338340de22c349b20f3900f9bb7af570a467f4e38963a6886b3f3a7f46b3",
	},
	{
		"sonar", Sonar, 208, 0, 60, 2, 2, 0,
		"2aca0d3c722a09c20c4406489f9cf78d08d11a300d56fde0ed9f89f7c27d6918",
	},
	{
		"soybean", Soybean, 683, 35, 0, 19, 19, 2337,
		"29978ec0d10971647f6af43963efb462f38a6168af08a9102644079ebe663ea1",
	},
	{
		"tic-tac-toe", TicTacToe, 958, 9, 0, 2, 2, 0,
		"506b23e0feb83f40d845c87fdb2c1b6ee4f4368d15cefaa56405f4018808aa65",
	},
	{
		"vehicle", Vehicle, 846, 0, 18, 4, 4, 0,
		"ff814f2c1d976160de6ce19771bb2b47a46879e61a87460c0e18ec4846280654",
	},
	{
		"vote", Vote, 435, 16, 0, 2, 2, 392,
		"9c2c757fac536e082f645ef3162acd0551387062e243aba53af1e44aedd3fa61",
	},
	{
		"wine", Wine, 178, 0, 13, 3, 3, 0,
		"669cb39b05e9bebf57b83fdae01061f50361aa9c8133c82a8dbbcd17886f9d1c",
	},
	{
		"wisconsin-breast-cancer", WisconsinBreastCancer, 699, 0, 9, 2, 2, 16,
		"4457cc6b2b56cf2732c7ea6694351848cd7d3e3205db27a97170baf4a56468fc",
	},
	{
		"zoo", Zoo, 101, 16, 1, 7, 7, 0,
		"cedec6fd8c3c9858b2c6bdbdafbef2254131b04e6cf28088abc4d9d9a0a37a40",
	},
}

func TestTables(t *testing.T) {
	t.Parallel()
	for _, want := range expected {
		t.Run(want.name, func(t *testing.T) {
			t.Parallel()
			table := want.load()
			require.Equal(t, want.name, table.Name())
			require.Equal(t, want.n, table.Len())
			require.Equal(t, table.NumAttributes()-1, table.ClassIndex())
			require.Nil(t, table.Weights())
			var nominal, numeric, missing int
			for j := range table.ClassIndex() {
				if table.Attribute(j).Kind == dataset.Nominal {
					nominal++
				} else {
					numeric++
				}
				for i := range table.Len() {
					if table.Missing(i, j) {
						missing++
					}
				}
			}
			classes := make(map[int]bool)
			for i := range table.Len() {
				require.GreaterOrEqual(t, table.Class(i), 0)
				classes[table.Class(i)] = true
			}
			require.Equal(t, want.nominal, nominal)
			require.Equal(t, want.numeric, numeric)
			require.Equal(t, want.missing, missing)
			require.Equal(t, want.classes, table.NumClasses())
			require.Len(t, classes, want.occur)
			digest, err := table.Digest()
			require.NoError(t, err)
			require.Equal(t, want.digest, digest)
		})
	}
}

func TestNamesAreAllTablesInOrder(t *testing.T) {
	t.Parallel()
	names := Names()
	require.True(t, sort.StringsAreSorted(names))
	require.Len(t, names, len(expected))
	for i, want := range expected {
		require.Equal(t, want.name, names[i])
	}
}

func TestNamesAreTheCallers(t *testing.T) {
	t.Parallel()
	Names()[0] = "changed"
	require.Equal(t, "balance-scale", Names()[0])
}

func TestLoadSharesTables(t *testing.T) {
	t.Parallel()
	table, err := Load("iris")
	require.NoError(t, err)
	require.Same(t, table, Iris())
}

func TestLoadOfUnknownNameListsNames(t *testing.T) {
	t.Parallel()
	_, err := Load("Iris")
	require.ErrorIs(t, err, ErrUnknown)
	require.ErrorContains(t, err, `unknown data set "Iris": did you mean iris? There are balance-scale, breast-cancer, `)
	require.ErrorContains(t, err, "wine, wisconsin-breast-cancer, zoo")
}

func TestSourcesDescribeEveryTable(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("SOURCES.md")
	require.NoError(t, err)
	for _, want := range expected {
		missing, classes := "none", fmt.Sprint(want.classes)
		if want.missing > 0 {
			missing = fmt.Sprint(want.missing)
		}
		if want.occur != want.classes {
			classes = fmt.Sprintf("%d of %d", want.occur, want.classes)
		}
		row := fmt.Sprintf("| %s | %d | %d nominal, %d numeric | %s | %s |",
			want.name, want.n, want.nominal, want.numeric, classes, missing)
		require.Equal(t, 1, strings.Count(string(b), row), row)
	}
}

func BenchmarkLoadVehicle(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := embedded("vehicle").load(); err != nil {
			b.Fatal(err)
		}
	}
}
