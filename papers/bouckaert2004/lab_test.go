package bouckaert2004

import (
	"testing"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/stretchr/testify/require"
)

func testLab(t *testing.T, cfg lab.Config, sets int) *lab.Lab {
	t.Helper()
	cfg, err := cfg.WithDefaults()
	require.NoError(t, err)
	l, err := lab.Open(cfg, sets)
	require.NoError(t, err)
	return l
}
