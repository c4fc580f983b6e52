package match

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRowsBeside(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ col, table, want string }{
		{".file", "", "/data,/learner"},
		{"/learner", "", "/data"},
		{"/learner@(a b)", "protocol", "/data"},
		{"pkg,/learner@alpha", "", "/data"},
		{"pkg /data", "", "/learner"},
		{"/learners", "/database", "/data,/learner"},
		{".file", "/data", "/learner"},
		{"/learner", "/data", ".name"},
	} {
		require.Equal(t, test.want, RowsBeside(test.col, test.table), "%v", test)
	}
}
