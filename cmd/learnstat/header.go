package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// headerWidth is where the lines of the header break.
const headerWidth = 100

// header returns the configuration that the results share, and that in which
// they differ with what it is of. A toolchain that they share is no news.
func (r *report) header() string {
	var b strings.Builder
	if r.oneFile() {
		fmt.Fprintf(&b, "file: %s\n", verdict.Printable(r.sides[0].label))
	}
	r.of(func(h *record.Header) string { return h.Pkg }).write(&b, "pkg")
	r.of(committed).write(&b, "commit")
	toolchains := r.of(func(h *record.Header) string { return h.Toolchain })
	if len(toolchains.texts) > 1 {
		toolchains.write(&b, "toolchain")
	}
	protocols := new(values)
	var data []string
	for _, row := range r.rows {
		if !row.judged() {
			continue
		}
		h := row.v.CandidateHeader
		protocols.add(h.Protocol, row.data)
		data = merged(data, []string{fmt.Sprintf("%s %.12s", row.data, h.DataDigest)})
	}
	protocols.write(&b, "protocol")
	wrap(&b, "data: ", data)
	return b.String()
}

// of returns the values of a field of the header, and which sides have them.
func (r *report) of(field func(*record.Header) string) *values {
	v := new(values)
	for _, row := range r.rows {
		if !row.judged() {
			continue
		}
		v.add(field(row.v.BaselineHeader), r.sides[0].label)
		v.add(field(row.v.CandidateHeader), r.sides[len(r.sides)-1].label)
	}
	return v
}

// committed returns the commit of a header and its time: whoever reads the verdicts
// sees whether they are about the commits that they ought to be about.
func committed(h *record.Header) string {
	if h.Commit == "" || h.CommitTime == "" {
		return h.Commit
	}
	return h.Commit + " of " + h.CommitTime
}

func (r *report) commits() *values {
	return r.of(func(h *record.Header) string { return h.Commit })
}

// values are the different values of a key, with what has them.
type values struct {
	texts  []string
	owners [][]string // of each text
	all    []string   // owners of any text, or of none
}

// add adds the text of an owner, who has none if it is empty.
func (v *values) add(text, owner string) {
	v.all = merged(v.all, []string{owner})
	if text == "" {
		return
	}
	at := slices.Index(v.texts, text)
	if at < 0 {
		at = len(v.texts)
		v.texts = append(v.texts, text)
		v.owners = append(v.owners, nil)
	}
	v.owners[at] = merged(v.owners[at], []string{owner})
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

// write writes a line for each value, with its owners unless it is that of all.
func (v *values) write(b *strings.Builder, key string) {
	for i, text := range v.texts {
		line := key + ": " + text
		if len(v.owners[i]) < len(v.all) || len(v.texts) > 1 {
			line += " (" + strings.Join(v.owners[i], ", ") + ")"
		}
		b.WriteString(verdict.Printable(line) + "\n")
	}
}

// wrap writes the items, separated by commas, in lines that are not too long.
func wrap(b *strings.Builder, key string, items []string) {
	line := key
	for i, item := range items {
		if i < len(items)-1 {
			item += ","
		}
		if i > 0 && len(line)+1+len(item) > headerWidth {
			b.WriteString(verdict.Printable(line) + "\n")
			line = strings.Repeat(" ", len(key))
		} else if i > 0 {
			line += " "
		}
		line += item
	}
	b.WriteString(verdict.Printable(line) + "\n")
}
