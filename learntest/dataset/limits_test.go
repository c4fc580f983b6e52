package dataset

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/stretchr/testify/require"
)

// allocated returns how many bytes f allocates, garbage included. Tests that
// call it must not run beside others.
func allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

func requireLimit(t testing.TB, err error, line int, msg string) {
	t.Helper()
	require.ErrorIs(t, err, ErrLimit)
	var syntax *SyntaxError
	require.ErrorAs(t, err, &syntax)
	require.Equal(t, line, syntax.Line, err)
	require.Contains(t, err.Error(), fmt.Sprintf("%s:%d: ", syntax.File, line))
	require.Contains(t, syntax.Msg, msg)
}

// TestLimitsAreExact reads each file at the least limit that lets it pass, and
// at one less.
func TestLimitsAreExact(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1<<17)
	const arff = "@relation r\n@attribute a real\n@attribute s string\n@attribute b {x,yy}\n@data\n"
	arffOpts := ReadOptions{Ignore: []string{"s"}}
	const bytesMsg, lineMsg, cellsMsg = "bytes, after unpacking if the file is compressed: raise ReadOptions.Limits.Bytes if so many are meant",
		"bytes in a line: raise ReadOptions.Limits.Line if so many are meant",
		"cells (rows × attributes, and 16 for each attribute and value declared): raise ReadOptions.Limits.Cells if so many are meant"
	for _, c := range []struct {
		name, file, text string
		opts             ReadOptions
		limit            func(l *Limits) *int64
		max              int
		line             int
		msg              string
	}{
		{"bytes", "f.arff", arff + "1,?,x\n", arffOpts, (*Limits).bytesField, len(arff) + 6, 6, bytesMsg},
		{"bytes", "f.csv", "a,b\n1,x\n2,y\n", ReadOptions{}, (*Limits).bytesField, 12, 3, bytesMsg},
		{
			"bytes before a CR", "f.csv", "a,b\r\n1,x\r\n",
			ReadOptions{},
			(*Limits).bytesField,
			10, 2, bytesMsg,
		},
		{"bytes of the mark", "f.csv", "\ufeffab\n", ReadOptions{}, (*Limits).bytesField, 6, 1, bytesMsg},
		{
			"bytes of a long line", "f.arff", arff + "1,?,x\n1," + long + ",x", arffOpts,
			(*Limits).bytesField, len(arff) + 6 + 4 + len(long), 7, bytesMsg,
		},
		{
			"short line", "f.arff", arff + "1,?,x\n1,a-rather-long-string,x\n", arffOpts,
			(*Limits).lineField, 25, 7, lineMsg,
		},
		{
			"header line", "f.arff", strings.Replace(arff, "@relation r", "@relation a-rather-long-name", 1),
			arffOpts, (*Limits).lineField, 29, 1, lineMsg,
		},
		{
			"long line", "f.arff", arff + "1,?,x\n1," + long + ",x\n1,?,x\n", arffOpts, (*Limits).lineField,
			len(long) + 5, 7, lineMsg,
		},
		{
			"long last line", "f.arff", arff + "1," + long + ",x", arffOpts, (*Limits).lineField,
			len(long) + 4, 6, lineMsg,
		},
		{"short row", "f.csv", "a,b\n1,x\n22,yy\n", ReadOptions{}, (*Limits).lineField, 6, 3, lineMsg},
		{"header row", "f.csv", "\ufeffaaa,b\n1,x\n", ReadOptions{}, (*Limits).lineField, 6, 1, lineMsg},
		{
			"long row", "f.csv", "a,b\n1,x\n1," + long + "\n2,x\n",
			ReadOptions{},
			(*Limits).lineField,
			len(long) + 3, 3, lineMsg,
		},
		{
			"row of several lines", "f.csv", "a,b\n1,\"x\ny\nz\"\n2,x\n",
			ReadOptions{},
			(*Limits).lineField,
			10, 2, lineMsg,
		},
		{
			"cells of dense rows", "f.arff", arff + "1,?,x\n\n2,?,x\n3,?,yy\n", arffOpts,
			(*Limits).cellsField, 5*16 + 3*2, 9, cellsMsg,
		},
		{
			"cells of sparse rows", "f.arff", arff + "{0 1}\n{}\n{}\n", arffOpts, (*Limits).cellsField,
			5*16 + 3*2, 8, cellsMsg,
		},
		{"cells of values", "f.arff", arff, arffOpts, (*Limits).cellsField, 5 * 16, 4, cellsMsg},
		{
			"cells of attributes", "f.arff", "@relation r\n@attribute a real\n@attribute b real\n@data\n",
			ReadOptions{},
			(*Limits).cellsField, 2 * 16, 3, cellsMsg,
		},
		{
			"cells of rows", "f.csv", "a,s,b\n1,?,x\n\n2,?,x\n",
			ReadOptions{Ignore: []string{"s"}},
			(*Limits).cellsField, 4*16 + 2*2, 4, cellsMsg,
		},
		{
			"cells of columns", "f.csv", "a,b\n1,2\n",
			ReadOptions{NoClass: true},
			(*Limits).cellsField,
			2*16 + 2, 2, cellsMsg,
		},
		{
			"cells of names", "f.csv", "a,b\n",
			ReadOptions{NoClass: true},
			(*Limits).cellsField, 2 * 16, 1,
			cellsMsg,
		},
		{
			"cells of values found", "f.csv", "a,b\n1,x\n2,y\n3,z\n",
			ReadOptions{},
			(*Limits).cellsField,
			5*16 + 3*2, 4, cellsMsg,
		},
		{
			"cells of numbers that become values", "f.csv", "a,b\n1,x\n2,x\ny,x\n",
			ReadOptions{},
			(*Limits).cellsField, 6*16 + 3*2, 4, cellsMsg,
		},
	} {
		t.Run(c.name+" "+c.file, func(t *testing.T) {
			t.Parallel()
			read := ReadARFF
			if strings.HasSuffix(c.file, ".csv") {
				read = ReadCSV
			}
			for _, in := range []func(string) io.Reader{
				func(s string) io.Reader { return strings.NewReader(s) },
				func(s string) io.Reader { return iotest.OneByteReader(strings.NewReader(s)) },
			} {
				*c.limit(&c.opts.Limits) = int64(c.max)
				_, err := read(in(c.text), c.file, c.opts)
				require.NoError(t, err)
				*c.limit(&c.opts.Limits)--
				_, err = read(in(c.text), c.file, c.opts)
				requireLimit(t, err, c.line, fmt.Sprintf("more than %d %s", c.max-1, c.msg))
			}
		})
	}
}

func (l *Limits) bytesField() *int64 { return &l.Bytes }
func (l *Limits) lineField() *int64  { return &l.Line }
func (l *Limits) cellsField() *int64 { return &l.Cells }

func TestNegativeLimits(t *testing.T) {
	t.Parallel()
	for name, l := range map[string]Limits{
		"Bytes": {Bytes: -1}, "Line": {Line: -1},
		"Cells": {Cells: -1},
	} {
		_, err := ReadARFF(strings.NewReader(weatherARFF), "f.arff", ReadOptions{Limits: l})
		require.ErrorIs(t, err, ErrOptions)
		require.ErrorContains(t, err, "Limits."+name+" is -1")
		_, err = ReadCSV(strings.NewReader("a\n"), "f.csv", ReadOptions{Limits: l})
		require.ErrorIs(t, err, ErrOptions)
	}
}

// zipped writes a file of the given number of copies of text, as fast as an
// attacker can: gzip files may be concatenated.
func zipped(t *testing.T, file, head, text string, copies int) (path string, size int64) {
	t.Helper()
	var start, member, b bytes.Buffer
	for buf, s := range map[*bytes.Buffer]string{&start: head, &member: text} {
		z, err := gzip.NewWriterLevel(buf, gzip.BestCompression)
		require.NoError(t, err)
		_, err = z.Write([]byte(s))
		require.NoError(t, err)
		require.NoError(t, z.Close())
	}
	b.Write(start.Bytes())
	for range copies {
		b.Write(member.Bytes())
	}
	path = filepath.Join(t.TempDir(), file)
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o600))
	return path, int64(b.Len())
}

// TestCompressedBombs opens small files that unpack to gigabytes: by the limits that are the default
// where LEARNBENCH_CI names slow, else by a sixteenth of each.
func TestCompressedBombs(t *testing.T) {
	const mib = 1 << 20
	share := int64(16)
	limits := Limits{Bytes: minUnpacked / share, Line: defaultLine / share, Cells: minCells / share}
	var opts ReadOptions
	if opts.Limits = limits; citest.Has(citest.Slow) {
		share = 1
		limits, opts = Limits{Bytes: minUnpacked, Line: defaultLine, Cells: minCells}, ReadOptions{}
	}
	longLine := fmt.Sprintf("more than %d bytes in a line", limits.Line)
	manyCells := fmt.Sprintf("more than %d cells (", limits.Cells)
	lines := func(line string) string { return strings.Repeat(line, mib/len(line)) }
	const arff = "@relation r\n@attribute a real\n@attribute b {x,y}\n@data\n"
	for _, c := range []struct {
		name, file, head, text string
		copies                 int
		line                   int // less the bytes in the buffer
		msg                    string
		most                   int64 // MiB allocated with the default limits
	}{
		{
			"zeros", "zeros.csv.gz", "", strings.Repeat("0", mib), 100, 1,
			longLine, 200,
		},
		{
			"zeros", "zeros.arff.gz", "", strings.Repeat("0", mib), 100, 1,
			longLine, 150,
		},
		{
			"zero bytes", "none.arff.gz", arff, strings.Repeat("\x00", mib), 1000, 5,
			longLine, 150,
		},
		{
			"open quote", "quote.csv.gz", "a,b\n1,\"", lines("x\n"), 100, int(limits.Line/2) + 2,
			longLine, 200,
		},
		{
			"separators", "commas.csv.gz", "", strings.Repeat(",", mib), 100, 1,
			manyCells + "16 for each field of a row", 150,
		},
		{
			"rows", "rows.csv.gz", "a,b\n", lines("1,2\n"), 100, int(limits.Cells/2) - 30,
			manyCells + "rows", 350,
		},
		{
			"rows", "rows.arff.gz", arff, lines("1,x\n"), 100, int(limits.Cells/2) - 27, manyCells + "rows",
			200,
		},
		{
			"sparse rows", "sparse.arff.gz", arff, lines("{}\n"), 100, int(limits.Cells/2) - 27,
			manyCells + "rows", 200,
		},
		{
			"comments", "comments.arff.gz", arff, lines("%" + strings.Repeat("x", 1022) + "\n"), 100, int(limits.Bytes/1024) + 4,
			fmt.Sprintf("more than %d bytes, after unpacking", limits.Bytes), 10,
		},
		{
			"blank lines", "blank.csv.gz", "a,b\n1,x\n", lines("\n"), 100, int(limits.Line) + 2,
			longLine, 10,
		},
	} {
		t.Run(c.name+" "+c.file, func(t *testing.T) {
			path, size := zipped(t, c.file, c.head, c.text, c.copies)
			require.Less(t, size, int64(8*mib))
			var err error
			used := allocated(func() { _, err = Open(path, opts) })
			t.Logf("%d bytes of gzip, %d allocated: %v", size, used, err)
			require.Less(t, used, c.most*mib/share)
			require.ErrorIs(t, err, ErrLimit)
			require.ErrorContains(t, err, c.msg)
			var syntax *SyntaxError
			require.ErrorAs(t, err, &syntax)
			require.Equal(t, path, syntax.File)
			require.GreaterOrEqual(t, syntax.Line, c.line)
			require.LessOrEqual(t, syntax.Line, c.line+1<<16)
		})
	}
}

// TestPlainBombs reads files that are not compressed and describe tables that
// are much larger.
func TestPlainBombs(t *testing.T) {
	const columns = 8000
	var wide strings.Builder
	wide.WriteString("@relation r\n")
	for j := range columns {
		fmt.Fprintf(&wide, "@attribute a%d real\n", j)
	}
	wide.WriteString("@data\n")
	head := wide.Len()
	wide.WriteString(strings.Repeat("{}\n", 100000)) // 8e8 cells
	var err error
	used := allocated(func() {
		_, err = ReadARFF(strings.NewReader(wide.String()), "wide.arff", ReadOptions{})
	})
	t.Logf("%d bytes, %d allocated: %v", wide.Len(), used, err)
	require.Less(t, used, int64(400<<20))
	require.Greater(t, head, minCells/cellsPerByte) // the limit follows from the bytes read
	rows := int64(0)
	for ; rows*columns+columns*cellsPerName <= cellsPerByte*(int64(head)+3*rows); rows++ {
	}
	requireLimit(t, err, int(columns+2+rows), fmt.Sprintf("more than %d cells",
		cellsPerByte*(int64(head)+3*rows)))
}

// TestSeparatorsAreCounted checks that a row with too many separators is not
// split, whatever separates its fields, and that a wide one is.
func TestSeparatorsAreCounted(t *testing.T) {
	for _, comma := range []rune{',', ';', '→'} {
		row := strings.Repeat(string(comma), 1<<19)
		opts := ReadOptions{Comma: comma, Limits: Limits{Cells: 1 << 16}}
		var err error
		used := allocated(func() { _, err = ReadCSV(strings.NewReader(row), "f.csv", opts) })
		requireLimit(t, err, 1, "more than 65536 cells (16 for each field of a row, as for each attribute): raise ReadOptions.Limits.Cells")
		require.Less(t, used, int64(25<<20))
	}
	var names strings.Builder
	for j := range 100000 {
		fmt.Fprintf(&names, "%d,", j)
	}
	table, err := ReadCSV(strings.NewReader(names.String()+"y\n"), "f.csv", ReadOptions{})
	require.NoError(t, err)
	require.Equal(t, 100001, table.NumAttributes())
}

// TestNumbersBecomeValuesWithinLimits turns a column of numbers into one of
// words when there is no room for so many.
func TestNumbersBecomeValuesWithinLimits(t *testing.T) {
	t.Parallel()
	c := csvColumn{budget: newBudget(Limits{Cells: 100 * cellsPerName})}
	for i := range 1000 {
		require.NoError(t, c.append(fmt.Append(nil, i)))
	}
	require.ErrorIs(t, c.append([]byte("word")), ErrLimit)
	require.Len(t, c.values, 100)
	require.EqualValues(t, 101, c.budget.names,
		"the first value too many is the last that is looked at")
}

// TestDefaultLimits checks what the defaults are for files of some sizes.
func TestDefaultLimits(t *testing.T) {
	t.Parallel()
	const gib = 1 << 30
	for _, c := range []struct{ size, bytes, cells int64 }{
		{0, 64 << 20, 4 << 20},
		{128 << 10, 64 << 20, 4 << 20},
		{1 << 20, 100 << 20, 32 << 20},
		{32 << 20, 3200 << 20, gib},
		{100 << 20, 4 * gib, gib},
		{math.MaxInt64, 4 * gib, gib},
	} {
		require.Equal(t, Limits{Bytes: c.bytes, Cells: c.cells}, Limits{}.compressed(c.size))
		set := Limits{Bytes: 1, Line: 2, Cells: 3}
		require.Equal(t, set, set.compressed(c.size))
		b := newBudget(Limits{})
		b.read(c.size)
		require.Equal(t, []int64{4 * gib, 16 << 20, c.cells},
			[]int64{b.bytes.Max, b.line.Max, b.cells.Max})
	}
}

// TestGigabyteFitsDefaults goes through the arithmetic of a file of a gigabyte
// whose 250 million rows have two numbers of one digit.
func TestGigabyteFitsDefaults(t *testing.T) {
	t.Parallel()
	b := newBudget(Limits{})
	b.width = 2
	require.NoError(t, b.bytes.Check(1e9))
	for range b.width {
		require.NoError(t, b.name())
	}
	for b.rows = 0; b.rows < 250e6; b.rows += 1e6 {
		b.read(4 + 4*b.rows)
		require.NoError(t, b.checkCells())
	}
}

func TestLongWordsAreShortenedInErrors(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 1<<15)
	cut := strings.Repeat("é", maxWord/2) + "…"
	for _, c := range []struct{ file, text, msg string }{
		{
			"f.arff", "@relation r\n@attribute a {x}\n@data\n" + long,
			`value "` + cut + `" of attribute "a" is not declared`,
		},
		{"f.arff", "@relation r\n@attribute a {x}\n@data\nx" + long, `value "x` + cut[:2*maxWord/2-2] +
			`…" of attribute`},
		{"f.arff", "@relation r\n@attribute " + long + " real\n@data\nx", `value "x" of attribute "` +
			cut + `" is not a number`},
		{"f.csv", "a\n" + long, `column "a": value "` + cut + `" is not a number`},
		{"f.csv", long + "\nx", `column "` + cut + `": value "x" is not a number`},
	} {
		read, opts := ReadARFF, ReadOptions{}
		if c.file == "f.csv" {
			name, _, _ := strings.Cut(c.text, "\n")
			read, opts = ReadCSV, ReadOptions{Kinds: map[string]Kind{name: Numeric}}
		}
		_, err := read(strings.NewReader(c.text), c.file, opts)
		require.ErrorContains(t, err, c.msg)
		require.Less(t, len(err.Error()), 3*maxWord)
	}
	require.Equal(t, strings.Repeat("\x80", maxWord-4)+"…", shorten(strings.Repeat("\x80", maxWord+9)),
		"no character starts anywhere")
}

// memoryBound is how many bytes reading n bytes may allocate if no more than
// the given number of cells are allowed, as the documentation of Limits says,
// and for buffers.
func memoryBound(n int, cells int64) int64 { return 1<<18 + 400*int64(n) + 50*cells }

// FuzzMemory checks that memory is bounded by the bytes read and by the limit
// of cells, whatever the bytes say.
func FuzzMemory(f *testing.F) {
	const cells = 2000
	for _, text := range []string{
		"@relation r\n@attribute a real\n@attribute b real\n@attribute c real\n@data\n" +
			strings.Repeat("{}\n", 3000),
		"@relation r\n" + strings.Repeat("@attribute a {b}\n", 3),
		"@relation r\n@attribute a {" + strings.Repeat("b ", 10) + "}\n@data\nb,{2}",
		strings.Repeat(",", 5000) + "\n",
		"a,b\n" + strings.Repeat("1,x\n", 100) + "\"" + strings.Repeat("\n", 5000),
		"a,b\n0,1\n1,1\n2,1\n3,1\nx,1\n",
		strings.Repeat("'x\\", 3000),
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, read := range []func(io.Reader, string, ReadOptions) (*Table, error){ReadARFF, ReadCSV} {
			var err error
			used := allocated(func() {
				_, err = read(strings.NewReader(text), "f", ReadOptions{Limits: Limits{Cells: cells}})
			})
			require.LessOrEqual(t, used, memoryBound(len(text), cells))
			if errors.Is(err, ErrLimit) {
				require.ErrorContains(t, err, "more than 2000 cells")
			}
		}
	})
}
