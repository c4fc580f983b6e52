package learntest

import (
	"flag"
	"os"
	"testing"
)

// TestMain lets tests write result files although go test may cache them: what
// they write goes to temporary directories, and no later run needs it.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.testlogfile", ""); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
