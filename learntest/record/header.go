package record

import "strconv"

// The keys that are not fields of a Header.
const (
	keyFormat   = "learnbench-format"
	keyLearners = "Learners"
	keyError    = "error"
)

// formatVersion is the only version of the format so far.
const formatVersion = "1"

// A headerKey is a key of the file configuration that holds a field of a
// Header.
type headerKey struct {
	name     string
	required bool // it must be there with a value
	remark   bool // it may differ between shards of one experiment
	count    bool // the value is a positive number, or empty if not required
	get      func(*Header) string
	set      func(*Header, string)
}

// headerKeys are the keys in the order in which they are written.
var headerKeys = [...]headerKey{
	textKey("pkg", false, func(h *Header) *string { return &h.Pkg }),
	textKey("commit", false, func(h *Header) *string { return &h.Commit }),
	textKey("protocol", true, func(h *Header) *string { return &h.Protocol }),
	textKey("data-sha256", true, func(h *Header) *string { return &h.DataDigest }),
	textKey("split-sha256", true, func(h *Header) *string { return &h.SplitDigest }),
	countKey("runs", true, func(h *Header) *int { return &h.Runs }),
	countKey("folds", true, func(h *Header) *int { return &h.Folds }),
	countKey("repeats", false, func(h *Header) *int { return &h.Repeats }),
	remarkKey("Reproduce", func(h *Header) *string { return &h.Reproduce }),
	remarkKey("Determinism", func(h *Header) *string { return &h.Determinism }),
	remarkKey("Toolchain", func(h *Header) *string { return &h.Toolchain }),
}

func textKey(name string, required bool, field func(*Header) *string) headerKey {
	return headerKey{
		name: name, required: required,
		get: func(h *Header) string { return *field(h) },
		set: func(h *Header, v string) { *field(h) = v },
	}
}

// remarkKey is an optional key for a text that may differ between shards. Its
// name begins with a capital letter.
func remarkKey(name string, field func(*Header) *string) headerKey {
	k := textKey(name, false, field)
	k.remark = true
	return k
}

// countKey is a key for a number that is written unless it is 0 and optional.
func countKey(name string, required bool, field func(*Header) *int) headerKey {
	return headerKey{
		name: name, required: required, count: true,
		get: func(h *Header) string {
			if n := *field(h); n != 0 || required {
				return strconv.Itoa(n)
			}
			return ""
		},
		set: func(h *Header, v string) { *field(h), _ = parseCount(v) },
	}
}

// isOwn reports whether a key is one of those that tools for benchmarks are
// not to see.
func isOwn(name string) bool {
	k, ok := findKey(name)
	return name == keyLearners || ok && k.remark
}

// findKey returns the header key of the given name.
func findKey(name string) (*headerKey, bool) {
	for i := range headerKeys {
		if headerKeys[i].name == name {
			return &headerKeys[i], true
		}
	}
	return nil, false
}
