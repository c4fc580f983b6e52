// Package citest keeps tests that take more than Go and a few seconds for CI.
package citest

import (
	"os"
	"slices"
	"strings"
)

// Variable lists what tests may use besides Go, separated by commas. docs/CONTRIBUTING.md says
// what each word adds.
const Variable = "LEARNBENCH_CI"

// The needs of tests.
const (
	Slow     = "slow"     // minutes of processor time, or builds by the go command
	Install  = "install"  // the module proxy
	Engines  = "engines"  // runners of CI recipes
	Chromium = "chromium" // a browser
	Sklearn  = "sklearn"  // scikit-learn
	R        = "r"        // R, with the packages that its shim names
	Weka     = "weka"     // Weka and a JDK
)

// Has reports whether LEARNBENCH_CI names a need.
func Has(need string) bool {
	return slices.Contains(strings.Split(os.Getenv(Variable), ","), need)
}

// Need skips a test unless LEARNBENCH_CI names what the test needs.
func Need(t interface {
	Helper()
	Skipf(format string, args ...any)
}, need string,
) {
	t.Helper()
	if !Has(need) {
		t.Skipf("%s does not name %q: CI runs this test", Variable, need)
	}
}
