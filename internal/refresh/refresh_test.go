package refresh

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The flags of go test stay, and its choice of tests does not.
func TestFlags(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ args, want []string }{
		{[]string{"./..."}, nil},
		{[]string{"./...", "./sub"}, nil},
		{[]string{"./...", "-run", "TestA", "-timeout", "30m"}, []string{"-timeout", "30m"}},
		{[]string{".", "-tags", "big", "-run=TestA", "-skip", "TestB"}, []string{"-tags", "big"}},
		{[]string{".", "--test.run", "TestA", "-v"}, []string{"-v"}},
		{[]string{".", "-p", "1", "-args", "-run", "x"}, []string{"-p", "1", "-args", "-run", "x"}},
		{[]string{".", "-run"}, nil},
		{[]string{".", "-exec", "run"}, []string{"-exec", "run"}},
	} {
		require.Equal(t, c.want, flagsIn(c.args), "%q", c.args)
	}
	require.Equal(t, []string{"p", "-run", `^TestA$/^k=1\+1$`, "-v"},
		(&Refresh{Args: []string{"./...", "-v"}}).goTest(testID{"p", "TestA/k=1+1"}))
}

func TestReadHistory(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "refresh.txt")
	text, err := readHistory(path)
	require.NoError(t, err)
	require.Equal(t, historyTitle, string(text))
	const line = "2026-11-23 baseline.txt: forest\n"
	for text, want := range map[string]string{
		historyTitle + line:                      "",
		historyTitle + line + "\n" + line:        "",
		historyTitle + "2026-11-23 cut":          "",
		"":                                       "",
		line:                                     ":1: it is no history of learnbench refresh: give it another name",
		historyTitle + "<<<<<<< HEAD\n" + line:   ":2: it begins with no date",
		historyTitle + line + "=======\n" + line: ":3: it begins with no date",
		historyTitle + "2026-13-23 x\n":          ":2: it begins with no date",
	} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		have, err := readHistory(path)
		if want != "" {
			require.ErrorContains(t, err, path+want, "%q", text)
			continue
		}
		require.NoError(t, err, "%q", text)
		require.Regexp(t, `\n\z`, string(have))
		require.Contains(t, string(have), historyTitle)
	}
}
