package shims_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/learner/process/shims"
)

func TestShimsAreTheFiles(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"WekaShim.java", "r_shim.R", "sklearn_shim.py"}, shims.Names())
	for _, name := range shims.Names() {
		want, err := os.ReadFile(name)
		require.NoError(t, err)
		got, err := shims.Text(name)
		require.NoError(t, err)
		require.Equal(t, string(want), got)
	}
	_, err := shims.Text("../shims.go")
	require.EqualError(t, err, `no shim is called "../shims.go": there are WekaShim.java, r_shim.R, sklearn_shim.py`)
}

func Example() {
	for _, name := range shims.Names() {
		fmt.Println(name)
	}
	// Output:
	// WekaShim.java
	// r_shim.R
	// sklearn_shim.py
}
