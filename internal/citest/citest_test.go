package citest

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNeedSkipsWhatTheVariableDoesNotName(t *testing.T) {
	for list, want := range map[string]bool{
		"": false, "slow": true, "weka,slow": true,
		"slower": false, "r": false,
	} {
		t.Setenv(Variable, list)
		ran := false
		t.Run(list, func(t *testing.T) {
			Need(t, Slow)
			ran = true
		})
		assert.Equal(t, want, ran, list)
		assert.Equal(t, want, Has(Slow), list)
	}
}
