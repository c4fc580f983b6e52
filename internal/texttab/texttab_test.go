package texttab

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// lines joins lines with newlines.
func lines(text ...string) string { return strings.Join(text, "\n") + "\n" }

func TestTableInTheMannerOfBenchstat(t *testing.T) {
	t.Parallel()
	tab := New(
		Group{Columns: []Column{{}}},
		Group{Title: "old.txt", Columns: []Column{{Title: "accuracy", TitleAlign: Center}}},
		Group{Title: "new.txt", Columns: []Column{
			{Title: "accuracy", TitleAlign: Center},
			{Title: "vs base", Align: Right, TitleAlign: Center},
			{},
		}},
	)
	tab.Row("vehicle/c45", "73.52% ± 1.2", "69.11% ± 1.4", "-4.41",
		"(p=0.001 n=10×10) "+tab.Note("a doubt"))
	tab.Row("iris/nb", "95.3% ± 0.3", "95.4% ± 0.3", "~",
		"(p=0.412 n=10×10) "+tab.Note("another doubt"))
	tab.Row("mean", "84.4%", "82.3%", "", tab.Note("a doubt"))
	require.Equal(t, lines(
		"            │   old.txt    │                  new.txt                   │",
		"            │   accuracy   │   accuracy    vs base                      │",
		"vehicle/c45   73.52% ± 1.2   69.11% ± 1.4    -4.41  (p=0.001 n=10×10) ¹",
		"iris/nb       95.3% ± 0.3    95.4% ± 0.3         ~  (p=0.412 n=10×10) ²",
		"mean          84.4%          82.3%                  ¹",
		"¹ a doubt",
		"² another doubt",
	), tab.String())
}

func TestTableWithoutTitles(t *testing.T) {
	t.Parallel()
	tab := New(Group{Columns: []Column{{}, {Align: Right}}})
	tab.Row("a", "1")
	tab.Row("bcd", "100")
	tab.Row("e")
	tab.Row()
	require.Equal(t, lines("a      1", "bcd  100", "e", ""), tab.String())
	require.Empty(t, New().String())
}

func TestTableWithTitlesOfColumnsOnly(t *testing.T) {
	t.Parallel()
	tab := New(Group{Columns: []Column{{Title: "name"}, {
		Title: "n", Align: Right,
		TitleAlign: Right,
	}}})
	tab.Row("x", "150")
	require.Equal(t, lines("name    n", "x     150"), tab.String())
}

func TestTableWidensForTheTitleOfAGroup(t *testing.T) {
	t.Parallel()
	tab := New(Group{Columns: []Column{{}}}, Group{
		Title:   "a long title",
		Columns: []Column{{}, {Align: Right}},
	}, Group{Title: "b", Columns: []Column{{}}})
	tab.Row("r", "1", "2", "3")
	require.Equal(t, lines(
		"  │ a long title │ b │",
		"r   1          2   3",
	), tab.String())
}

func TestNotesBeyondNine(t *testing.T) {
	t.Parallel()
	tab := New()
	for i := range 11 {
		tab.Note(strings.Repeat("x", i))
	}
	require.Equal(t, "¹²", tab.Note("twelfth"))
	require.Equal(t, "¹⁰", tab.Note(strings.Repeat("x", 9)))
}

func TestRowPanicsOnTooManyCells(t *testing.T) {
	t.Parallel()
	require.Panics(t, func() { New(Group{Columns: []Column{{}}}).Row("a", "b") })
}

func TestWidth(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"": 0, "abc": 3, "± 1%": 4, "größe": 5, "gro\u0308ße": 5,
		"日本": 4, "a\u200bb": 2, "¹": 1, "│": 1,
	} {
		require.Equal(t, want, Width(text), "%q", text)
	}
}

// Every row is one line for any cells, no line ends with a space, and
// the columns start at the same place.
func TestColumnsLineUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tab := New(Group{Title: rapid.String().Draw(t, "title"), Columns: []Column{{}, {Align: Center}}},
			Group{Columns: []Column{{Align: Right}, {}}})
		n := rapid.IntRange(1, 5).Draw(t, "rows")
		for range n {
			tab.Row(rapid.String().Draw(t, "a"), rapid.String().Draw(t, "b"), rapid.String().Draw(t, "c"),
				"│")
		}
		groups, _ := tab.titles()
		got := strings.Split(strings.TrimSuffix(tab.String(), "\n"), "\n")
		if groups {
			n++
		}
		require.Len(t, got, n)
		last := -1
		for i, l := range got {
			require.Equal(t, strings.TrimRight(l, " "), l)
			if groups && i == 0 {
				continue
			}
			at := Width(l[:strings.LastIndex(l, "│")])
			require.True(t, last < 0 || last == at, "%q", got)
			last = at
		}
	})
}

func TestColorsTakeNoRoom(t *testing.T) {
	t.Parallel()
	make := func(color bool) *Table {
		table := New(Group{Columns: []Column{{Title: "row"}}},
			Group{Columns: []Column{{Title: "number", Align: Right}}})
		table.Row("a", "+1")
		if color {
			table.Color(1, "31")
			table.Color(0, "32")
		}
		table.Row("b", "-100")
		return table
	}
	plain, colored := make(false), make(true)
	require.Equal(t, plain.Width(), colored.Width())
	require.Equal(t, plain.String(), strings.NewReplacer("\x1b[31m", "", "\x1b[32m", "", "\x1b[m",
		"").Replace(colored.String()))
	require.Contains(t, colored.String(), "\x1b[32ma\x1b[m")
	require.Contains(t, colored.String(), "    \x1b[31m+1\x1b[m\n")
	require.Equal(t, Width("row")+Width(" │ ")+Width("number"), plain.Width())
}
