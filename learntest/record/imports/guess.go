package imports

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/learnbench/learnbench/learntest/metric"
)

// roleNames are usual names of columns, in words.
var roleNames = map[string]string{
	"data": roleData, "dataset": roleData, "data set": roleData, "dataset name": roleData,
	"dataset id": roleData,
	"task":       roleData, "task id": roleData, "problem": roleData, "validation id": roleData,
	"learner": roleLearner, "learner id": roleLearner, "model": roleLearner, "model id": roleLearner,
	"model name": roleLearner,
	"estimator":  roleLearner, "estimator name": roleLearner, "algorithm": roleLearner,
	"classifier": roleLearner,
	"regressor":  roleLearner, "strategy": roleLearner, "method": roleLearner,
	"framework": roleLearner,
	"run":       roleRun, "repeat": roleRun, "repetition": roleRun, "rep": roleRun, "seed": roleRun,
	"fold": roleFold, "fold id": roleFold, "split": roleSplit, "split id": roleSplit,
	"n train": roleTrain, "n test": roleTest, "fit time": roleFit, "pred time": rolePredict,
	"score time": rolePredict, "predict time": rolePredict,
}

// dropped are words in the names of scores that say nothing of the metric.
var dropped = []string{
	"test", "score", "metrics", "summary", "config", "params", "tags", "val",
	"cv",
}

// numbered is the number of a fold in the name of a column.
var numbered = regexp.MustCompile(`(split|fold)(_?)\d+`)

// guess returns the error about a table without a map. The error has the map that the names of the
// columns suggest, and the user confirms a guess by giving it.
func (t *table) guess() error {
	c := t.c
	var parts []string
	taken := make(map[string]bool)
	scores := false
	for _, name := range t.header() {
		name := numbered.ReplaceAllString(name, "$1$2{$1}")
		role, isMetric := guessed(name)
		if role == "" || taken[role] || strings.ContainsAny(name, "\"\n\r") {
			continue
		}
		taken[role], scores = true, scores || isMetric
		part := role + "=" + name
		if strings.Contains(part, ",") {
			part = `"` + part + `"`
		}
		parts = append(parts, part)
	}
	if !scores {
		parts = append(parts, "METRIC=COLUMN")
	}
	slices.SortStableFunc(parts, func(a, b string) int { return rank(a) - rank(b) })
	return fmt.Errorf("%w: %s: format %s needs Map (-map), which says what the columns are: by their names it may be -map '%s': check it, and give it: the columns are %s",
		ErrOptions, c.source, formatTable, strings.ReplaceAll(strings.Join(parts, ","), "'", `'\''`),
		t.list())
}

// guessed returns the role or the metric that the name of a column suggests, or "".
func guessed(name string) (role string, isMetric bool) {
	words := strings.FieldsFunc(strings.ToLower(placeholder.ReplaceAllString(name, " ")),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	words = slices.DeleteFunc(words, func(w string) bool { return slices.Contains(dropped, w) })
	wide := placeholder.MatchString(name)
	if role := roleNames[strings.Join(words, " ")]; role != "" && !wide {
		return role, false
	}
	if wide {
		words = slices.DeleteFunc(words, func(w string) bool { return w == roleFold || w == roleSplit })
		if role := roleNames[strings.Join(words, " ")]; role == roleFit || role == rolePredict {
			return role, false
		}
	}
	text := strings.Join(words, "")
	if text == "acc" {
		text = "accuracy"
	}
	for _, m := range metric.Metrics() {
		if strings.ReplaceAll(m.Name, "-", "") == text {
			return m.Name, true
		}
	}
	return "", false
}

// rank orders the parts of a map: roles in their order, then metrics.
func rank(part string) int {
	role, _, _ := strings.Cut(strings.Trim(part, `"`), "=")
	if i := slices.Index(roles()[:5], role); i >= 0 {
		return i
	}
	if slices.Contains(roles(), role) {
		return 7
	}
	return 6
}
