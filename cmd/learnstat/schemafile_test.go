package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/print"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
)

//go:embed learnstat-1.schema.json
var schemaText []byte

// A schema is a JSON Schema, as far as this one goes.
type schema struct {
	Schema      string             `json:"$schema,omitempty"`
	ID          string             `json:"$id,omitempty"`
	Title       string             `json:"title,omitempty"`
	Ref         string             `json:"$ref,omitempty"`
	Description string             `json:"description,omitempty"`
	Type        any                `json:"type,omitempty"` // a name or a list of names
	Const       any                `json:"const,omitempty"`
	Enum        []any              `json:"enum,omitempty"`
	Items       *schema            `json:"items,omitempty"`
	Properties  map[string]*schema `json:"properties,omitempty"`
	Required    []string           `json:"required,omitempty"`
	Defs        map[string]*schema `json:"$defs,omitempty"`
}

// values are the values of keys that have few.
var values = map[string][]any{
	"Report.status":      {0, 1, 2},
	"Settings.tail":      {"both", "better", "worse"},
	"Unit.better":        {"higher", "lower"},
	"Facts.outcome":      {"improved", "regressed", "equivalent", "inconclusive", "invalid"},
	"Facts.significant":  {1, 0, -1},
	"OverColumn.outcome": {"", "improved", "regressed", "equivalent", "inconclusive"},
}

// schemaOf returns the schema of the JSON form, with the comments of the types.
func schemaOf(t *testing.T) *schema {
	comments, err := fieldComments()
	require.NoError(t, err)
	root := &schema{
		Schema: "https://json-schema.org/draft/2020-12/schema",
		ID:     "https://github.com/learnbench/learnbench/cmd/learnstat/" + schemaName(),
		Title:  "learnstat -format json", Defs: make(map[string]*schema),
		Description: "The output of learnstat -format json. New keys may be added; a change that would break a reader changes the number in the key schema.",
	}
	used := make(map[string]bool)
	var of func(x reflect.Type) *schema
	var fields func(s *schema, x reflect.Type)
	of = func(x reflect.Type) *schema {
		switch {
		case x == reflect.TypeFor[unit.Number]():
			root.Defs["number"] = &schema{
				Type:        []any{"number", "null", "string"},
				Description: `A number; null if it is not known; "+Inf" or "-Inf" if it is infinite.`,
			}
			return &schema{Ref: "#/$defs/number"}
		case x.Kind() == reflect.Pointer:
			return of(x.Elem())
		case x.Kind() == reflect.Slice:
			return &schema{Type: []any{"array", "null"}, Items: of(x.Elem())}
		case x.Kind() == reflect.Struct:
			if root.Defs[x.Name()] == nil {
				s := &schema{Type: "object", Properties: make(map[string]*schema)}
				root.Defs[x.Name()] = s
				fields(s, x)
			}
			return &schema{Ref: "#/$defs/" + x.Name()}
		}
		kind, ok := map[reflect.Kind]string{
			reflect.String: "string", reflect.Bool: "boolean",
			reflect.Int: "integer", reflect.Float64: "number",
		}[x.Kind()]
		require.True(t, ok, "%v", x)
		return &schema{Type: kind}
	}
	fields = func(s *schema, x reflect.Type) {
		for i := range x.NumField() {
			f := x.Field(i)
			if f.Anonymous {
				fields(s, f.Type)
				continue
			}
			key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			require.NotEmpty(t, key, "%v.%s", x, f.Name)
			p := of(f.Type)
			p.Description = comments[x.Name()+"."+f.Name]
			if list, ok := values[x.Name()+"."+key]; ok {
				used[x.Name()+"."+key] = true
				p.Enum = list
			}
			if x == reflect.TypeFor[report.Report]() && key == "schema" {
				p.Const = report.Schema
			}
			s.Properties[key] = p
			if options != "omitempty" {
				s.Required = append(s.Required, key)
			}
		}
	}
	root.Ref = of(reflect.TypeFor[report.Report]()).Ref
	require.Len(t, used, len(values), "every list of values is of a key: %v",
		slices.Sorted(maps.Keys(used)))
	return root
}

// schemaName is the name of the file with the schema.
func schemaName() string { return strings.ReplaceAll(report.Schema, "/", "-") + ".schema.json" }

// fieldComments returns the comments on the fields of the types in the JSON form, by TYPE.FIELD.
var fieldComments = sync.OnceValues(func() (map[string]string, error) {
	comments := make(map[string]string)
	for _, dir := range []string{
		filepath.Join("internal", "report"),
		filepath.Join("..", "..", "learntest", "verdict"),
	} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), file, nil,
				parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			commentsOf(f, comments)
		}
	}
	return comments, nil
})

// commentsOf adds the comments on the fields of the types in a file.
func commentsOf(f *ast.File, comments map[string]string) {
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		s, ok := spec.Type.(*ast.StructType)
		if !ok {
			return true
		}
		for _, field := range s.Fields.List {
			text := strings.Join(strings.Fields(field.Doc.Text()+" "+field.Comment.Text()), " ")
			for _, name := range field.Names {
				comments[spec.Name.Name+"."+name.Name] = text
			}
		}
		return true
	})
}

// The file with the schema is what the types say, and goes on admitting what readers rely on.
func TestSchemaFile(t *testing.T) {
	t.Parallel()
	now := schemaOf(t)
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "\t")
	require.NoError(t, e.Encode(now))
	before, err := committed()
	require.NoError(t, err)
	require.Empty(t, broken(before, now),
		"a reader of %s would break: raise the number in report.Schema, and begin a new file",
		report.Schema)
	if *update {
		require.NoError(t, os.WriteFile(schemaName(), text.Bytes(), 0o644))
		return
	}
	require.Equal(t, text.String(), string(schemaText),
		"go test ./cmd/learnstat -run TestSchemaFile -update writes it")
}

// broken returns what a reader that relies on the old schema would miss.
func broken(old, now *schema) []string {
	var missing []string
	for _, name := range slices.Sorted(maps.Keys(old.Defs)) {
		was, is := old.Defs[name], now.Defs[name]
		if is == nil {
			missing = append(missing, "no "+name)
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(was.Properties)) {
			p, q := was.Properties[key], is.Properties[key]
			switch {
			case q == nil:
				missing = append(missing, fmt.Sprintf("no %s of %s", key, name))
			case p.Ref != q.Ref || fmt.Sprint(p.Type) != fmt.Sprint(q.Type) || p.Items != nil &&
				(q.Items == nil || p.Items.Ref != q.Items.Ref ||
					fmt.Sprint(p.Items.Type) != fmt.Sprint(q.Items.Type)):
				missing = append(missing, fmt.Sprintf("another type of %s of %s", key, name))
			case slices.Contains(was.Required, key) && !slices.Contains(is.Required, key):
				missing = append(missing, fmt.Sprintf("%s of %s may be missing", key, name))
			}
		}
	}
	return missing
}

func TestSchemaThatWouldBreakReaders(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		change func(s *schema)
		want   string
	}{
		{func(s *schema) { delete(s.Defs, "Gate") }, "no Gate"},
		{func(s *schema) { delete(s.Defs["Row"].Properties, "label") }, "no label of Row"},
		{
			func(s *schema) { s.Defs["Row"].Properties["label"].Type = "integer" },
			"another type of label of Row",
		},
		{
			func(s *schema) { s.Defs["Row"].Properties["cells"].Items.Ref = "#/$defs/Row" },
			"another type of cells of Row",
		},
		{func(s *schema) { s.Defs["Row"].Required = nil }, "cells of Row may be missing"},
	} {
		s := schemaOf(t)
		c.change(s)
		require.Contains(t, broken(schemaOf(t), s), c.want)
	}
	s := schemaOf(t)
	s.Defs["Row"].Properties["new"] = &schema{Type: "string"}
	require.Empty(t, broken(schemaOf(t), s))
}

// validate returns where a value is not as the schema has it. A key that the schema does not have
// is a fault, too.
func (s *schema) validate(root *schema, at string, x any) []string {
	if s.Ref != "" {
		name, ok := strings.CutPrefix(s.Ref, "#/$defs/")
		if !ok || root.Defs[name] == nil {
			return []string{fmt.Sprintf("%s: there is no %s", at, s.Ref)}
		}
		if faults := root.Defs[name].validate(root, at, x); faults != nil {
			return faults
		}
	}
	types, ok := s.Type.([]any)
	if s.Type != nil && !ok {
		types = []any{s.Type}
	}
	if types != nil && !slices.ContainsFunc(types, func(name any) bool { return isType(name, x) }) {
		return []string{fmt.Sprintf("%s: %v is none of %v", at, x, types)}
	}
	equal := func(want any) bool { return fmt.Sprint(want) == fmt.Sprint(x) }
	if s.Const != nil && !equal(s.Const) || s.Enum != nil && !slices.ContainsFunc(s.Enum, equal) {
		return []string{fmt.Sprintf("%s: %v is none of %v%v", at, x, s.Const, s.Enum)}
	}
	var faults []string
	if list, ok := x.([]any); ok {
		for i, e := range list {
			faults = append(faults, s.Items.validate(root, fmt.Sprintf("%s[%d]", at, i), e)...)
		}
	}
	if dict, ok := x.(map[string]any); ok && s.Properties != nil {
		for _, key := range s.Required {
			if _, ok := dict[key]; !ok {
				faults = append(faults, fmt.Sprintf("%s: there is no %s", at, key))
			}
		}
		for key, e := range dict {
			if s.Properties[key] == nil {
				faults = append(faults, fmt.Sprintf("%s: the schema has no %s", at, key))
				continue
			}
			faults = append(faults, s.Properties[key].validate(root, at+"."+key, e)...)
		}
	}
	return faults
}

func isType(name, x any) bool {
	switch x := x.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case json.Number:
		_, err := x.Int64()
		return name == "number" || name == "integer" && err == nil
	case []any:
		return name == "array"
	case map[string]any:
		return name == "object"
	}
	return false
}

// committed is the schema in its file.
var committed = sync.OnceValues(func() (*schema, error) {
	var root schema
	err := json.Unmarshal(schemaText, &root)
	return &root, err
})

// validateJSON returns where a text is not as the schema has it.
func validateJSON(text []byte) ([]string, error) {
	root, err := committed()
	if err != nil {
		return nil, err
	}
	var x any
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&x); err != nil {
		return nil, err
	}
	return root.validate(root, "", x), nil
}

// reportFaults returns where the JSON form of a report, if there is one, is not as the schema has
// it.
func reportFaults(r *report.Report) ([]string, error) {
	if r == nil {
		return nil, nil
	}
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return validateJSON(text)
}

// jsonOf returns the output of a command line in JSON, unless it has none, reads standard input or
// writes files.
func jsonOf(args []string) (string, bool) {
	var kept []string
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "-format":
			i++
			continue
		case args[i] == "-v":
			continue
		case args[i] == "-" || strings.HasSuffix(args[i], "=-") || strings.HasPrefix(args[i], "-plot") ||
			strings.HasPrefix(args[i], "-html") || strings.HasPrefix(args[i], "-format="):
			return "", false
		}
		kept = append(kept, args[i])
	}
	_, text, _, _ := learnstat(append([]string{"-format", "json"}, kept...), strings.NewReader(""),
		print.Options{})
	return text, strings.HasPrefix(text, "{")
}

// Values, keys and types that the schema does not have are found.
func TestSchemaRefuses(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"testdata/old.txt", "testdata/new.txt"},
		{"-history", "testdata/old.txt", "testdata/new.txt"},
		{"-fail-on", "regressed", "-margin", "accuracy=2pp", "testdata/before.txt", "testdata/after.txt"},
	} {
		text, ok := jsonOf(args)
		require.True(t, ok, "%v", args)
		faults, err := validateJSON([]byte(text))
		require.NoError(t, err)
		require.Empty(t, faults)
		for _, change := range [][2]string{
			{`"schema": "learnstat/1"`, `"schema": "learnstat/2"`},
			{`"schema": "learnstat/1",`, ``},
			{`"status": `, `"status": 7`},
			{`"alpha": 0.05`, `"alpha": "0.05"`},
			{`"alpha": 0.05`, `"alfa": 0.05`},
			{`"columns": [`, `"columns": [ 7,`},
			{`"better": "higher"`, `"better": "up"`},
		} {
			require.Contains(t, text, change[0], "%v", args)
			faults, err := validateJSON([]byte(strings.Replace(text, change[0], change[1], 1)))
			require.NoError(t, err, "%v", change)
			require.NotEmpty(t, faults, "%v", change)
		}
	}
}
