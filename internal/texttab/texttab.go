// Package texttab lays out tables as text in the manner of benchstat: columns
// in groups, a header with a rule between the groups, footnotes.
//
//	            │   old.txt   │              new.txt              │
//	            │  accuracy   │  accuracy    vs base              │
//	vehicle/c45   73.5% ± 1.2   69.1% ± 1.4     -4.4  (p=0.001) ¹
//	¹ lines under the table
package texttab

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// An Align says where the text of a cell goes if the column is wider.
type Align uint8

// The alignments.
const (
	Left Align = iota
	Right
	Center
)

// A Column describes the cells of a column.
type Column struct {
	Title      string // in the second line of the header
	Align      Align  // of the cells
	TitleAlign Align  // of the title
}

// A Group is a series of columns that stand between two rules of the header.
type Group struct {
	Title   string // in the first line of the header, in the middle of the group
	Columns []Column
}

const (
	rule   = " │ " // before a group in the header
	space  = "   " // before a group in a row
	gutter = "  "  // before a column that is not the first of its group
)

// A Table is a table under construction. Its first group is the labels of the
// rows; no rule comes before it.
type Table struct {
	groups []Group
	rows   [][]string
	colors map[[2]int]string // by row and column
	notes  []string
}

// New returns a table without rows.
func New(groups ...Group) *Table {
	return &Table{groups: slices.Clone(groups)}
}

// Row adds a row. Cells at the end that are missing are empty; it panics if
// there are more cells than columns. Control characters become spaces.
func (t *Table) Row(cells ...string) {
	columns := 0
	for _, g := range t.groups {
		columns += len(g.Columns)
	}
	if len(cells) > columns {
		panic(fmt.Sprintf("texttab: %d cells in %d columns", len(cells), columns))
	}
	row := make([]string, columns)
	for i, c := range cells {
		row[i] = clean(c)
	}
	t.rows = append(t.rows, row)
}

// Color has a cell of the last row written in a color of the terminal, such as "31" for
// red. It takes no room.
func (t *Table) Color(column int, sgr string) {
	if t.colors == nil {
		t.colors = make(map[[2]int]string)
	}
	t.colors[[2]int{len(t.rows) - 1, column}] = sgr
}

// Note returns the mark of a footnote, to be put into a cell. The same text has
// the same mark.
func (t *Table) Note(text string) string {
	text = clean(text)
	i := slices.Index(t.notes, text)
	if i < 0 {
		i = len(t.notes)
		t.notes = append(t.notes, text)
	}
	return Mark(i + 1)
}

// Mark returns a number in superscript digits.
func Mark(n int) string {
	digits := []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")
	var b []rune
	for _, c := range fmt.Sprint(n) {
		b = append(b, digits[c-'0'])
	}
	return string(b)
}

// String returns the lines of the table: the header, unless it has no titles
// at all, the rows, and the footnotes. No line ends with a space.
func (t *Table) String() string {
	widths := t.widths()
	var b strings.Builder
	groups, columns := t.titles()
	if groups {
		t.header(&b, widths, func(g Group, widths []int) string {
			return pad(clean(g.Title), total(widths), Center)
		})
	}
	if columns {
		t.header(&b, widths, func(g Group, widths []int) string {
			cells := make([]string, len(g.Columns))
			for i, c := range g.Columns {
				cells[i] = pad(clean(c.Title), widths[i], c.TitleAlign)
			}
			return strings.Join(cells, gutter)
		})
	}
	for n, row := range t.rows {
		parts := make([]string, len(t.groups))
		at := 0
		for i, g := range t.groups {
			cells := make([]string, len(g.Columns))
			for j, c := range g.Columns {
				cells[j] = pad(row[j], widths[i][j], c.Align)
				if sgr := t.colors[[2]int{n, at}]; sgr != "" && row[j] != "" {
					cells[j] = strings.Replace(cells[j], row[j], "\x1b["+sgr+"m"+row[j]+"\x1b[m", 1)
				}
				at++
			}
			row = row[len(cells):]
			parts[i] = strings.Join(cells, gutter)
		}
		line(&b, strings.Join(parts, space))
	}
	for i, text := range t.notes {
		line(&b, Mark(i+1)+" "+text)
	}
	return b.String()
}

// Width returns the number of columns of a terminal that the rows take.
func (t *Table) Width() int {
	sum := 0
	for i, w := range t.widths() {
		sum += total(w)
		if i > 0 {
			sum += Width(rule)
		}
	}
	return sum
}

// header writes a line of the header.
func (t *Table) header(b *strings.Builder, widths [][]int, title func(Group, []int) string) {
	parts := make([]string, len(t.groups))
	for i, g := range t.groups {
		parts[i] = title(g, widths[i])
	}
	text := strings.Join(parts, rule)
	if len(parts) > 1 {
		text += strings.TrimRight(rule, " ")
	}
	line(b, text)
}

// titles reports whether a group and whether a column has a title.
func (t *Table) titles() (groups, columns bool) {
	for _, g := range t.groups {
		groups = groups || g.Title != ""
		for _, c := range g.Columns {
			columns = columns || c.Title != ""
		}
	}
	return groups, columns
}

// widths returns the widths of the columns of each group. A title that is wider
// than its group widens the last column.
func (t *Table) widths() [][]int {
	widths := make([][]int, len(t.groups))
	at := 0
	for i, g := range t.groups {
		widths[i] = make([]int, len(g.Columns))
		for j, c := range g.Columns {
			w := Width(clean(c.Title))
			for _, row := range t.rows {
				w = max(w, Width(row[at]))
			}
			widths[i][j] = w
			at++
		}
		if n := len(g.Columns); n > 0 {
			widths[i][n-1] += max(0, Width(clean(g.Title))-total(widths[i]))
		}
	}
	return widths
}

// total returns the width of a group.
func total(widths []int) int {
	sum := len(gutter) * max(0, len(widths)-1)
	for _, w := range widths {
		sum += w
	}
	return sum
}

// pad fills text up to a width.
func pad(text string, width int, align Align) string {
	n := max(0, width-Width(text))
	left := 0
	switch align {
	case Right:
		left = n
	case Center:
		left = n / 2
	}
	return strings.Repeat(" ", left) + text + strings.Repeat(" ", n-left)
}

func line(b *strings.Builder, text string) {
	b.WriteString(strings.TrimRight(text, " "))
	b.WriteByte('\n')
}

// clean replaces what would break a line.
func clean(text string) string {
	if isPlain(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, text)
}

// isPlain reports whether a text is of ASCII characters that show, as most are.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

// wide are the blocks of characters that take two columns of a terminal.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x1100, 0x115f, 1},
		{0x2e80, 0x303e, 1},
		{0x3041, 0xa4cf, 1},
		{0xac00, 0xd7a3, 1},
		{0xf900, 0xfaff, 1},
		{0xfe30, 0xfe6f, 1},
		{0xff00, 0xff60, 1},
		{0xffe0, 0xffe6, 1},
	},
	R32: []unicode.Range32{{0x1f300, 0x1f64f, 1}, {0x1f900, 0x1f9ff, 1}, {0x20000, 0x3fffd, 1}},
}

// Width returns the number of columns of a terminal that text takes: none for
// a combining mark, two for a character of East Asia or an emoji.
func Width(text string) int {
	if isPlain(text) {
		return len(text)
	}
	w := 0
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case unicode.Is(wide, r):
			w += 2
		default:
			w++
		}
	}
	return w
}
