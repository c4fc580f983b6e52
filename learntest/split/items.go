package split

// items is a protocol without partitions: fixed systems answer fixed items, each item a number
// of times. Results have it; no examples are split by it, so that it is no kind of [Protocol]. A
// repeat is a run, and an item a fold.
var items = &kind{
	name:     "items",
	settings: []setting{{name: "repeats"}},
	repeats:  true,
}

// Items reports whether the protocol is "items repeats=K v1": each run is a repeat of all items,
// and each fold an item, whose number is known to whoever lists them.
func (s *Shape) Items() bool { return s.items }
