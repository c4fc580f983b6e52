package neighbor

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/learner/learnertest"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	require.NoError(t, learnertest.Check(New(Config{}), learnertest.Options{OrderFree: true}))
}
