package main

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/judge"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/print"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/record/imports"
	"github.com/learnbench/learnbench/learntest/stat/across"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The documentation names every key of the JSON form.
func TestDocumentationListsKeys(t *testing.T) {
	t.Parallel()
	_, text, ok := strings.Cut(doc, "\n# JSON\n")
	require.True(t, ok)
	text, _, _ = strings.Cut(text, "\n# ")
	require.Contains(t, text, report.Schema)
	seen := make(map[reflect.Type]bool)
	keys := 0
	var check func(x reflect.Type)
	check = func(x reflect.Type) {
		for x.Kind() == reflect.Pointer || x.Kind() == reflect.Slice {
			x = x.Elem()
		}
		if x.Kind() != reflect.Struct || seen[x] {
			return
		}
		seen[x] = true
		for i := range x.NumField() {
			f := x.Field(i)
			if f.Anonymous { // its keys belong to the struct around it
				check(f.Type)
				continue
			}
			key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			require.NotEmpty(t, key, "%v.%s", x, f.Name)
			assert.Regexp(t, `\b`+regexp.QuoteMeta(key)+`\b`, text)
			keys++
			check(f.Type)
		}
	}
	check(reflect.TypeFor[report.Report]())
	require.Greater(t, keys, 80)
}

// And so it does with formats, tests over data sets, and imports.
func TestDocumentationListsNames(t *testing.T) {
	t.Parallel()
	text := strings.Join(strings.Fields(doc), " ")
	var names []string
	for _, f := range print.Formats() {
		names = append(names, f.Name)
	}
	for _, p := range across.PairTests() {
		names = append(names, p.Name)
	}
	for _, m := range judge.Methods() {
		names = append(names, m.Name)
	}
	for _, f := range imports.Formats() {
		names = append(names, f.Name)
	}
	for _, n := range names {
		assert.Regexp(t, `[ ;]`+n+`[ ,;.:]`, text)
	}
}
