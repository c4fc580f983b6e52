package record

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/split"
)

// The versions of the format that are read and written: of items, and of everything else.
const (
	formatVersion = "2"
	formatOfItems = "3"
)

// formatOf returns the version of the format for a header.
func formatOf(h *Header) string {
	if h.HasItems() {
		return formatOfItems
	}
	return formatVersion
}

// A headerKey is a key of the file configuration that holds a text of a
// Header.
type headerKey struct {
	name   string
	remark bool // it may differ between shards of one experiment
	timed  bool // it is about the times: left out where they are, and of the checksum
	field  func(*Header) *string
	check  func(string) error // of a value that is not empty; nil if any will do
	needed bool               // it must have a value
	lines  bool               // the text is of lines, each of which the key has
}

// headerKeys are the keys in the order in which they are written, before Data,
// Learners and Checksum.
var headerKeys = [...]headerKey{
	{name: "pkg", field: func(h *Header) *string { return &h.Pkg }},
	{name: "test", field: func(h *Header) *string { return &h.Test }},
	{name: "commit", field: func(h *Header) *string { return &h.Commit }},
	{
		name: "protocol", needed: true, check: checkProtocol,
		field: func(h *Header) *string { return &h.Protocol },
	},
	{
		name: dataDigest, needed: true, check: checkDigest,
		field: func(h *Header) *string { return &h.DataDigest },
	},
	{
		name: splitDigest, needed: true, check: checkDigest,
		field: func(h *Header) *string { return &h.SplitDigest },
	},
	{name: keyItem, lines: true, field: func(h *Header) *string { return &h.Items }},
	{name: "Grader", field: func(h *Header) *string { return &h.Grader }},
	{name: keyWeight, check: checkWeight, field: func(h *Header) *string { return &h.Weight }},
	{name: "Versions", remark: true, field: func(h *Header) *string { return &h.Versions }},
	{
		name: "Replayed", remark: true, check: checkReplays,
		field: func(h *Header) *string { return &h.Replayed },
	},
	{
		name: "Distinct-Runs", check: checkCount,
		field: func(h *Header) *string { return &h.DistinctRuns },
	},
	{name: keySlices, check: checkSlices, field: func(h *Header) *string { return &h.Slices }},
	{name: "Commit-Time", check: checkTime, field: func(h *Header) *string { return &h.CommitTime }},
	{name: "Reproduce", remark: true, field: func(h *Header) *string { return &h.Reproduce }},
	{name: "Determinism", remark: true, field: func(h *Header) *string { return &h.Determinism }},
	{name: "Opinion-On", remark: true, field: func(h *Header) *string { return &h.OpinionOn }},
	{name: keyStopped, remark: true, field: func(h *Header) *string { return &h.Stopped }},
	{
		name: "Majority", remark: true, check: checkMajority,
		field: func(h *Header) *string { return &h.Majority },
	},
	{name: "Metrics", remark: true, field: func(h *Header) *string { return &h.Metrics }},
	{
		name: "Target", remark: true, check: checkTarget,
		field: func(h *Header) *string { return &h.Target },
	},
	{name: keyMeans, remark: true, field: func(h *Header) *string { return &h.Means }},
	{
		name: "Copies", remark: true, check: checkCopies,
		field: func(h *Header) *string { return &h.Copies },
	},
	{
		name: keyPredictions, remark: true, check: checkPredictions,
		field: func(h *Header) *string { return &h.Predictions },
	},
	{
		name: "Rescored-from", remark: true, check: checkPredictions,
		field: func(h *Header) *string { return &h.RescoredFrom },
	},
	{name: keyRight, remark: true, lines: true, field: func(h *Header) *string { return &h.Right }},
	{name: "Against", remark: true, field: func(h *Header) *string { return &h.Against }},
	{name: "Toolchain", remark: true, field: func(h *Header) *string { return &h.Toolchain }},
	{
		name: "Machine", remark: true, timed: true, check: checkMachine,
		field: func(h *Header) *string { return &h.Machine },
	},
	{name: "Binary", remark: true, field: func(h *Header) *string { return &h.Binary }},
	{name: "Owner", remark: true, field: func(h *Header) *string { return &h.Owner }},
}

// own reports whether tools for benchmarks do not see the key.
func (k *headerKey) own() bool { return k.name[0] >= 'A' && k.name[0] <= 'Z' }

// isOwn reports whether tools for benchmarks are not to see the key.
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

// checkHeader returns an error for the value of a key that cannot be, or that must be there.
func checkHeader(h *Header) error {
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
	return nil
}

// checkTogether returns an error for values that may be, but not together.
func checkTogether(h *Header) error {
	if h.Weight != "" && !h.HasItems() {
		return fmt.Errorf("%s is of items, and the protocol is %q", keyWeight, h.Protocol)
	}
	return checkDistinct(h)
}

func checkProtocol(text string) error {
	_, err := split.ParseShape(text)
	return err
}
