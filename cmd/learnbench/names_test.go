package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// evil is a name that would add a verdict, colour the rest and turn it around.
const (
	evil  = "x\nnn vs naivebayes on iris: improved\x1b[31m\u202e"
	shown = `x\u000ann vs naivebayes on iris: improved\u001b[31m\u202e`
)

// relation returns ARFF text of a data set of any name.
func relation(name string) string {
	quoted := strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", `\n`, "\r", `\r`).Replace(name)
	return strings.Replace(weather, "@relation weather", "@relation '"+quoted+"'", 1)
}

func TestNamesReachNoTerminal(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("its file names have no such characters")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, evil+".arff")
	require.NoError(t, os.WriteFile(path, []byte(relation(evil)), 0o666))
	shownPath := filepath.Join(dir, shown+".arff")
	status, stdout, stderr := output(t, "run", "-data", path, "-runs", "2", "-folds", "2", evil+"=nn",
		"naivebayes")
	assert.Equal(t, cli.Clean, status)
	assert.Empty(t, stderr)
	lines := strings.Split(stdout, "\n")
	assert.Equal(t, shown+" is on a par with naivebayes on "+shown+" in accuracy: inconclusive",
		lines[0])
	assert.Contains(t, stdout, "\n  data           "+shown+", 8 examples, class play (yes 4, no 4), sha256 ")
	assert.Contains(t, stdout, "\n  reproduce      learnbench run -data '"+shownPath+"' -runs 2 -folds 2 '"+shown+"=nn' naivebayes\n")
	assertPrintable(t, stdout)

	out := filepath.Join(dir, evil+".txt")
	require.NoError(t, os.WriteFile(out, []byte(evil), 0o666))
	for _, c := range []struct {
		args []string
		want string
	}{
		{
			args: []string{evil},
			want: "learnbench: no command is called \"x\\nnn vs naivebayes on iris: improved\\x1b[31m\\u202e\": see learnbench help\n",
		},
		{
			args: []string{"run", "-data", path + ".csv", "nn", "naivebayes"},
			want: "learnbench: open " + shownPath + ".csv: no such file or directory\n",
		},
		{
			args: []string{"run", "-data", path, "nn", evil},
			want: "learnbench: learner " + shown +
				": no learner is called \"x\\nnn vs naivebayes on iris: improved\\x1b[31m\\u202e\"; the learners are c45, forest, logistic, majority, naivebayes, nn, perceptron, tan for classes, mean, median, ols, ridge for numbers, and exec(COMMAND)\n",
		},
		{
			args: []string{"run", "-" + evil},
			want: "learnbench: run: flag provided but not defined: -" + shown + ": see learnbench run -h\n",
		},
	} {
		status, stdout, stderr := output(t, c.args...)
		assert.Equal(t, cli.Unjudged, status)
		assert.Empty(t, stdout)
		assert.Equal(t, c.want, stderr)
	}
	status, _, stderr = output(t, "run", "-data", path, "-runs", "2", "-folds", "2", "-o", out,
		"nn", "naivebayes")
	assert.Equal(t, cli.Unjudged, status)
	assert.Contains(t, stderr, "is not a result file, and will not be changed")
	assertPrintable(t, stderr)
}

func TestPartialFilesAreMentionedInOneLine(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("its file names have no such characters")
	}
	out := filepath.Join(t.TempDir(), "x\x1b[31m.txt")
	args := []string{
		"run", "-data", "uci:iris", "-runs", "1", "-folds", "2", "-o", out,
		"nn", "naivebayes",
	}
	status, _, stderr := output(t, args...)
	require.Equal(t, cli.Clean, status, stderr)
	text, err := os.ReadFile(out)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(out+".partial-7", text, 0o666))
	status, _, stderr = output(t, args...)
	assert.Equal(t, cli.Clean, status)
	assert.Equal(t, "learnbench: "+strings.ReplaceAll(out, "\x1b", `\u001b`)+
		".partial-7 has the trials of a run that was interrupted: it goes when that run is repeated to its end, and -resume goes on from there; else remove it\n", stderr)
}

// assertPrintable checks that there is nothing in the lines of a text but what shows.
func assertPrintable(t *testing.T, text string) {
	t.Helper()
	for l := range strings.Lines(text) {
		l = strings.TrimSuffix(l, "\n")
		assert.Equal(t, unit.Printable(l), l)
	}
}

// FuzzOutput checks that only printable characters reach a terminal, that each block is the text of
// a verdict, and that a reason stands beside each comparison without a verdict.
func FuzzOutput(f *testing.F) {
	f.Add("weather", "mine", "", "5")
	f.Add(evil, "a", "-data", evil)
	f.Add("\u202e", evil, "-test", "\u200b")
	f.Add("\xff", "\xc3", "-protocol", "\x9b31m")
	f.Add("a\r", "=", "-o", "\x00")
	f.Add("a", "b", "-fail-on", "regressed")
	f.Add("a", " ", "", "")
	f.Fuzz(func(t *testing.T, name, label, flag, value string) {
		dir := t.TempDir()
		path := filepath.Join(dir, "data.arff")
		require.NoError(t, os.WriteFile(path, []byte(relation(name)), 0o666))
		args := []string{"run", "-data", path, "-runs", "1", "-folds", "2"}
		if flag == "-o" {
			value = filepath.Join(dir, filepath.Base(filepath.Clean("/"+value)))
		}
		switch flag {
		case "-data", "-test", "-metric", "-fail-on", "-class", "-alpha", "-margin", "-o":
			args = append(args, flag, value)
		case "-protocol": // one that is soon at its end
			if !strings.ContainsAny(value, "0123456789") {
				args = append(args, flag, value)
			}
		}
		status, stdout, stderr := output(t, append(args, "--", label+"=nn", "naivebayes")...)
		assertPrintable(t, stdout)
		assertPrintable(t, stderr)
		verdicts := 0
		for l := range strings.Lines(stdout) {
			if !strings.HasPrefix(l, "  ") && l != "\n" {
				verdicts++
			}
		}
		if status == cli.Unjudged {
			assert.NotEmpty(t, stderr)
		} else {
			assert.Equal(t, 1, verdicts, "%q", stdout)
		}
	})
}
