package record

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The head of the block before does not change how a block is read.
func TestHeadsAreReadAlone(t *testing.T) {
	t.Parallel()
	s := sampleSet("vehicle", 1, 2, "c45", "nb")
	s.Header.Reproduce, s.Header.Machine = `go test -run 'a\\b'`, ""
	full := withoutChecksum(textOf(t, s))
	texts := []string{withoutChecksum(text(t, sampleItems(t, 1, "agent")))}
	for _, e := range []edit{
		{"", ""},
		{"pkg: example.com/model", "pkg:"},
		{"pkg: example.com/model\n", ""},
		{"commit: 3f2a9c1", "commit: 3f2a9c2"},
		{"Reproduce: ", `Reproduce: \`},
		{`a\\\\b`, `a\\b`}, // as is what the other one means
		{`a\\\\b`, `a\qb`},
		{"protocol: ", "protocol: x"},
		{"seed=1 v1", "seed=1"},
		{"Learners: c45 nb", "Learners: nb c45"},
		{"Learners: c45 nb", "Learners: c45 nb knn"},
		{"Learners: c45 nb", "Learners: c45 c45"},
		{"Learners: c45 nb", "Learners: c45 %zz"},
		{"Learners: c45 nb", "Learners:"},
		{"Learners: c45 nb\n", ""},
		{"Data: vehicle\n", ""},
		{"Data: vehicle", "Data: iris"},
		{"Unit accuracy better=higher min=0 max=1\n", ""},
		{"learnbench-format: 2", "learnbench-format: 3"},
		{"Toolchain: ", "PASS\nToolchain: "},
		{"Toolchain: ", "goos: linux\nToolchain: "},
		{"Toolchain: ", "PASSED\nToolchain: "},
		{"Toolchain: ", "Toolchain: \nToolchain: "},
		{"Toolchain: ", "Distinct-Runs: 1\nToolchain: "},
		{"BenchmarkCV/", "BenchmarkCV/data=iris/BenchmarkCV/"},
		{"BenchmarkCV/", "BenchmarkCV/\nBenchmarkCV/"},
	} {
		require.Contains(t, full, e.old)
		texts = append(texts, strings.Replace(full, e.old, e.new, 1))
	}
	read := func(text string) (*Block, *SyntaxError) {
		var last *Block
		for b, err := range (Reader{}).Blocks(strings.NewReader(text), "f.txt") {
			if e, ok := errors.AsType[*SyntaxError](err); ok {
				return nil, e
			}
			require.NoError(t, err)
			last = b
		}
		return last, nil
	}
	failed := 0
	for _, first := range texts {
		if _, err := read(first); err != nil {
			failed++
			continue
		}
		lines := strings.Count(first, "\n")
		for _, second := range texts {
			want, wantErr := read(second)
			got, err := read(first + second)
			require.Equal(t, wantErr == nil, err == nil, "%s%s", first, second)
			if wantErr != nil {
				require.Equal(t, wantErr.Line+lines, err.Line, "%s%s", first, second)
				if !strings.Contains(wantErr.Msg, "in line") {
					require.Equal(t, wantErr.Msg, err.Msg)
				}
				continue
			}
			require.Equal(t, contentOf(want), contentOf(got), "%s%s", first, second)
		}
	}
	require.Equal(t, 16, failed)
}
