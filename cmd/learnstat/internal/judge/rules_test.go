package judge

import (
	"flag"
	"io"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRulesAreFlags(t *testing.T) {
	t.Parallel()
	var g Rules
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Var(&g.FailOn, "fail-on", "")
	fs.Var(&g.Require, "require", "")
	assert.False(t, g.Strict())
	require.NoError(t, fs.Parse([]string{
		"-fail-on", "regressed, not-improved", "-fail-on",
		"invalid,regressed", "-require", "improved:accuracy, non-inferior",
	}))
	assert.Equal(t, "regressed,not-improved,invalid", g.FailOn.String())
	assert.Equal(t, "improved:accuracy,non-inferior", g.Require.String())
	assert.True(t, g.Strict())
	assert.Equal(t, improved, g.asks("accuracy"), "of several, the strictest")
	assert.Equal(t, nonInferior, g.asks("logloss"))
	assert.Empty(t, new(Rules).asks("logloss"))
	assert.Empty(t, (*Rules)(nil).asks("logloss"))
	for _, bad := range []string{
		"", "Regressed", "regressed,", "regressed inconclusive",
		"non-inferior",
	} {
		assert.ErrorContains(t, new(FailOn).Set(bad),
			"the outcomes are equivalent, improved, inconclusive, invalid, not-improved, regressed", "%q",
			bad)
	}
	for _, bad := range []string{"", "regressed", "improved,", ":accuracy", "not-improved"} {
		assert.ErrorContains(t, new(Require).Set(bad),
			"what can is improved, equivalent and non-inferior", "%q", bad)
	}
}

func TestReadWaivers(t *testing.T) {
	t.Parallel()
	const good = `vehicle/nn accuracy ceiling=-1.2pp expires=2027-02-28 why="see \"the\" design"`
	waivers, err := ReadWaivers(strings.NewReader("# all\n\n  "+good+"\n\"a b/c=d\" \"log loss\" why=known expires=2027-02-28 ceiling=3%\n"), "w.txt")
	require.NoError(t, err)
	require.Len(t, waivers, 2)
	assert.Equal(t, `see "the" design`, waivers[0].why)
	assert.Equal(t, unit.Amount{Value: -1.2, In: "pp"}, waivers[0].ceiling)
	assert.Equal(t, "w.txt:3", waivers[0].place)
	assert.Equal(t, "a b/c=d", waivers[1].row)
	assert.Equal(t, "log loss", waivers[1].metric)
	for text, want := range map[string]string{
		good + "\n" + good: "w.txt:2: accuracy of vehicle/nn has a waiver already, at w.txt:1",
		strings.Replace(good, "-1.2pp", "0",
			1): `w.txt:1: ceiling "0" is not a difference`,
		strings.Replace(good, "-1.2pp", "much",
			1): `w.txt:1: ceiling "much" is not a difference`,
		strings.Replace(good, "2027-02-28", "soon",
			1): `w.txt:1: expires "soon" is not a date such as 2027-02-28`,
		strings.Replace(good, "2027-02-28", "2027-2-30", 1):     `is not a date`,
		strings.Replace(good, `"see \"the\" design"`, `" "`, 1): "w.txt:1: a waiver must say why",
		strings.Replace(good, ` design"`, ` design`, 1):         "is not a quoted text",
		strings.Replace(good, "why=", "because=",
			1): `w.txt:1: "because": a waiver has the form `,
		strings.Replace(good, "why=", "expires=", 1): "w.txt:1: expires is there twice",
		good + " more": "w.txt:1: 6 fields: ",
		strings.Replace(good, " accuracy", "", 1):          "w.txt:1: 4 fields: ",
		`a"b" accuracy ceiling=1 expires=2027-02-28 why=x`: `a quote within "a"`,
		strings.Repeat("x", 70_000):                        "w.txt: bufio.Scanner: token too long",
	} {
		_, err := ReadWaivers(strings.NewReader(text), "w.txt")
		assert.ErrorContains(t, err, want, "%q", text)
	}
}
