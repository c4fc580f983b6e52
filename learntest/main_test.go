package learntest

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/gotest"
)

// TestMain lets tests write result files although go test may cache them: the files are in
// temporary directories, and no later run needs them. It removes the programs that the tests have
// built. Under -short, comparisons are not shortened: the tests are about them. Only the tests set
// variables, also the variables of continuous integration; LEARNTEST_UPDATE writes
// testdata/example/baseline.txt.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.testlogfile", ""); err != nil {
		panic(err)
	}
	isShort = func() bool { return false }
	isVerbose = func() bool { return true }
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "LEARNTEST_") &&
			name != "LEARNTEST_UPDATE" || slices.Contains(gotest.CIVariables, name) &&
			os.Getenv(envUpdate) == "" {
			if err := os.Unsetenv(name); err != nil {
				panic(err)
			}
		}
	}
	status := m.Run()
	if buildDir != "" {
		if err := os.RemoveAll(buildDir); err != nil {
			panic(err)
		}
	}
	os.Exit(status)
}
