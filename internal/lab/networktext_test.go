package lab

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const smallNetwork = `network small
class: 0.25
a1: 0.5
a2 | class a1: 0 0.1 0.2 1
`

func TestParseNetwork(t *testing.T) {
	t.Parallel()
	n, err := ParseNetwork("small.txt",
		"# of a test\n\n network  small\nclass :0.25 # rare\na1:.5\n\ta2|class a1 : 0 1e-1 0.2 1")
	require.NoError(t, err)
	require.Equal(t, &Network{
		Name: "small", Class: 0.25,
		Attributes: []Variable{{Name: "a1", P: []float64{0.5}}, {
			Name: "a2", Parents: []int{0, 1},
			P: []float64{0, 0.1, 0.2, 1},
		}},
	}, n)
	require.Equal(t, smallNetwork, n.String())
	require.Equal(t, "network small fbe0f72c254f9256", n.ID())
}

func TestParseNetworkSaysWhatIsWrongAndWhere(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"", `f:1:1: there is no line "network NAME"`},
		{"net x", `f:1:1: want "network NAME"`},
		{"network a b", `f:1:1: want "network NAME"`},
		{"network :", `f:1:1: want "network NAME"`},
		{"network a", `f:1:1: there is no line "class: PROBABILITY"`},
		{"network a\nclass 0.5", `f:2:1: want "class: PROBABILITY"`},
		{"network a\n\nclass: 1.5", `f:3:8: "1.5" is not a probability, which is between 0 and 1`},
		{"network a\nclass: 1", `f:2:8: there is one class only`},
		{"network a\nclass: NaN", `f:2:8: "NaN" is not a probability`},
		{"network a\nclass: 0.5", `f:2:1: there are no attributes`},
		{"network a\nclass: 0.5\nb", `f:3:1: want "NAME: PROBABILITY" or "NAME | PARENTS: PROBABILITIES"`},
		{"network a\nclass: 0.5\n: 0.1", `f:3:1: want "NAME: PROBABILITY"`},
		{"network a\nclass: 0.5\nclass: 0.1", `f:3:1: variable "class" is there already`},
		{"network a\nclass: 0.5\nb: 0.1\nb: 0.1", `f:4:1: variable "b" is there already`},
		{"network a\nclass: 0.5\nb c: 0.1", `f:3:3: want "NAME | PARENTS: PROBABILITIES"`},
		{"network a\nclass: 0.5\nb |: 0.1", `f:3:3: want "NAME | PARENTS: PROBABILITIES"`},
		{"network a\nclass: 0.5\nb | c: 0.1 0.2", `f:3:5: no variable before this one is called "c"`},
		{"network a\nclass: 0.5\nb | b: 0.1 0.2", `f:3:5: no variable before this one is called "b"`},
		{
			"network a\nclass: 0.5\nb | class class: 0.1 0.2 0.3 0.4",
			`f:3:11: parent "class" is there twice`,
		},
		{"network a\nclass: 0.5\nb | class: 0.1", `f:3:10: 1 probabilities for 1 parents: want 2`},
		{"network a\nclass: 0.5\nb: 0.1 0.2", `f:3:2: 2 probabilities for 0 parents: want 1`},
		{"network a\nclass: 0.5\nb: x", `f:3:4: "x" is not a probability`},
		{"network a\nclass: 0.5\nb: -0.1", `f:3:4: "-0.1" is not a probability`},
	} {
		_, err := ParseNetwork("f", c.text)
		require.ErrorIs(t, err, ErrNetwork, c.text)
		require.ErrorContains(t, err, c.want)
	}
}

func FuzzParseNetwork(f *testing.F) {
	f.Add(smallNetwork)
	f.Add("network a\nclass: 0.5\nb | class: 0.1 # x")
	f.Fuzz(func(t *testing.T, text string) {
		n, err := ParseNetwork("f", text)
		if err != nil {
			require.ErrorIs(t, err, ErrNetwork)
			return
		}
		again, err := ParseNetwork("f", n.String())
		require.NoError(t, err)
		require.Equal(t, n, again)
		table, err := n.Table("t", 3, 1)
		require.NoError(t, err)
		require.Equal(t, len(n.Attributes)+1, table.NumAttributes())
	})
}
