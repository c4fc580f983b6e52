package process

import "bytes"

// TB is the part of testing.TB that [ForTest] needs.
type TB interface {
	Helper()
	Cleanup(f func())
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// ForTest returns the learner that a program is for the time of a test: its standard error
// goes to the log of the test, unless the configuration says otherwise, and the program ends with
// the test. A configuration that makes no sense ends the test.
//
//	forest := process.ForTest(t, process.Config{
//		Args:    []string{"python3", "sklearn_shim.py", "RandomForestClassifier"},
//		Depends: []string{}, // nothing else
//	})
//	c := learntest.Compare(t, uci.Vehicle(), learntest.FromProcess[int](forest), bayes)
func ForTest(t TB, cfg Config) *Learner {
	t.Helper()
	if cfg.Stderr == nil {
		cfg.Stderr = testLog{t}
	}
	p, err := New(cfg)
	if err != nil {
		t.Fatalf("process.ForTest: %v", err)
		return nil
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Errorf("process.ForTest: %v", err)
		}
	})
	return p
}

// A testLog writes lines to the log of a test.
type testLog struct{ t TB }

func (l testLog) Write(line []byte) (int, error) {
	l.t.Helper()
	l.t.Logf("%s", bytes.TrimSuffix(line, []byte("\n")))
	return len(line), nil
}
