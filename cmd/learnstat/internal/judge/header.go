package judge

import (
	"slices"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/match"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/record/imports"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A header collects the values that the results share, and the values in which they differ with
// their owners.
type header struct {
	columns []match.Column
	seen    map[ofColumn]bool
	fields  []values // in the order of headerKeys
	data    []report.DataSet
	known   map[report.DataSet]int // of a name and digest, where it is
	proto   values
	hidden  string // a key whose lines are left out
}

type ofColumn struct {
	header *record.Header
	column int
}

// headerKeys are the lines of a header. A toolchain that all share is no news.
var headerKeys = []struct {
	name   string
	always bool
	field  func(*record.Header) string
}{
	{"pkg", true, func(h *record.Header) string { return h.Pkg }},
	{"commit", true, committed},
	{"weight", true, weight},
	{"toolchain", false, func(h *record.Header) string { return h.Toolchain }},
}

func newHeader(columns []match.Column) *header {
	return &header{
		columns: columns, seen: make(map[ofColumn]bool), known: make(map[report.DataSet]int),
		fields: make([]values, len(headerKeys)+1),
	}
}

// without leaves out the lines of a key.
func (h *header) without(key string) { h.hidden = key }

// add takes a header of a column with results on a data set.
func (h *header) add(data string, r *record.Header, column int) {
	if !h.of(r, column) {
		return
	}
	h.proto.add(r.Protocol, data)
	d := report.DataSet{Name: data, SHA256: r.DataDigest}
	if _, ok := h.known[d]; !ok {
		h.known[d] = len(h.data)
		h.data = append(h.data, d)
		h.data[h.known[d]].ByName, _ = imports.ByName(r)
	}
	h.describe(data, r)
}

// describe takes the target of a data set that was added, and the number of its copies; older files
// lack both.
func (h *header) describe(data string, r *record.Header) {
	at, ok := h.known[report.DataSet{Name: data, SHA256: r.DataDigest}]
	if !ok {
		return
	}
	if t, said := r.TargetOf(); said {
		h.data[at].Target = t.String()
	}
	h.data[at].Copies = max(h.data[at].Copies, unit.Number(r.CopiesInTraining()))
}

// of takes a header of a column, and reports whether it is news.
func (h *header) of(r *record.Header, column int) bool {
	k := ofColumn{r, column}
	if h.seen[k] {
		return false
	}
	h.seen[k] = true
	label := h.columns[column].Label
	for i := range headerKeys {
		h.fields[i].add(headerKeys[i].field(r), label)
	}
	h.fields[len(headerKeys)].add(r.Commit, label)
	return true
}

// finish writes the lines and the columns into the report.
func (h *header) finish(r *report.Report, learners bool) {
	if learners {
		r.Header = append(r.Header, report.Line{Key: "file", Value: h.columns[0].Side.Label})
		for i := range h.fields {
			h.fields[i].rename(h.columns[0].Side.Label)
		}
	}
	for i, k := range headerKeys {
		if k.name != h.hidden && (k.always || len(h.fields[i].texts) > 1) {
			r.Header = append(r.Header, h.fields[i].lines(k.name)...)
		}
	}
	r.Header = append(r.Header, h.proto.lines("protocol")...)
	r.Data = append(r.Data, h.data...)
	commits := &h.fields[len(headerKeys)]
	for _, c := range h.columns {
		col := report.Column{Label: c.Label, Title: c.Label}
		if !learners && commits.apart() {
			for i, commit := range commits.texts {
				if slices.Contains(commits.owners[i], c.Label) && c.Label != commit {
					col.Title += " " + abbreviated(commit)
				}
			}
		}
		r.Columns = append(r.Columns, col)
	}
}

// committed returns the commit of a header and its time: whoever reads the verdicts
// sees whether they are about the commits that they ought to be about.
func committed(h *record.Header) string {
	if h.Commit == "" || h.CommitTime == "" {
		return h.Commit
	}
	return h.Commit + " of " + h.CommitTime
}

// weight says that clusters of items weigh equally; it is empty if items do.
func weight(h *record.Header) string {
	if h.Weight == record.ByCluster {
		return "clusters weigh equally"
	}
	return ""
}

// values are the different values of a key, with their owners.
type values struct {
	texts  []string
	owners [][]string // of each text
	index  map[string]int
	owned  map[[2]string]bool
	all    []string // owners of any text, or of none
	any    map[string]bool
}

// add adds the text of an owner, who has none if it is empty.
func (v *values) add(text, owner string) {
	if v.index == nil {
		v.index, v.owned, v.any = make(map[string]int), make(map[[2]string]bool), make(map[string]bool)
	}
	if !v.any[owner] {
		v.any[owner] = true
		v.all = append(v.all, owner)
	}
	k := [2]string{text, owner}
	if text == "" || v.owned[k] {
		return
	}
	v.owned[k] = true
	at, ok := v.index[text]
	if !ok {
		at = len(v.texts)
		v.index[text] = at
		v.texts = append(v.texts, text)
		v.owners = append(v.owners, nil)
	}
	v.owners[at] = append(v.owners[at], owner)
}

// rename says that all is of one owner.
func (v *values) rename(owner string) {
	v.all = []string{owner}
	for i := range v.owners {
		v.owners[i] = v.all
	}
}

// apart reports whether there are several values, and none of them has an
// owner in common with another.
func (v *values) apart() bool {
	n := 0
	for _, o := range v.owners {
		n += len(o)
	}
	return len(v.texts) > 1 && n == len(v.all)
}

// lines returns a line for each value, with its owners unless all share it.
func (v *values) lines(key string) []report.Line {
	var ls []report.Line
	for i, text := range v.texts {
		l := report.Line{Key: key, Value: text}
		if len(v.owners[i]) < len(v.all) || len(v.texts) > 1 {
			l.Of = v.owners[i]
		}
		ls = append(ls, l)
	}
	return ls
}

// abbreviated returns a commit as shown: the first seven of twelve or more
// digits, and what follows the digits, such as -dirty.
func abbreviated(commit string) string {
	end := strings.IndexFunc(commit,
		func(c rune) bool { return !strings.ContainsRune("0123456789abcdef", c) })
	if end < 0 {
		end = len(commit)
	}
	if end < 12 {
		return commit
	}
	return commit[:7] + commit[end:]
}
