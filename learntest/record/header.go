package record

import "fmt"

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
	Items        string // the items that systems answer, a line each: see Header.SetItems
	Grader       string // who or what grades the answers to items: text of the user, such as a version of a rubric
	Weight       string // what weighs equally in means over items, if not items: see ByCluster
	Versions     string // which versions of systems have answered: see Entry.SetVersion
	Replayed     string // how many answers rest on recorded responses: see Entry.SetReplay
	DistinctRuns string // how many of these runs differ, if not all do: see Header.Distinct
	Reproduce    string // command that reproduces the trials
	Determinism  string // outcomes of the determinism probes: see Entry.Determinism
	OpinionOn    string // of a second opinion, the results that it is on: see Entry.SetOpinionOn
	Stopped      string // where the training of learners was stopped: see Entry.SetStop
	Majority     string // what always predicting the most frequent class scores: see Header.SetMajority
	Metrics      string // fingerprints of the formulas of metrics: see Header.AddFormula
	Target       string // the predicted column: see Header.SetTarget
	Slices       string // names, members and digests of slices: see Header.SetSlices
	Copies       string // the share of test examples with a copy in training: see Header.SetCopies
	Means        string // of a baseline, the mean scores: see Block.SetMeans
	Predictions  string // checksums of the predictions that are kept: see Header.AddPredictions
	RescoredFrom string // checksums of the predictions that the scores were computed of later, without training
	Right        string // of learners whose predictions were kept, how often each example was predicted right: see SetRight
	Against      string // what tests compare learners with: see Entry.AddAgainst
	Toolchain    string // Go version, operating system, architecture, and version of this module if that is known
	Machine      string // where the times were measured: see Machine
	Binary       string // hex SHA-256 of the program that ran the trials
	Owner        string // who is writing, in a journal
}

// An Entry is what a header says of one learner.
type Entry struct {
	header  *Header
	learner string
}

// Of returns the entry of a learner, whether or not the header says anything of the learner.
func (h *Header) Of(learner string) Entry { return Entry{h, learner} }

// An Identity says which results take each other's place: results of the
// same test of the same package (Pkg) on the same data under the same protocol.
type Identity struct{ Pkg, Test, Data, Protocol string }

// Identity returns the identity of the trials under the header.
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
