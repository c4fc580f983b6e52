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

// Seed returns the seed that all randomness of the protocol derives from.
func (p Protocol) Seed() uint64 { return p.spell().seed }

// WithSeed returns the protocol with another seed. The seed belongs to the
// text form even where the partitions do not depend on it, since learners may
// derive theirs from it.
func (p Protocol) WithSeed(seed uint64) Protocol {
	p = p.spell()
	p.seed = seed
	return p.pack()
}

// Runs returns the number of runs.
func (p Protocol) Runs() int { return p.spell().runs }

// Folds returns the number of folds of a run, which is 1 for [Subsample], 0 for
// [LeaveOneOut], where it is the number of examples, and for [Halves] that of both
// halves together.
func (p Protocol) Folds() int {
	p = p.spell()
	if p.kind.halves {
		return 2 * p.folds
	}
	return p.folds
}

// IsRandom reports whether runs of the protocol differ at random, so that more of
// them say more. Those of [LeaveOneOut], [TimeSeries] and [Predefined] do not.
func (p Protocol) IsRandom() bool { return p.spell().kind.random }

// KeepsGroups reports whether the protocol is of groups, none of which it divides, as [Groups] and
// [GroupHalves] are.
func (p Protocol) KeepsGroups() bool { return p.spell().kind.groups }

// WithRuns returns the protocol with another number of runs. Run j is the
// same whatever the number: more runs continue those that were there.
func (p Protocol) WithRuns(runs int) Protocol {
	p = p.spell()
	if p.kind.cut != nil {
		p.kind.cut(&p, runs)
	}
	p.runs = runs
	return p.pack()
}

// Stratified returns the protocol with stratification by class switched on or
// off. It applies to [CV], [Subsample], [Groups], [Halves] and [GroupHalves].
func (p Protocol) Stratified(on bool) Protocol {
	p = p.spell()
	p.stratified = on
	return p.pack()
}

// IsStratified reports whether the protocol balances classes, if there are any.
func (p Protocol) IsStratified() bool { return p.spell().stratified }
