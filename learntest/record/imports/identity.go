package imports

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
)

// header returns the header of a set: test, data, protocol and digests of its results.
func (d *design) header() (record.Header, error) {
	s, c := d.set, d.c
	h := record.Header{Test: c.format.Name, Data: s.name}
	by := byNameAndSize
	if t := c.table(s.name); t != nil {
		digest, err := t.Digest()
		if err != nil {
			return h, err
		}
		h.DataDigest, by = digest, "content"
		if t.ClassIndex() >= 0 {
			h.SetTarget(targetOf(t))
		}
	} else {
		h.DataDigest = digestOf("data", s.name, fmt.Sprint(d.examples))
	}
	partitions := byName
	switch {
	case c.format.Name == formatWeka && d.folds > 1:
		known, err := d.wekaPartitions(&h)
		if err != nil {
			return h, err
		}
		if known {
			partitions = "content"
		}
	default:
		task := s.task
		if task == "" {
			task = c.Partitions
		}
		h.SplitDigest = digestOf("partitions", c.format.Name, s.name, fmt.Sprint(d.examples),
			fmt.Sprint(d.first), fmt.Sprint(d.runs), fmt.Sprint(d.folds), task)
		switch c.format.Name {
		case formatOpenML: // which says what each fold tests
			partitions, h.SplitDigest = "test examples", s.task
		case formatAMLBPredictions: // which says how many, and their truth
			partitions, h.SplitDigest = "numbers of test examples", s.task
		}
		h.Protocol = fmt.Sprintf("predefined runs=%d folds=%d sha256=%s seed=1 v1", d.runs, d.folds,
			h.SplitDigest)
	}
	h.Toolchain = fmt.Sprintf(toolchain, c.format.Name, by, partitions)
	return h, nil
}

// targetOf returns the predicted column of a table.
func targetOf(t *dataset.Table) record.Target {
	a := t.Attribute(t.ClassIndex())
	target := record.Target{
		Name: a.Name, Examples: t.Len(), Values: a.Values,
		Counts: make([]int, len(a.Values)),
	}
	for _, code := range t.Codes(t.ClassIndex()) {
		if code >= 0 {
			target.Counts[code]++
		}
	}
	return target
}

// Texts of the key Toolchain for imported results.
const (
	imported      = "imported from "
	toolchain     = imported + "%s: data identified by %s, partitions by %s"
	byNameAndSize = "name and size"
	byName        = "name"
)

// ByName reports whether a header of imported results has digests of names only: for the data, and
// for the partitions.
func ByName(h *record.Header) (data, partitions bool) {
	if !strings.HasPrefix(h.Toolchain, imported) {
		return false, false
	}
	for _, f := range Formats() {
		for _, by := range []string{byNameAndSize, "content"} {
			rest, ok := strings.CutPrefix(h.Toolchain, fmt.Sprintf(toolchain, f.Name, by, ""))
			data = data || ok && by == byNameAndSize
			partitions = partitions || ok && rest == byName
		}
	}
	return data, partitions
}

// wekaPartitions sets protocol and partitions of cross-validation in Weka, and reports
// whether the partitions are known: if the data are.
func (d *design) wekaPartitions(h *record.Header) (bool, error) {
	p := split.Weka(d.runs, d.folds).WithSeed(uint64(d.first))
	h.Protocol = p.String()
	t := d.c.table(d.set.name)
	if t == nil {
		h.SplitDigest = digestOf("partitions", h.Protocol, d.set.name, fmt.Sprint(d.examples))
		return false, p.Validate()
	}
	plan, err := p.Plan(examplesOf(t))
	if err != nil {
		return false, fmt.Errorf("data set %q: %w", d.set.name, err)
	}
	h.SetDistinct(plan.DistinctRuns())
	h.SplitDigest = plan.Digest()
	return true, nil
}

// examplesOf returns the facts about examples that a protocol looks at.
func examplesOf(t *dataset.Table) split.Examples {
	ex := split.Examples{N: t.Len()}
	if t.NumClasses() > 0 {
		ex.Class = make([]int, t.Len())
		for i := range ex.Class {
			ex.Class[i] = t.Class(i)
		}
	}
	return ex
}

// digestOf returns the SHA-256 of the lines that stand for unknown data or partitions.
func digestOf(what string, lines ...string) string {
	h := sha256.New()
	fmt.Fprintf(h, "learnbench imported %s v1\n", what)
	for _, line := range lines {
		fmt.Fprintf(h, "%q\n", line)
	}
	return hex.EncodeToString(h.Sum(nil))
}
