package verdict

import (
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/stretchr/testify/require"
)

// Items are never judged by a test for folds.
func TestItemsAreNoFolds(t *testing.T) {
	t.Parallel()
	p := under(record.ItemsProtocol(1), 1, 30, 0, 1)
	_, _, err := Claim{}.fit(p)
	require.ErrorContains(t, err, "is of items, which are no folds")
}
