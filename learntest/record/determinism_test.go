package record

import "testing"

func TestDeterminismOf(t *testing.T) {
	t.Parallel()
	var h Header
	h.AddDeterminism("nn", Deterministic)
	h.AddDeterminism("a = b", NotDeterministic)
	for name, want := range map[string]string{
		"nn": Deterministic, "a = b": NotDeterministic, "n": NotProbed, "b": NotProbed,
	} {
		if got := h.DeterminismOf(name); got != want {
			t.Errorf("DeterminismOf(%q) = %q, want %q in %q", name, got, want, h.Determinism)
		}
	}
}
