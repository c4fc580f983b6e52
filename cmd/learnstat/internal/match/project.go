package match

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/input"
	"github.com/learnbench/learnbench/internal/catalogue"
	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/record"
	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"
)

// A projector applies the filter and the projections of a query.
type projector struct {
	filter          *benchproc.Filter
	table, row, col *benchproc.Projection
	unit            *benchproc.Field
	named           bool                        // tables or columns depend on the learner
	keyed           map[[2]string]benchproc.Key // rows by data set and learner; nil if they depend on more
	names           map[string]string           // by what stands for them in the name of a benchmark
	escaped         map[string]string           // the inverse
}

// whole are the keys that take a protocol's runs and folds apart.
var whole = []string{"/run", "/fold"}

func newProjector(q *Query) (*projector, error) {
	p := &projector{names: make(map[string]string), escaped: make(map[string]string)}
	var err error
	if p.filter, err = benchproc.NewFilter(q.Filter); err != nil {
		return nil, parsing("-filter", q.Filter, err)
	}
	if key := partOfProtocol.FindString(q.Filter); key != "" {
		return nil, fmt.Errorf("-filter has %s: the folds of cross-validation belong together, and a part of them is no result", strings.Trim(key, "-( :"))
	}
	var parser benchproc.ProjectionParser
	if p.table, p.unit, err = parser.ParseWithUnit(q.Table, p.filter); err != nil {
		err = parsing("-table", q.Table, err)
		if place, ok := errors.AsType[*cli.QueryError](err); ok && strings.Contains(q.Table, ".unit") {
			place.Msg += "; metrics have tables of their own, and -times shows the times of trials"
		}
		return nil, err
	}
	if p.row, err = parser.Parse(q.Row, p.filter); err != nil {
		return nil, parsing("-row", q.Row, err)
	}
	if p.col, err = parser.Parse(q.Col, p.filter); err != nil {
		return nil, parsing("-col", q.Col, err)
	}
	ignored, err := parser.Parse(q.Ignore, p.filter)
	if err != nil {
		return nil, parsing("-ignore", q.Ignore, err)
	}
	for _, f := range []struct {
		name string
		of   *benchproc.Projection
	}{{"-table", p.table}, {"-row", p.row}, {"-col", p.col}} {
		for _, field := range f.of.Fields() {
			if !slices.Contains(keys, field.Name) {
				return nil, unknownKey(f.name, field.Name)
			}
			if slices.Contains(whole, field.Name) {
				return nil, fmt.Errorf("%s has %s: the folds of cross-validation belong together, and a part of them is no result", f.name, field.Name)
			}
		}
	}
	// Runs, folds and what changes from commit to commit are in no group that is not asked
	// for by name.
	for _, key := range []string{"/run", "/fold", "learnbench-format", "commit"} {
		if !slices.ContainsFunc(slices.Concat(ignored.Fields(), p.table.Fields(), p.row.Fields(),
			p.col.Fields()),
			func(f *benchproc.Field) bool { return f.Name == key }) {
			if _, err := parser.Parse(key, nil); err != nil {
				return nil, err
			}
		}
	}
	if !slices.ContainsFunc(p.row.Fields(), func(f *benchproc.Field) bool { return !ofName(f) }) {
		p.keyed = make(map[[2]string]benchproc.Key)
	}
	p.named = slices.ContainsFunc(p.table.Fields(), ofName) || slices.ContainsFunc(p.col.Fields(),
		ofName)
	return p, nil
}

// ofName reports whether a field is of the name of a result, which has its data set and its
// learner.
func ofName(f *benchproc.Field) bool {
	return strings.HasPrefix(f.Name, "/") || f.Name == ".name" || f.Name == ".fullname"
}

// keys are the keys that results have, for filters and projections.
var keys = []string{
	"/data", "/learner", "/run", "/fold", ".file", ".name", ".fullname", ".config",
	".unit", "pkg", "test", "commit", "protocol", "data-sha256", "split-sha256", "learnbench-format",
}

func unknownKey(flag, key string) error {
	return fmt.Errorf("%s: %s is no key of results; the keys are /data, /learner, .file, .fullname, .config, pkg, test, commit, protocol, data-sha256 and split-sha256, and .unit in filters%s", flag, key, catalogue.Suggest(key, keys))
}

// parsing returns an error of package benchproc, whose message ends with the query and a caret on
// lines of their own.
func parsing(flag, query string, err error) error {
	text, place, ok := strings.Cut(err.Error(), "\n\t"+query+"\n\t")
	if at := strings.IndexByte(place, '^'); ok && at >= 0 {
		return &cli.QueryError{Msg: "parsing " + flag + ": " + text, Query: query, At: at}
	}
	return fmt.Errorf("parsing %s: %w", flag, err)
}

// partOfProtocol matches a key of a filter that takes runs and folds apart.
var partOfProtocol = regexp.MustCompile(`(^|[-( ])/(run|fold):`)

// splitsFiles reports whether the tables, rows or columns may take apart results with one identity:
// of several commits, say, in one file.
func (p *projector) splitsFiles() bool {
	for _, of := range []*benchproc.Projection{p.table, p.row, p.col} {
		for _, f := range of.Fields() {
			if slices.Contains([]string{"commit", "data-sha256", "split-sha256", ".config"}, f.Name) {
				return true
			}
		}
	}
	return false
}

// result returns what stands for the trials of a block. Its learners share all but the name.
func (p *projector) result(s *input.Side, b *record.Block, units []string) *benchfmt.Result {
	h := &b.Header
	config := [...]struct{ key, value string }{
		{"learnbench-format", "2"},
		{"pkg", h.Pkg},
		{"test", h.Test},
		{"commit", h.Commit},
		{"protocol", h.Protocol},
		{"data-sha256", h.DataDigest},
		{"split-sha256", h.SplitDigest},
	}
	r := &benchfmt.Result{
		Iters: 1, Config: make([]benchfmt.Config, 0, 1+len(config)),
		Values: make([]benchfmt.Value, len(units)),
	}
	r.Config = append(r.Config, benchfmt.Config{Key: ".file", Value: []byte(s.Key)})
	for _, c := range config {
		if c.value != "" {
			r.Config = append(r.Config, benchfmt.Config{Key: c.key, Value: []byte(c.value), File: true})
		}
	}
	for i, u := range units {
		r.Values[i] = benchfmt.Value{Value: 1, Unit: u}
	}
	return r
}

// rowKey returns the row of a learner's result, which has its name. Sides have the same names, and
// names are dear to take apart.
func (p *projector) rowKey(r *benchfmt.Result, data, learner string) benchproc.Key {
	if p.keyed == nil {
		return p.row.Project(r)
	}
	name := [2]string{data, learner}
	k, ok := p.keyed[name]
	if !ok {
		k = p.row.Project(r)
		p.keyed[name] = k
	}
	return k
}

func (p *projector) name(data, learner string) benchfmt.Name {
	return benchfmt.Name("CV/data=" + p.escape(data) + "/learner=" + p.escape(learner) +
		"/run=1/fold=1")
}

// escape returns the name as written in the name of a trial.
func (p *projector) escape(name string) string {
	if e, ok := p.escaped[name]; ok {
		return e
	}
	e := record.EscapeName(name)
	p.escaped[name], p.names[e] = e, name
	return e
}

// label returns the values of a key, as benchstat does it, but with unescaped names.
func (p *projector) label(k benchproc.Key, of *benchproc.Projection, sep string) string {
	var parts []string
	for _, f := range of.FlattenedFields() {
		v := k.Get(f)
		if name, ok := p.names[v]; ok && (f.Name == "/data" || f.Name == "/learner") {
			parts = append(parts, name)
		} else if v != "" {
			parts = append(parts, v)
		}
	}
	return strings.Join(parts, sep)
}
