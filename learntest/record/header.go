package record

import (
	"fmt"
	"strings"
	"time"

	"github.com/learnbench/learnbench/learntest/split"
)

// The keys that are not text fields of a Header.
const (
	keyFormat   = "learnbench-format"
	keyData     = "Data"
	keyLearners = "Learners"
	keyChecksum = "Checksum"
	keyError    = "error"
)

// formatVersion is the version of the format that is read and written.
const formatVersion = "2"

// A Header says what the trials of a [Block] belong to. It does not say which
// trials there are.
type Header struct {
	Pkg          string // import path of the code under test
	Test         string // name of the test that ran the trials
	Data         string // name of the data set
	Commit       string // version control revision of the code under test
	CommitTime   string // when that was committed, as in RFC 3339
	Protocol     string // canonical text form of the split.Protocol
	DataDigest   string // hex SHA-256 of the data set
	SplitDigest  string // hex SHA-256 of the partitions of the protocol's own runs
	DistinctRuns string // how many of these runs differ, if not all do: see Header.Distinct
	Reproduce    string // command that reproduces the trials
	Determinism  string // outcomes of the determinism probes: see Header.DeterminismOf
	OpinionOn    string // of a second opinion, the results that it is on: see Header.AddOpinionOn
	Majority     string // what always predicting the most frequent class scores: see Header.SetMajority
	Target       string // what is predicted: see Header.SetTarget
	Means        string // of a baseline, the mean scores: see Block.SetMeans
	Toolchain    string // Go version, operating system, architecture, and version of this module if that is known
	Binary       string // hex SHA-256 of the program that ran the trials
	Owner        string // who is writing, in a journal
}

// An Identity says which results take each other's place: those of the same
// test of the same package (Pkg) on the same data under the same protocol.
type Identity struct{ Pkg, Test, Data, Protocol string }

// Identity returns that of the trials under the header.
func (h *Header) Identity() Identity { return Identity{h.Pkg, h.Test, h.Data, h.Protocol} }

// String returns the identity in words.
func (id Identity) String() string {
	s := fmt.Sprintf("data set %s under %q", id.Data, id.Protocol)
	if id.Test != "" {
		s += ", test " + id.Test
	}
	if id.Pkg != "" {
		s += " of " + id.Pkg
	}
	return s
}

// A headerKey is a key of the file configuration that holds a text of a
// Header.
type headerKey struct {
	name   string
	remark bool // it may differ between shards of one experiment
	field  func(*Header) *string
	check  func(string) error // of a value that is not empty; nil if any will do
	needed bool               // it must have a value
}

// headerKeys are the keys in the order in which they are written, before Data,
// Learners and Checksum.
var headerKeys = [...]headerKey{
	{name: "pkg", field: func(h *Header) *string { return &h.Pkg }},
	{name: "test", field: func(h *Header) *string { return &h.Test }},
	{name: "commit", field: func(h *Header) *string { return &h.Commit }},
	{name: "protocol", needed: true, check: checkProtocol, field: func(h *Header) *string { return &h.Protocol }},
	{name: dataDigest, needed: true, check: checkDigest, field: func(h *Header) *string { return &h.DataDigest }},
	{name: splitDigest, needed: true, check: checkDigest, field: func(h *Header) *string { return &h.SplitDigest }},
	{name: "Distinct-Runs", check: checkCount, field: func(h *Header) *string { return &h.DistinctRuns }},
	{name: "Commit-Time", check: checkTime, field: func(h *Header) *string { return &h.CommitTime }},
	{name: "Reproduce", remark: true, field: func(h *Header) *string { return &h.Reproduce }},
	{name: "Determinism", remark: true, field: func(h *Header) *string { return &h.Determinism }},
	{name: "Opinion-On", remark: true, field: func(h *Header) *string { return &h.OpinionOn }},
	{name: "Majority", remark: true, check: checkMajority, field: func(h *Header) *string { return &h.Majority }},
	{name: "Target", remark: true, check: checkTarget, field: func(h *Header) *string { return &h.Target }},
	{name: "Means", remark: true, field: func(h *Header) *string { return &h.Means }},
	{name: "Toolchain", remark: true, field: func(h *Header) *string { return &h.Toolchain }},
	{name: "Binary", remark: true, field: func(h *Header) *string { return &h.Binary }},
	{name: "Owner", remark: true, field: func(h *Header) *string { return &h.Owner }},
}

// own reports whether tools for benchmarks do not see the key.
func (k *headerKey) own() bool { return k.name[0] >= 'A' && k.name[0] <= 'Z' }

// isOwn reports whether a key is one of those that tools for benchmarks are
// not to see.
func isOwn(name string) bool {
	switch name {
	case keyData, keyLearners, keyChecksum:
		return true
	}
	k := findKey(name)
	return k != nil && k.own()
}

// findKey returns the header key of the given name, or nil.
func findKey(name string) *headerKey {
	for i := range headerKeys {
		if headerKeys[i].name == name {
			return &headerKeys[i]
		}
	}
	return nil
}

func (h *Header) validate() error {
	for i := range headerKeys {
		k := &headerKeys[i]
		switch v := *k.field(h); {
		case v == "" && k.needed:
			return fmt.Errorf("%s is empty", k.name)
		case v != "" && k.check != nil:
			if err := k.check(v); err != nil {
				return fmt.Errorf("%s: %w", k.name, err)
			}
		}
	}
	return h.checkDistinct()
}

func checkProtocol(text string) error {
	_, err := split.ParseShape(text)
	return err
}

// checkDigest returns an error unless the text is a SHA-256 in hexadecimal.
// The keys of the digests.
const (
	dataDigest  = "data-sha256"
	splitDigest = "split-sha256"
)

func checkDigest(text string) error {
	if len(text) != 64 || strings.Trim(text, hexDigits) != "" {
		return fmt.Errorf("%q is not the 64 hexadecimal digits of a SHA-256", excerpt([]byte(text)))
	}
	return nil
}

func checkTime(text string) error {
	if _, err := time.Parse(time.RFC3339, text); err != nil {
		return fmt.Errorf("%q is not a time as in RFC 3339", text)
	}
	return nil
}
