//go:build linux

package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestMedian(t *testing.T) {
	t.Parallel()
	require.Equal(t, cost{2 * time.Second, 20}, median([]cost{
		{3 * time.Second, 10},
		{time.Second, 20},
		{2 * time.Second, 30},
	}))
}

func TestRunTellsWhatItTook(t *testing.T) {
	t.Parallel()
	c, err := run(t.Context(), "/bin/sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done")
	require.NoError(t, err)
	require.Positive(t, c.cpu)
	require.Greater(t, c.mib, 0.5)
	_, err = run(t.Context(), "/bin/sh", "-c", "exit 3")
	require.ErrorContains(t, err, "exit status 3")
}
