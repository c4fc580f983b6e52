package split

// pack and spell convert between the two forms of the default protocol: the
// zero value, which is stored so that equality works, and the one with every
// field spelled out, which the methods use.
func (p Protocol) pack() Protocol {
	if p == (Protocol{}).spell() {
		return Protocol{}
	}
	return p
}

func (p Protocol) spell() Protocol {
	if p == (Protocol{}) {
		return Protocol{kind: cv, runs: 10, folds: 10, stratified: true, seed: 1}
	}
	return p
}

// Seed returns the seed from which all randomness of the protocol derives.
func (p Protocol) Seed() uint64 { return p.spell().seed }

// WithSeed returns the protocol with another seed. The text form has the seed even where
// the partitions do not depend on it, because learners may derive their seeds from it.
func (p Protocol) WithSeed(seed uint64) Protocol {
	p = p.spell()
	p.seed = seed
	return p.pack()
}

// Runs returns the number of runs.
func (p Protocol) Runs() int { return p.spell().runs }

// Folds returns the number of folds of a run. It is 1 for [Subsample]; 0 for [LeaveOneOut],
// which has as many folds as examples; and for [Halves] the number of folds of both halves
// together.
func (p Protocol) Folds() int {
	p = p.spell()
	if p.kind.halves {
		return 2 * p.folds
	}
	return p.folds
}

// IsRandom reports whether the runs of the protocol differ at random, so that more runs add
// information. The protocols [LeaveOneOut], [TimeSeries] and [Predefined] are not random.
func (p Protocol) IsRandom() bool { return p.spell().kind.random }

// KeepsGroups reports whether the protocol needs groups and divides none of them, as
// [Groups] and [GroupHalves] do.
func (p Protocol) KeepsGroups() bool { return p.spell().kind.groups }

// WithRuns returns the protocol with another number of runs. Run j does not depend on that
// number: a longer plan begins with the runs of a shorter one.
func (p Protocol) WithRuns(runs int) Protocol {
	p = p.spell()
	if p.kind.cut != nil {
		p.kind.cut(&p, runs)
	}
	p.runs = runs
	return p.pack()
}

// Stratified returns the protocol with stratification by class switched on or off. It
// applies to [CV], [Subsample], [Groups], [Halves] and [GroupHalves].
func (p Protocol) Stratified(on bool) Protocol {
	p = p.spell()
	p.stratified = on
	return p.pack()
}

// IsStratified reports whether the protocol balances classes, if the examples have any.
func (p Protocol) IsStratified() bool { return p.spell().stratified }
