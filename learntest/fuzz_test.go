package learntest

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzParseEnvironment checks that accepted settings are usable.
func FuzzParseEnvironment(f *testing.F) {
	for _, s := range []string{
		"LEARNTEST_SEED=1", "LEARNTEST_RUNS=10", "LEARNTEST_RUNS_MAX=5",
		"LEARNTEST_RUNS_MIN=20", "LEARNTEST_ALPHA=0.05", "LEARNTEST_OUT=/x", "LEARNTEST_X=1", "HOME=/",
		"LEARNTEST_", "",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, kv string) {
		e, err := parseEnvironment(environ(kv))
		if err != nil {
			if !errors.Is(err, ErrConfig) || !strings.HasPrefix(kv, "LEARNTEST_") {
				t.Errorf("%q: %v", kv, err)
			}
			return
		}
		if e.runs < 0 || e.runsMax < 0 || e.runsMin < 0 || e.alpha < 0 || e.alpha >= 1 || e.out != "" &&
			!filepath.IsAbs(e.out) {
			t.Errorf("%q gives %+v", kv, e)
		}
		cfg, err := e.apply(Config{})
		if err != nil {
			if !errors.Is(err, ErrConfig) || e.runsMax == 0 || e.runsMax >= 10 {
				t.Errorf("%q: %v", kv, err)
			}
			return
		}
		if err := cfg.Protocol.Validate(); err != nil && e.runs < 1_000_000 {
			t.Errorf("%q: %v", kv, err)
		}
	})
}
