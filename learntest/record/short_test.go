package record

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// long returns a text with the same content that has no trial in the short form.
func long(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if isTrial([]byte(line)) {
			line = strings.Replace(line, " ", "  ", 1)
		}
		b.WriteString(line)
	}
	return b.String()
}

// The short form is an abbreviation only: a line is read as a reader of the
// benchmark format reads it, or it is the same error.
func TestShortFormIsThatOfTheFormat(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		full := textOf(t, genSet(genUnits().Draw(t, "units")).Draw(t, "set"))
		if rapid.Bool().Draw(t, "without checksum") {
			full = withoutChecksum(full)
		}
		if rapid.Bool().Draw(t, "damaged") {
			full = damageTrial(t, full)
		}
		requireSame(t, full)
	})
}

// damageTrial changes a byte of a trial, or adds or removes one.
func damageTrial(t *rapid.T, full string) string {
	from := strings.Index(full, "BenchmarkCV")
	at := rapid.IntRange(from, len(full)-1).Draw(t, "at")
	c := string(rapid.OneOf(rapid.SampledFrom([]byte("0123456789.e+-_ \n\t/=%NIx")),
		rapid.Byte()).Draw(t, "byte"))
	switch rapid.IntRange(0, 2).Draw(t, "damage") {
	case 0:
		return full[:at] + c + full[at+1:]
	case 1:
		return full[:at] + c + full[at:]
	}
	return full[:at] + full[at+1:]
}

// requireSame reads a text with and without the short form, and with and without times.
func requireSame(t require.TestingT, full string) {
	for _, r := range []Reader{{}, {NoTimes: true}} {
		requireSameOf(t, r, full)
	}
}

func requireSameOf(t require.TestingT, r Reader, full string) {
	got, err := r.Read(strings.NewReader(full), "f.txt")
	want, wantErr := r.Read(strings.NewReader(long(full)), "f.txt")
	if wantErr != nil {
		require.EqualError(t, err, wantErr.Error(), full)
		return
	}
	require.NoError(t, err, full)
	require.Len(t, got.Blocks(), len(want.Blocks()))
	for i, b := range got.Blocks() {
		w := want.Blocks()[i]
		require.Equal(t, contentOf(w), contentOf(b), full)
		require.Equal(t, w.Checksum(), b.Checksum()) // which sees the sign of a zero
		require.Equal(t, w.Pos(), b.Pos())
		for cell := range b.Trials() {
			at, _ := b.table.find(b.index[cell.Learner], cell.Run, cell.Fold)
			require.Equal(t, w.pos(at), b.pos(at))
		}
	}
}

// Lines that are nearly in the short form, one after another that is.
func TestShortFormOfOddLines(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 3, 3, "c45", "nb")
	s.Trials = s.Trials[:2]
	full := withoutChecksum(textOf(t, s))
	last := "BenchmarkCV/data=vehicle/learner=nb/run=2/fold=3 1 0.25 accuracy 21 train-n 10 test-n 0.5 fit-sec/op 4e-05 predict-sec/op"
	requireSame(t, full+last+"\n")
	for _, c := range [][2]string{
		{"vehicle", "vehicles"},
		{"vehicle", "vehicl%65"},
		{"learner=nb", "learner=n"},
		{"learner=nb", "learner=nbb"},
		{"learner=nb", "learner=c45"},
		{"run=2", "run=0"},
		{"run=2", "run=02"},
		{"run=2", "run="},
		{"run=2", "run=123456789"},
		{"run=2", "run=1234567891"},
		{"run=2", "run=4294967298"},
		{"run=2", "run=2:"},
		{"run=2", "run=/"},
		{"fold=3", "fold=4"},
		{"fold=3", "fold=3/"},
		{" 1 ", " 2 "},
		{" 1 ", " 01 "},
		{"0.25", "-0"},
		{"0.25", "-0.25"},
		{"0.25", "-"},
		{"0.25", "."},
		{"0.25", ".25"},
		{"0.25", "25."},
		{"0.25", "-.25"},
		{"0.25", "+0.25"},
		{"0.25", "0.25e"},
		{"0.25", "0.25e-"},
		{"0.25", "25e-2"},
		{"0.25", "25e-02"},
		{"0.25", "25e-002"},
		{"0.25", "25e-0:"},
		{"0.25", "25e-:0"},
		{"0.25", "25e+02"},
		{"0.25", "25e02"},
		{"0.25", "0.2.5"},
		{"0.25", "0.2/5"},
		{"0.25", "0.2:5"},
		{"0.25", "0x1p-2"},
		{"0.25", "1_0"},
		{"0.25", "NaN"},
		{"0.25", "inf"},
		{"0.25", "1e400"},
		{"0.25", "1e-400"},
		{"0.25", "99999999999999999999"},
		{"0.25", "18446744073709551617"},
		{"accuracy", "accurac"},
		{"accuracy", "accuracyy"},
		{"21 train-n", "0 train-n"},
		{"21 train-n", "21 train-nn"},
		{"21 train-n", "2.1e1 train-n"},
		{"10 test-n", "010 test-n"},
		{"10 test-n", "0 test-n"},
		{" 0.5 fit", "  0.5 fit"},
		{" 0.5 fit", "\t0.5 fit"},
		{" 0.5 fit", "x0.5 fit"},
		{"0.5 fit", "-0.5 fit"},
		{"0.5 fit-sec/op 4e-05 predict-sec/op", ""},
		{" 0.5 fit-sec/op 4e-05 predict-sec/op", ""},
		{" 4e-05 predict-sec/op", ""},
		{"predict-sec/op", "predict-sec/op "},
		{"predict-sec/op", "predict-sec/op 1 failed"},
		{"predict-sec/op", "predict-sec/o"},
		{"predict-sec/op", "predict-sec/op\r"},
	} {
		require.Contains(t, last, c[0])
		requireSame(t, full+strings.Replace(last, c[0], c[1], 1)+"\n")
	}
	timeless := strings.ReplaceAll(full, " 0.0012 fit-sec/op 4e-05 predict-sec/op", "")
	requireSame(t, timeless+last+"\n")
	requireSame(t, timeless+strings.Replace(last, " 0.5 fit-sec/op 4e-05 predict-sec/op", "", 1)+"\n")
}

// The learners of the lines need not take turns.
func TestShortFormTakesLearnersInAnyOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := sampleSet("vehicle", 2, 2, "a", "aa", "b")
		full := withoutChecksum(textOf(t, s))
		i := strings.Index(full, "BenchmarkCV")
		lines := rapid.Permutation(strings.SplitAfter(strings.TrimSuffix(full[i:], "\n"), "\n")).Draw(t,
			"lines")
		text := full[:i]
		for _, line := range lines {
			text += strings.TrimSuffix(line, "\n") + "\n"
		}
		requireSame(t, text)
		require.Equal(t, contentOf(s.block(t)), contentOf(readText(t, text).Blocks()[0]))
	})
}

// A plain line in the short form costs no memory, which shows that it is read as
// one.
func TestShortFormIsTaken(t *testing.T) {
	s := sampleSet("vehicle", 2, 3, "c45", "n b")
	s.Units = append(s.Units, unit.Unit{
		Name: "log loss", Better: unit.Lower, Min: 0,
		Max: math.Inf(1),
	})
	for i := range s.Trials {
		s.Trials[i].Values = append(s.Trials[i].Values, 1e-7/float64(i+3))
	}
	full := textOf(t, s)
	for _, timeless := range []bool{false, true} {
		if timeless {
			s.Timeless = true
			full = textOf(t, s)
		}
		p, err := Reader{}.newParser(strings.NewReader(full), "f.txt")
		require.NoError(t, err)
		taken := 0
		for {
			text, err := p.lineReader.next()
			if err != nil {
				break
			}
			switch {
			case p.b != nil:
				require.True(t, p.takeShort(text), "%s", text)
				taken++
			case bytes.HasPrefix(text, trialPrefix):
				require.NoError(t, p.trial(text))
			case bytes.HasPrefix(text, []byte(keyFormat)):
				p.begin()
				fallthrough
			default:
				require.NoError(t, p.other(text))
			}
		}
		require.Equal(t, 11, taken)
		require.Equal(t, timeless, p.form != nil, "of the first line: only it says that there are no times")
	}
}

// A time before zero is refused in every line, whichever lines are before it.
func TestNegativeTimesAreRefused(t *testing.T) {
	t.Parallel()
	for full, units := range map[string][]string{
		withoutChecksum(textOf(t, sampleSet("vehicle", 2, 2, "c45", "nb"))): {unitFit, unitPredict},
		withoutChecksum(text(t, sampleItems(t, 2, "agent", "b"))):           {unitCall},
	} {
		for _, unit := range units {
			changed := regexp.MustCompile(`[^ ]+ ` + unit)
			for i, at := range changed.FindAllStringIndex(full, -1) {
				negative := full[:at[0]] + "-1 " + unit + full[at[1]:]
				for _, r := range []Reader{{}, {NoTimes: true}} {
					_, err := r.Read(strings.NewReader(negative), "f.txt")
					require.ErrorContains(t, err, "is -1", "%s of trial %d", unit, i)
				}
			}
		}
	}
}

// A number is read as the nearest float64, bit for bit.
func TestNumbersAreThoseOfStrconv(t *testing.T) {
	t.Parallel()
	n := 100_000
	if citest.Has(citest.Slow) {
		n *= 10
	}
	rng := rand.New(rand.NewPCG(1, 1))
	after := []byte(" unit")
	text := make([]byte, 0, 80)
	digits := func(n int) {
		for range n {
			text = append(text, byte('0'+rng.IntN(10)))
		}
	}
	taken := 0
	for range n {
		text = text[:0]
		if rng.IntN(8) == 0 {
			text = append(text, '-')
		}
		switch rng.IntN(5) {
		case 4: // seconds
			text = strconv.AppendFloat(text, rng.Float64()*12, 'f', rng.IntN(19), 64)
		case 0: // as Write spells it
			text = appendFloat(text, math.Float64frombits(rng.Uint64()))
		case 1:
			text = appendFloat(text, rng.Float64())
		default:
			digits(rng.IntN(22))
			if rng.IntN(4) > 0 {
				text = append(text, '.')
				digits(rng.IntN(24))
			}
			if rng.IntN(3) == 0 {
				text = append(text, [...]string{"e", "e-", "e+", "E", "e-0"}[rng.IntN(5)]...)
				digits(rng.IntN(4))
			}
		}
		number := string(text)
		text = append(text, " unit 1"...)
		x, rest, ok := cutFloat(text, after)
		left, skipped := skipFloat(text, after)
		if skipped != (ok && !(x < 0)) || skipped && string(left) != string(rest) {
			t.Fatalf("%s is skipped: %v, with the rest %q; it is taken: %v, with the rest %q", number,
				skipped, left, ok, rest)
		}
		if !ok {
			continue
		}
		taken++
		want, err := strconv.ParseFloat(number, 64)
		if err != nil || math.Float64bits(want) != math.Float64bits(x) || string(rest) != " 1" {
			t.Fatalf("%s is %v with the rest %q, want %v, %v", number, x, rest, want, err)
		}
	}
	require.Greater(t, taken, n/2)
}

// Nothing but a number that its unit follows is taken.
func TestNumbersThatAreNotTaken(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "-", ".", "1.5", "1.5e-0", "1.5e-05", "- u", ". u", " u", "1", "1 v", "1  u", "1u", "1e-5",
		"1e-05", "1e-05u", "1.5.2 u", "0x10 u", "1_0 u",
		"NaN u", "Inf u", "1e999 u", "1/ u", "1: u", "1e u", "1ee5 u", "--1 u", "1-5 u",
		"123456789012345678901",
	} {
		_, _, ok := cutFloat([]byte(text), []byte(" u"))
		require.False(t, ok, text)
	}
	for text, want := range map[string]float64{
		"1 u": 1, ".5 u": 0.5, "-.5 u": -0.5, "+1 u": 1, "00.50 u": 0.5, "5e-01 u": 0.5, "5.e-01 u": 0.5,
		"5e-1 u": 0.5, "5e-001 u": 0.5, "0.05e1 u": 0.5, "9007199254740993 u": 9007199254740992,
		"12345678901234567890 u": 12345678901234567000, "1e-22 u": 1e-22, "1e-23 u": 1e-23,
		"0.1e-22 u": 1e-23, "36893488147419103233 u": 36893488147419103232,
	} {
		x, rest, ok := cutFloat([]byte(text), []byte(" u"))
		require.True(t, ok, text)
		require.Equal(t, want, x)
		require.Empty(t, rest)
	}
	x, _, ok := cutFloat([]byte("-0 u"), []byte(" u"))
	require.True(t, ok && math.Signbit(x))
}

// Eight digits are a number, and any other byte among them shows.
func TestEightDigits(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		want := rng.Uint64N(1e8)
		text := fmt.Appendf(nil, "%08d", want)
		x, ok := eightDigits(binary.LittleEndian.Uint64(text))
		require.True(t, ok)
		require.Equal(t, want, x)
		at := rng.IntN(8)
		for c := range 256 {
			text[at] = byte(c)
			if _, ok := eightDigits(binary.LittleEndian.Uint64(text)); ok != (c >= '0' && c <= '9') {
				t.Fatalf("%q: %v", text, ok)
			}
		}
	}
}

// Nothing but a number is skipped, however long it is.
func TestSkippedTextIsANumber(t *testing.T) {
	t.Parallel()
	for n := 1; n < 24; n++ {
		number := []byte("0123456789012345678901234"[:n])
		for at := range number {
			for _, c := range []byte{'.', 'x', '-', ' '} {
				text := slices.Concat(number, []byte(" u"))
				text[at] = c
				x, rest, ok := cutFloat(text, []byte(" u"))
				left, skipped := skipFloat(text, []byte(" u"))
				require.Equal(t, ok && x >= 0, skipped, "%s", text)
				if skipped {
					require.Equal(t, rest, left)
				}
				_, skipped = skipFloat(text, []byte(" v"))
				require.False(t, skipped)
				text[0] = '0'
				text[min(1, len(text)-3)] = '.'
				_, _, ok = cutFloat(text, []byte(" u"))
				_, skipped = skipFloat(text, []byte(" u"))
				require.Equal(t, ok, skipped, "%s", text)
			}
		}
	}
}

// TestShortFormRemembersTheLastLine reads lines whose run, fold and sizes follow from the line
// before.
func TestShortFormRemembersTheLastLine(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 2, 3, "c45", "nb")
	p, err := Reader{}.newParser(strings.NewReader(textOf(t, s)), "f.txt")
	require.NoError(t, err)
	_, err = p.next()
	require.NoError(t, err)
	require.Equal(t, "2/fold=3 1 ", string(p.short.place.text))
	require.Regexp(t, `^\d+ train-n \d+ test-n$`, string(p.short.sizes.text))
}

// Numbers in the spelling of Write need no help of strconv, unless they have more
// digits or decimals than float64s can hold.
func TestNumbersThatArePlain(t *testing.T) {
	t.Parallel()
	for _, number := range []string{
		"0", "-0", "7", "89", "90", "761", "0.25", "-1.5", "0.09", "1.90", "4e-05", "4e-10", "1.2e-09",
		"-9.8e-19", "9007199254740991", "0.1234567890123456",
		"1e-22", "1.5e-21", "0000000000000000001", "0.000000000000000001", "5.",
	} {
		x, rest, ok := cutPlainFloat([]byte(number+" unit 1"), []byte(" unit"))
		require.True(t, ok, number)
		want, err := strconv.ParseFloat(number, 64)
		require.NoError(t, err)
		require.Equal(t, math.Float64bits(want), math.Float64bits(x), number)
		require.Equal(t, " 1", string(rest))
		_, _, ok = cutPlainFloat([]byte(number+" other"), []byte(" unit"))
		require.False(t, ok)
	}
	for _, number := range []string{
		"9007199254740992", "12345678901234567890", "0.12345678901234567", "1e-23", "1.5e-22", "1e-100",
		"1e-5", "1e+05", "1e05", "e-05",
		"00000000000000000001", "0.0000000000000000001", "18446744073709551617", ".5", "-", "", "1e-0:",
		"1e-:0", "1e-0/", "1e-/0", "1e--5",
	} {
		_, _, ok := cutPlainFloat([]byte(number+" unit 1"), []byte(" unit"))
		require.False(t, ok, number)
	}
}

func TestCountsThatAreTaken(t *testing.T) {
	t.Parallel()
	n, rest, ok := cutCount([]byte("123456789/fold=1"), afterRun)
	require.True(t, ok)
	require.Equal(t, 123456789, n)
	require.Equal(t, "1", string(rest))
	for _, text := range []string{
		"", "/fold=", "0/fold=", "01/fold=", "1234567890/fold=", "1",
		"1 /fold=", "-1/fold=", ":/fold=",
	} {
		_, _, ok := cutCount([]byte(text), afterRun)
		require.False(t, ok, text)
	}
}
