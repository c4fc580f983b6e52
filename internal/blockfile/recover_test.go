package blockfile

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRecovery checks the files of interrupted writes, and their content after the next write.
func TestRecovery(t *testing.T) {
	t.Parallel()
	a, b, n := textOf("a", 1, 50), textOf("b", 1, 50), textOf("n", 1, 50)
	pending, retired := "L"+b[1:], "R"+b[1:]
	blank := strings.Repeat("\n", len(b))
	marker := len(testFormat.Marker)
	for name, test := range map[string]struct{ before, after string }{
		"pending":               {a + "\n" + pending, a},
		"pending behind blank":  {a + "\n\n" + pending, a + "\n"},
		"pending at the start":  {pending, ""},
		"pending without blank": {a + pending, a},
		"pending cut off":       {a + "\n" + pending[:50], a},
		"a letter":              {a + "\nL", a},
		"most of a marker":      {a + "\n" + pending[:marker-1], a},
		"only zeros":            {a + "\x00\x00\x00", a},
		"zeros and text": {a + strings.Repeat("\x00", sector-len(a)%sector) +
			pending[300%len(pending):], a},
		"two pending":   {a + "\n" + pending + "\n" + a, a},
		"retired":       {retired + "\n" + a, blank + "\n" + a},
		"retired, last": {a + "\n" + retired, a + "\n" + blank},
		"half blanked":  {retired[:marker] + blank[marker:] + "\n" + a, blank + "\n" + a},
		"end of a marker": {
			blank[:5] + retired[5:marker] + blank[marker:] + "\n" + a,
			blank + "\n" + a,
		},
		"pending and retired": {retired + "\n" + a + "\n" + pending, blank + "\n" + a + "\n" + b},
		"one of two retired": {retired + "\n" + b + "\n" + a + "\n" + pending, blank + "\n" + blank +
			"\n" + a + "\n" + b},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "f.txt")
			write2(t, path, test.before)
			put(t, newFile(t, path), blockOf("n", 1, 50))
			want := n
			if test.after != "" {
				want = test.after + "\n" + n
			}
			require.Equal(t, want, read(t, path))
		})
	}
}

// TestMarkerAcrossSectors checks that the front of a marker is blank on the disk
// before its end is.
func TestMarkerAcrossSectors(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.txt")
	text := strings.Repeat("x", sector-5) + "Rearnbench-format: \n"
	write2(t, path, text)
	sys := &faulty{killAt: 2}
	h, err := sys.open(path)
	require.NoError(t, err)
	require.ErrorIs(t, blankMarkers(h, []span{{sector - 5, sector + 14}}), errKilled)
	require.NoError(t, h.Close())
	want := strings.Repeat("x", sector-5) + "\n\n\n\n\n" + "bench-format: \n"
	require.Equal(t, want, string(sys.files[path].durable))
}

// The copy that a killed rewrite was filling goes with the next use of the file, whatever that is.
func TestCopiesOfKilledRewritesAreRemoved(t *testing.T) {
	t.Parallel()
	text := textOf("a", 1, 50)
	for name, use := range map[string]func(*File) error{
		"recover": (*File).Recover,
		"read":    func(f *File) error { _, err := f.Texts("a"); return err },
		"append": func(f *File) error {
			_,
				err := f.Put(Block{"n", []byte(textOf("n", 1, 50))})
			return err
		},
	} {
		path := filepath.Join(t.TempDir(), "f.txt")
		write2(t, path, text)
		write2(t, path+rewriteSuffix, text[:20])
		require.NoError(t, use(newFile(t, path)), name)
		requireAlone(t, path)
		require.Contains(t, read(t, path), text, name)
	}
}
