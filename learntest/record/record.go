// Package record stores the results of trials and pairs them for comparison.
package record

// A Direction says whether greater values of a metric are better or worse.
type Direction int8

// The directions.
const (
	Higher Direction = 1  // greater is better
	Lower  Direction = -1 // smaller is better
)

// A Unit describes a metric: the unit under which its values are stored.
type Unit struct {
	Name     string    // as in "accuracy"
	Better   Direction // never 0
	Min, Max float64   // range of possible values, ±Inf where unbounded
}

// A Value is a number with the name of its unit.
type Value struct {
	Unit  string
	Value float64
}

// A Trial is the outcome of training one learner on one fold of one run and
// testing it on the rest. Runs and folds are counted from 1.
type Trial struct {
	Data, Learner string
	Run, Fold     int
	TrainN, TestN int
	Values        []Value // one for each metric, in the order of Set.Units
	FitSeconds    float64
	PredictSec    float64
	Err           string // why the trial failed; Values is empty then
	Pos           Pos    // where the trial was read, if it was
}

// A Pos is a position in a file.
type Pos struct {
	File string
	Line int
}

// A Header holds what all trials of a [Set] have in common.
type Header struct {
	Pkg         string // import path of the code under test
	Commit      string // version control revision of the code under test
	Protocol    string // canonical text form of the split.Protocol
	DataDigest  string // hex SHA-256 of the data set
	SplitDigest string // hex SHA-256 of all partitions of the protocol
	Repeats     int    // times that the protocol's runs were repeated; 0 means once
	Reproduce   string // command that reproduces the trials
	Determinism string // outcome of the determinism probe
	Toolchain   string // Go version, operating system and architecture
}

// A Set holds the trials of one data set under one protocol.
type Set struct {
	Header Header
	Units  []Unit
	Trials []Trial
}

// A File is the content of one or more result files.
type File struct {
	Sets []Set
}
