package verdict

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// judgedOfAllKinds are verdicts of all kinds.
func judgedOfAllKinds(t *testing.T) map[string]Verdict {
	t.Helper()
	p := pairs(accuracy, 3, 0.01, 0.03)
	p.CandidateHeader.Commit, p.BaselineHeader.Commit = "new", "old"
	family, err := Adjust([]Verdict{Judge(p, Claim{}), Judge(p, Claim{Kind: Improves})},
		adjust.MustLookup("holm"))
	require.NoError(t, err)
	second := pairs(accuracy, 1, 0.05, 0.01)
	withSecond := Judge(second, Claim{})
	withSecond.Second = &SecondOpinion{
		Asked: true, Protocol: "halves", First: 0.01, P: 0.02,
		Agrees: true, Trainings: 40, Estimate: 0.04, Lo: 0.01, Hi: 0.07, Level: 0.95,
	}
	return map[string]Verdict{
		"difference":  Judge(p, Claim{}),
		"margin":      Judge(p, Claim{Margin: 0.02}),
		"examples":    Judge(withRight(3, accuracy, 100, losing(100, 2)), Claim{Margin: 0.05}),
		"one side":    lackingOne(),
		"counted":     Judge(p, Claim{Repeats: 3}),
		"posterior":   Judge(p, Claim{Kind: Improves, Probability: 0.95, Rope: 0.001}),
		"permutation": Judge(p, Claim{Test: stat.MustLookup("permutation")}),
		"loss":        Judge(pairs(logloss, 1, -0.5, 0.01), Claim{Kind: Improves, OneSided: true}),
		"adjusted":    family[0],
		"second":      withSecond,
		"invalid":     Judge(p, Claim{Alpha: 2}),
		"failed":      Fail(Claim{}, errors.New("trials are missing")),
	}
}

// The parts of a verdict come back from its JSON form unchanged.
func TestVerdictsMarshalThemselves(t *testing.T) {
	t.Parallel()
	for name, v := range judgedOfAllKinds(t) {
		text, err := json.Marshal(v)
		require.NoError(t, err)
		var back struct {
			Subject
			*Facts
		}
		require.NoError(t, json.Unmarshal(text, &back), name)
		again, err := json.Marshal(back)
		require.NoError(t, err)
		assert.Equal(t, string(text), string(again), name)
		assert.Equal(t, v.Outcome.String(), back.Outcome)
		assert.Equal(t, v.Reason, back.Reason)
		assert.Equal(t, v.String(), back.Full.Text)
		assert.Equal(t, v.Columns(), back.Columns(back.Subject), name)
		if v.Outcome == Invalid {
			assert.Contains(t, string(text), `"difference":null`)
			assert.False(t, back.Judged())
			continue
		}
		assert.True(t, back.Judged())
		assert.Equal(t, v.Significance(), back.Significant)
		assert.Equal(t, unit.Number(v.Estimate), back.Difference)
		assert.Equal(t, unit.Number(v.Difference.P), back.P)
		if assert.Equal(t, v.Posterior != nil, back.LeastP.IsNaN(), name); v.Posterior == nil {
			assert.LessOrEqual(t, float64(back.LeastP), float64(back.P), name)
		}
		assert.Equal(t, v.Claim.Margin > 0, back.Margin != nil)
		assert.Equal(t, v.Posterior != nil, back.Bayes != nil)
		assert.Equal(t, v.Rerun != nil, back.Rerun != nil)
		assert.Equal(t, v.Second != nil, back.Facts.Second != nil)
		assert.Equal(t, v.Adjustment == "", back.AdjustedP.IsNaN())
		d := &v.Difference
		equal := func(want float64, got unit.Number) {
			t.Helper()
			assert.Equal(t, math.Float64bits(want), math.Float64bits(float64(got)), name)
		}
		equal(d.Lo, back.Lo)
		equal(d.Hi, back.Hi)
		equal(d.Level, back.Level)
		equal(d.Result.Statistic, back.Statistic)
		equal(d.Result.DF, back.DF)
		equal(d.Result.DF2, back.DF2)
		equal(v.Detectable, back.Detectable)
		equal(v.BaselineMean, back.Old)
		equal(v.CandidateMean, back.New)
		assert.Equal(t, []any{d.Result.Test, v.Runs, v.Folds, v.same}, []any{
			back.Test, back.Runs,
			back.Folds, back.Identical,
		})
		if r := v.Rerun; r != nil {
			if assert.Equal(t, r.outside(), back.Rerun.R.IsNaN(), name); !r.outside() {
				equal(r.R, back.Rerun.R)
			}
			equal(r.Lo, back.Rerun.Lo)
			equal(r.Hi, back.Rerun.Hi)
			equal(r.P, back.Rerun.Agrees)
			assert.Equal(t, []int{r.Runs, r.Repeats, r.Agreeing}, []int{
				back.Rerun.Runs, back.Rerun.Repeats,
				back.Rerun.Agreeing,
			})
		}
		if m := back.Margin; m != nil {
			equal(v.Claim.Margin, m.Value)
			equal(max(v.Above.P, v.Below.P), m.P)
			equal(v.Above.Lo, m.Lo)
			equal(v.Above.Hi, m.Hi)
			assert.Equal(t, []bool{v.Within(), v.Above.Shown}, []bool{m.Within, m.NonInferior})
		}
		if p := v.Posterior; p != nil {
			assert.Equal(t, Regions{unit.Number(p.Worse), unit.Number(p.Equivalent), unit.Number(p.Better)},
				*back.Bayes)
		}
		if o := back.Facts.Second; o != nil {
			assert.Equal(t, SecondFacts{
				P: 0.02, FirstP: 0.01, Estimate: 0.04, Lo: 0.01, Hi: 0.07,
				Level: 0.95, Agrees: true, Protocol: "halves", Trainings: 40,
			}, *o)
		}
	}
}

// Each fact of the JSON form is in a column, but for the facts that only people read.
func TestColumnsHaveAllFacts(t *testing.T) {
	t.Parallel()
	var names []string
	for _, c := range new(Facts).Columns(Subject{}) {
		names = append(names, c.Name)
	}
	assert.Equal(t, "metric,data,candidate,baseline,outcome,old,new,difference,lo,hi,alpha,margin,p_margin,test,statistic,df,df2,p,p_adjusted,runs,folds,"+
		"replicability,replicability_lo,replicability_hi,repeats,agreeing,rerun_agrees,detectable,protocol,data_sha256,old_commit,new_commit,reason,warnings,"+
		"bayes_worse,bayes_rope,bayes_better,row,column,first_p,second_p,second_protocol,second_difference,second_lo,second_hi,copies,items,clusters,icc,items_better,items_worse,slice,members,items_left_out,old_version,new_version,old_recorded,new_recorded,examples,p_examples,examples_lacking,weight", strings.Join(names, ","))

	// Every field is set to a value of its own, which must be in a column.
	var f Facts
	var s Subject
	n := 0.0
	fill(reflect.ValueOf(&f).Elem(), &n)
	fill(reflect.ValueOf(&s).Elem(), &n)
	f.Outcome = Improved.String()
	var values []string
	for _, c := range f.Columns(s) {
		require.NotEmpty(t, c.Value, c.Name)
		require.NotContains(t, values, c.Value, c.Name)
		values = append(values, c.Value)
	}
	left := []string{
		"Significant", "Identical", "Unchanged", "Level", "LeastP", "Planned", "Second.Agrees",
		"Second.Trainings", "Second.Level", "Second.Bayes.Worse",
		"Second.Bayes.Rope", "Second.Bayes.Better", "Margin.Lo", "Margin.Hi", "Margin.Within",
		"Margin.NonInferior", "Margin.Reason",
		"Margin.Examples.Differ", "Margin.Examples.FirstP", "Margin.Examples.Lo", "Margin.Examples.Hi",
		"Rerun.Runs", "Notes", "Full.SplitSHA256", "Full.Reproduce", "Full.Text", "Items.Largest",
		"Items.Flips",
		"Items.OldRecorded.First", "Items.OldRecorded.Last", "Items.NewRecorded.First",
		"Items.NewRecorded.Last",
	}
	var walk func(path string, v reflect.Value)
	walk = func(path string, v reflect.Value) {
		for i := range v.NumField() {
			name := strings.TrimPrefix(path+"."+v.Type().Field(i).Name, ".")
			switch x := v.Field(i); {
			case x.Kind() == reflect.Pointer:
				walk(name, x.Elem())
			case slices.Contains(left, name):
			case x.Kind() == reflect.Slice:
				assert.Contains(t, values, x.Index(0).String(), name)
			default:
				text := x.String()
				if x.CanFloat() {
					text = unit.Number(x.Float()).String()
				} else if x.CanInt() {
					text = unit.Number(x.Int()).String()
				}
				assert.Contains(t, values, text, name)
			}
		}
	}
	walk("", reflect.ValueOf(&f).Elem())
	walk("", reflect.ValueOf(&s).Elem())

	// What could not be judged has no numbers.
	f.Outcome, s.Slice = Invalid.String(), ""
	for _, c := range f.Columns(s) {
		if _, err := json.Number(c.Value).Float64(); err == nil && c.Value != "" {
			t.Errorf("%s is %s", c.Name, c.Value)
		}
	}
}

// fill sets every field to a value of its own.
func fill(v reflect.Value, n *float64) {
	for i := range v.NumField() {
		*n++
		switch x := v.Field(i); x.Kind() {
		case reflect.Pointer:
			x.Set(reflect.New(x.Type().Elem()))
			fill(x.Elem(), n)
		case reflect.String:
			x.SetString("text " + unit.Number(*n).String())
		case reflect.Slice:
			x.Set(reflect.MakeSlice(x.Type(), 1, 1))
			if one := x.Index(0); one.Kind() == reflect.String {
				one.SetString("list " + unit.Number(*n).String())
			} else {
				fill(one, n)
			}
		case reflect.Float64:
			x.SetFloat(*n)
		case reflect.Int:
			x.SetInt(int64(*n))
		case reflect.Bool:
			x.SetBool(true)
		}
	}
}

// Unknown values are empty, and null.
func TestNothingIsMadeUp(t *testing.T) {
	t.Parallel()
	v := Judge(pairs(accuracy, 1, 0.01, 0.03), Claim{Test: stat.MustLookup("permutation")})
	require.True(t, math.IsNaN(v.Difference.Lo))
	for _, c := range v.Columns() {
		if slices.Contains([]string{
			"lo", "hi", "df", "df2", "p_adjusted", "margin", "p_margin",
			"repeats", "first_p", "bayes_rope", "detectable",
		}, c.Name) {
			assert.Empty(t, c.Value, c.Name)
		}
	}
	assert.Equal(t, &Origin{Text: "invalid: none\n"}, Fail(Claim{}, errors.New("none")).Origin())
	v.CandidateHeader = &record.Header{Protocol: "p"}
	assert.Equal(t, "p", v.Origin().Protocol)
}
