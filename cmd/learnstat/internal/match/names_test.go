package match

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestChooseKeepsTheOrderOfTheFiles(t *testing.T) {
	t.Parallel()
	have := []string{"nn", "a,b", "a", "c45"}
	for _, c := range []struct {
		flags Names
		want  []string
	}{
		{nil, have},
		{Names{"c45,nn"}, []string{"nn", "c45"}},
		{Names{"c45", "nn", "nn"}, []string{"nn", "c45"}},
		{Names{"a,b"}, []string{"a,b"}},
		{Names{"a,c45"}, []string{"a", "c45"}},
	} {
		got, err := c.flags.Choose("learner", have)
		require.NoError(t, err)
		assert.Equal(t, c.want, got, "%v", c.flags)
	}
	_, err := Names{"a,b,c45"}.Choose("learner", have)
	assert.EqualError(t, err, `no learner is called "b"; there are: "nn", "a,b", "a", "c45"`)
	_, err = Names{""}.Choose("learner", have)
	assert.ErrorContains(t, err, `no learner is called ""`)
}
