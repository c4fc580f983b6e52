package record

import (
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

const changed = "f.txt:14: the checksum is wrong: the results on data set vehicle that begin in line 1 were changed after they were written"

// An edit replaces something in a text.
type edit struct{ old, new string }

// A file of one block with everything that the checksum covers.
func checksummed(t require.TestingT) (set, string) {
	s := sampleSet("vehicle", 2, 2, "c45", "nb").clone()
	s.Units = append(s.Units, unit.Unit{Name: "logloss", Better: unit.Lower, Min: 0, Max: 9})
	for i := range s.Trials {
		s.Trials[i].Values = []float64{float64(i+1) / 16, 0.25 + float64(i)}
	}
	s.fail(5, "boom")
	return s, textOf(t, s)
}

func TestChecksumNoticesEveryChange(t *testing.T) {
	t.Parallel()
	_, full := checksummed(t)
	for _, e := range []edit{
		{"pkg: example.com/model", "pkg: example.com/other"},
		{"pkg: example.com/model\n", ""},
		{"test: TestForest", "test:"},
		{"commit: 3f2a9c1", "commit: 3f2a9c2"},
		{"seed=1 v1", "seed=2 v1"},
		{"stratified seed=1 v1", "seed=1 v1"},
		{"data-sha256: " + digest("vehicle"), "data-sha256: " + digest("iris")},
		{"split-sha256: " + digest("split vehicle"), "split-sha256: " + digest("iris")},
		{"Commit-Time: 2026", "Commit-Time: 2025"},
		{"Reproduce: go test", "Reproduce: go tool"},
		{"Determinism: c45=yes", "Determinism: c45=no"},
		{"Toolchain: go1.26.8", "Toolchain: go1.26.9"},
		{"Toolchain: ", "Owner: process 1\nToolchain: "},
		{"Learners: c45 nb", "Learners: nb c45"},
		{"Learners: c45 nb", "Learners: c45 nb knn"},
		{"logloss better=lower", "logloss better=higher"},
		{"min=0 max=9", "min=-1 max=9"},
		{"min=0 max=9", "min=0"},
		{"min=0 max=9", "min=0 max=10"},
		{"Unit logloss better=lower", "Unit kappa better=higher\nUnit logloss better=lower"},
		{" 0.1875 accuracy 2.25 logloss", " 0.1875 accuracy 2.26 logloss"},
		{" 0.1875 accuracy 2.25 logloss", " 0.1875000000000001 accuracy 2.25 logloss"},
		{" 0.1875 accuracy 2.25 logloss", " -0.1875 accuracy 2.25 logloss"},
		{" 0.1875 accuracy 2.25 logloss", " 2.25 accuracy 0.1875 logloss"},
		{"error: boom", "error: bang"},
		{"run=2/fold=2 1 0.4375", "run=3/fold=2 1 0.4375"},
	} {
		require.Contains(t, full, e.old)
		text := strings.Replace(full, e.old, e.new, 1)
		if strings.Contains(e.new, "kappa") {
			text = strings.ReplaceAll(strings.ReplaceAll(text, " train-n", " train-n 0.5 kappa"),
				" 1 failed 10 train-n 0.5 kappa", " 1 failed 10 train-n")
		}
		_, err := Read(strings.NewReader(text), "f.txt")
		require.ErrorIs(t, err, ErrChecksum, e)
		require.Regexp(t, `^f.txt:1[345]: the checksum is wrong: the results on data set vehicle that begin in line 1 were changed after they were written$`, err.Error())
	}
	units := strings.SplitAfter(full, "\n")
	units[14], units[15] = units[15], units[14]
	_, err := Read(strings.NewReader(strings.Join(units, "")), "f.txt")
	require.EqualError(t, err, changed, "the order of the units")
}

// The checksum notices a change of any digit of the scores and sizes.
func TestChecksumNoticesAnyDigit(t *testing.T) {
	t.Parallel()
	for _, timeless := range []bool{false, true} {
		s, _ := checksummed(t)
		s.Timeless = timeless
		checkAnyDigit(t, textOf(t, s))
	}
}

// checkAnyDigit changes digits of the trials of a text.
func checkAnyDigit(t *testing.T, full string) {
	var digits []int // none of times
	for at, line := strings.Index(full, "BenchmarkCV"), ""; at < len(full); at++ {
		if line += full[at : at+1]; full[at] == '\n' {
			line = ""
		}
		if full[at] >= '0' && full[at] <= '9' && !strings.Contains(line, "test-n ") {
			digits = append(digits, at)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.SampledFrom(digits).Draw(t, "at")
		c := '0' + (full[at]-'0'+byte(rapid.IntRange(1, 9).Draw(t, "more")))%10
		_, err := Read(strings.NewReader(full[:at]+string(c)+full[at+1:]), "f.txt")
		require.Error(t, err)
	})
}

// Sizes are covered, although most edits of them are refused as sizes.
func TestChecksumCoversSizes(t *testing.T) {
	t.Parallel()
	s, _ := checksummed(t)
	s.Header.Protocol = "predefined runs=2 folds=2 sha256=5f seed=1 v1"
	full := textOf(t, s)
	for _, e := range []edit{
		{"11 train-n 10 test-n 0.0024", "12 train-n 10 test-n 0.0024"},
		{"11 train-n 10 test-n 0.0024", "11 train-n 11 test-n 0.0024"},
	} {
		require.Contains(t, full, e.old)
		_, err := Read(strings.NewReader(strings.ReplaceAll(full, e.old, e.new)), "f.txt")
		require.EqualError(t, err, changed)
	}
}

// Cells that are gone or new are noticed, and blocks that are joined.
func TestChecksumNoticesLines(t *testing.T) {
	t.Parallel()
	s, full := checksummed(t)
	lines := trialLines(full)
	require.Len(t, lines, len(s.Trials))
	for i, line := range lines {
		_, err := Read(strings.NewReader(strings.Replace(full, line, "", 1)), "f.txt")
		require.EqualError(t, err, changed, i)
	}
	half := s
	half.Trials = s.Trials[:4]
	_, err := Read(strings.NewReader(textOf(t, half)+strings.Join(lines[4:], "")), "f.txt")
	require.EqualError(t, err, changed)
}

func TestChecksumOverlooksTheForm(t *testing.T) {
	t.Parallel()
	s, full := checksummed(t)
	lines := trialLines(full)
	head := full[:strings.Index(full, "BenchmarkCV")]
	slices.Reverse(lines)
	for name, text := range map[string]string{
		"time": strings.Replace(full, " 0.0012 fit-sec/op", " 17 fit-sec/op", 2),
		"no times": strings.ReplaceAll(strings.ReplaceAll(full,
			" 0.0012 fit-sec/op 4e-05 predict-sec/op", ""), " 0.0024 fit-sec/op 4e-05 predict-sec/op", ""),
		"order of lines":   head + strings.Join(lines, ""),
		"zeros at the end": strings.ReplaceAll(full, " 0.1875 ", " 0.18750 "),
		"exponent":         strings.ReplaceAll(full, " 0.1875 ", " 1875e-4 "),
		"zero in front":    strings.ReplaceAll(full, " 0.1875 ", " 00.1875 "),
		"CRLF":             strings.ReplaceAll(full, "\n", "\r\n"),
		"blank lines":      strings.ReplaceAll(full, "\n", "\n\n"),
		"order of keys": strings.Replace(strings.Replace(full, "commit: 3f2a9c1\n", "", 1), "Data: ",
			"commit: 3f2a9c1\nData: ", 1),
		"checksum first": "learnbench-format: 2\nChecksum: " + s.block(t).Checksum() + "\n" +
			withoutChecksum(full)[len("learnbench-format: 2\n"):],
		"order of values": strings.ReplaceAll(full, " 0.1875 accuracy 2.25 logloss",
			" 2.25 logloss 0.1875 accuracy"),
		"spaces":            strings.ReplaceAll(full, " 0.1875 ", "  0.1875\t"),
		"needless escapes":  strings.ReplaceAll(full, "learner=nb", "learner=n%62"),
		"form of a range":   strings.ReplaceAll(full, "max=9", "max=9.0"),
		"no checksum":       withoutChecksum(full),
		"lines of go test":  full + "PASS\nok  \texample.com/model\t1s\n",
		"form of its times": strings.ReplaceAll(full, " 4e-05 ", " 0.00004 "),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.NotEqual(t, full, text)
			b := readText(t, text).Blocks()[0]
			require.Equal(t, s.block(t).Checksum(), b.Checksum())
		})
	}
}

// A block that was read and written again keeps its checksum, with times or without,
// whoever computes it.
func TestChecksumIsStable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := genSet(genUnits().Draw(t, "units")).Draw(t, "set")
		b := s.block(t)
		full := text(t, b)
		require.Contains(t, full, "\nChecksum: "+b.Checksum()+"\n")
		require.Equal(t, b.Checksum(), readText(t, full).Blocks()[0].Checksum())
		s.Timeless = true
		s.Trials = rapid.Permutation(s.Trials).Draw(t, "order")
		require.Equal(t, b.Checksum(), s.block(t).Checksum())
		if rapid.Bool().Draw(t, "long form") {
			full = long(full)
		}
		require.Equal(t, text(t, b), text(t, readText(t, full).Blocks()...))
	})
}

// Two blocks whose checksums agree hold equal trials.
func TestChecksumTellsBlocksApart(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := genSet([]unit.Unit{accuracy}).Draw(t, "set")
		o := s.clone()
		i := rapid.IntRange(0, len(s.Trials)-1).Draw(t, "trial")
		tr := &o.Trials[i]
		switch change := rapid.SampledFrom([]string{
			"score", "failure", "gone", "commit", "data",
			"learner", "unit", "cause", "constant",
		}).Draw(t, "change"); {
		case change == "score" && tr.Err == "":
			tr.Values[0] = tr.Values[0]/2 + 1
			if tr.Values[0] == s.Trials[i].Values[0] {
				t.Skip("equal blocks")
			}
		case change == "failure" && tr.Err == "":
			tr.Values, tr.Err, tr.Constancy = nil, "boom", Varied
		case change == "constant" && tr.Err == "":
			tr.Constancy = (tr.Constancy + 1) % 3
		case change == "cause" && tr.Err != "":
			tr.Err = Cause("x" + tr.Err)
		case change == "gone":
			o.Trials = slices.Delete(o.Trials, i, i+1)
		case change == "commit":
			o.Header.Commit += "x"
		case change == "data":
			o.Header.Data += "x"
			for i := range o.Trials {
				o.Trials[i].Data = o.Header.Data
			}
		case change == "learner":
			name := tr.Learner
			for i := range o.Trials {
				if o.Trials[i].Learner == name {
					o.Trials[i].Learner += "\x00other"
				}
			}
			o.Learners[slices.Index(o.Learners, name)] += "\x00other"
		case change == "unit":
			o.Units[0].Max = 2
		default:
			t.Skip("no change")
		}
		require.NotEqual(t, s.block(t).Checksum(), o.block(t).Checksum())
	})
}
