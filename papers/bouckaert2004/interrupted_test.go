package bouckaert2004

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/papers/internal/paper"
	"github.com/stretchr/testify/require"
)

// A study that is interrupted over and over ends with the same report.
func TestInterruptedStudyEndsWithTheSameReport(t *testing.T) {
	t.Parallel()
	s, err := paper.Find(Parts(), "bf5")
	require.NoError(t, err)
	want, err := s.Run(t.Context(), lab.Config{Sets: 2})
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "scores")
	cause := errors.New("killed")
	kills := 0
	for {
		ctx, cancel := context.WithCancelCause(t.Context())
		got, err := s.Run(ctx, lab.Config{
			Sets: 2, Store: path, Parallel: 1 + kills%3,
			Progress: func(done, total int) {
				require.Equal(t, 8, total)
				if done > kills {
					cancel(cause)
				}
			},
		})
		cancel(nil)
		if err == nil {
			require.Equal(t, want, got)
			break
		}
		require.ErrorIs(t, err, cause)
		kills++
	}
	require.Greater(t, kills, 3)
}
