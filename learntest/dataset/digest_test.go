package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The digests were computed with Python 3.11 (hashlib, struct) by the
// specification in the package documentation. Do not change them: they are in
// stored results.
func TestGoldenDigests(t *testing.T) {
	t.Parallel()
	cols := func() []Column {
		return []Column{
			numeric("size", 1.5, math.NaN(), math.Copysign(0, -1)),
			nominal("colour", []string{"red", "grün"}, 0, -1, 1),
			nominal("class", []string{"no", "yes"}, 0, 1, 1),
		}
	}
	for name, c := range map[string]struct {
		table *Table
		want  string
	}{
		"everything": {
			mustNew(t, cols(), 2, []float64{1, 2, 0.5}),
			"05bac645a72625d434e987de01484f9516ffb310f364f3837b8a61360076317b",
		},
		"no weights": {
			mustNew(t, cols(), 2, nil),
			"090a3caf3db53fa8023c9541160ce6c00c63ed07e7d363dbadfb31620aae1be7",
		},
		"no weights, no class": {
			mustNew(t, cols(), -1, nil),
			"caa7f73b21a6058c77ad1fffacf2ce175d04db0b51bd4bb11d255cfd03f0687c",
		},
		"no rows, numeric class": {
			mustNew(t, []Column{numeric("x")}, 0, nil),
			"d891d64f6599fd4b046d48b36fcfb47b7c2a3eed4b1bf9b02a6557d3c370477c",
		},
		"numeric target": {
			mustNew(t, cols(), 0, nil),
			"547cb2264f8cc0e25f1dc24dd51a293e217a7735b794d37dba572602692a8e39",
		},
		"everything and groups": {mustGroup(t, mustNew(t, cols(), 2, []float64{1, 2, 0.5}), "wer", "ä",
			"", "ä"), "40e0ba1a29ada3f8d6847604ad125ee25d5bca963fcbf5bd8a934dbb7ebf3f0b"},
		"target and groups": {
			mustGroup(t, mustNew(t, cols(), 0, nil), "wer", "ä", "", "ä"),
			"e9e511df50adda60c99678e6d5b82b4118b06149d18dc172cda9ac31dd384e6a",
		},
		"no rows, groups": {
			mustGroup(t, mustNew(t, []Column{numeric("x")}, 0, nil), "g"),
			"dbf70aee586cfdfa6e2cdea0cea96b25b3acadc7211376a8d5f4854516eb1678",
		},
	} {
		require.Equal(t, c.want, digest(t, c.table), name)
	}
}

func TestDocumentedDigest(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	m := regexp.MustCompile(`(?s)(//\t@relation.*?\n)//\n.*//\t([0-9a-f]{64})\n`).FindSubmatch(doc)
	require.NotNil(t, m)
	table := readARFF(t, strings.ReplaceAll(string(m[1]), "//\t", ""), ReadOptions{})
	require.Equal(t, string(m[2]), digest(t, table))
}

func TestDigestCoversEverythingButTheName(t *testing.T) {
	t.Parallel()
	base := func() []Column {
		return []Column{
			numeric("a", 1, 2),
			nominal("b", []string{"x", "y"}, 0, 1),
			nominal("c", []string{"x", "y"}, 0, 1),
		}
	}
	seen := map[string]string{digest(t, mustNew(t, base(), 2, nil)): "base"}
	for name, change := range map[string]func() *Table{
		"class":          func() *Table { return mustNew(t, base(), 1, nil) },
		"no class":       func() *Table { return mustNew(t, base(), -1, nil) },
		"numeric target": func() *Table { return mustNew(t, base(), 0, nil) },
		"groups": func() *Table {
			return mustGroup(t, mustNew(t, base(), 2, nil),
				"g", "x", "y")
		},
		"other groups": func() *Table {
			return mustGroup(t, mustNew(t, base(), 2, nil),
				"g", "x", "x")
		},
		"name of groups": func() *Table {
			return mustGroup(t, mustNew(t, base(), 2, nil),
				"h", "x", "y")
		},
		"groups, weights": func() *Table {
			return mustGroup(t, mustNew(t, base(), 2, []float64{1, 2}),
				"g", "x", "y")
		},
		"weights":        func() *Table { return mustNew(t, base(), 2, []float64{1, 2}) },
		"other weights":  func() *Table { return mustNew(t, base(), 2, []float64{2, 1}) },
		"attribute name": func() *Table { c := base(); c[0].Name = "A"; return mustNew(t, c, 2, nil) },
		"number": func() *Table {
			c := base()
			c[0].Numbers[1] = math.Nextafter(2,
				3)
			return mustNew(t, c, 2, nil)
		},
		"missing number": func() *Table {
			c := base()
			c[0].Numbers[1] = math.NaN()
			return mustNew(t,
				c, 2, nil)
		},
		"code": func() *Table {
			c := base()
			c[1].Codes[1] = 0
			return mustNew(t, c, 2,
				nil)
		},
		"missing code": func() *Table {
			c := base()
			c[1].Codes[1] = -1
			return mustNew(t, c, 2,
				nil)
		},
		"declared value": func() *Table {
			c := base()
			c[1].Values[1] = "z"
			return mustNew(t, c, 2,
				nil)
		},
		"one more value": func() *Table {
			c := base()
			c[1].Values = []string{
				"x", "y",
				"z",
			}
			return mustNew(t, c, 2, nil)
		},
		"order of columns": func() *Table {
			c := base()
			c[0], c[1] = c[1],
				c[0]
			return mustNew(t, c, 2, nil)
		},
		"order of rows": func() *Table {
			return mustNew(t, []Column{
				numeric("a", 2, 1), nominal("b", []string{"x", "y"}, 1, 0), nominal("c", []string{"x", "y"}, 1,
					0),
			}, 2, nil)
		},
		"order of values": func() *Table {
			return mustNew(t, []Column{
				numeric("a", 1, 2), nominal("b", []string{"y", "x"}, 1, 0), nominal("c", []string{"x", "y"}, 0,
					1),
			}, 2, nil)
		},
	} {
		d := digest(t, change())
		require.Empty(t, seen[d], name)
		seen[d] = name
	}
	named, err := New("another name", base(), 2, []float64{1, 1})
	require.NoError(t, err)
	require.Equal(t, "base", seen[digest(t, named)])
}

func TestDigestOfNumbersIsCanonical(t *testing.T) {
	t.Parallel()
	nan := math.Float64frombits(0xfff8000000000123)
	require.Equal(t,
		digest(t, mustNew(t, []Column{numeric("x", 0, math.NaN())}, 0, nil)),
		digest(t, mustNew(t, []Column{numeric("x", math.Copysign(0, -1), nan)}, 0, nil)))
}

func TestDigestConcurrently(t *testing.T) {
	t.Parallel()
	table := numbersTable(t, 100, 3)
	want := digest(t, numbersTable(t, 100, 3))
	var wg sync.WaitGroup
	got := make([]string, 8)
	for i := range got {
		wg.Go(func() { got[i], _ = table.Digest() })
	}
	wg.Wait()
	for _, d := range got {
		require.Equal(t, want, d)
	}
}

// TestEncoderBuffer checks that the buffering neither loses nor reorders bytes.
func TestEncoderBuffer(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		e := encoder{h: sha256.New(), buf: make([]byte, 0, rapid.IntRange(1, 40).Draw(t, "size"))}
		plain := encoder{h: sha256.New(), buf: make([]byte, 0, 1<<16)}
		for range rapid.IntRange(0, 30).Draw(t, "n") {
			s := rapid.StringN(0, 60, -1).Draw(t, "s")
			x := rapid.Float64().Draw(t, "x")
			for _, e := range []*encoder{&e, &plain} {
				e.string(s)
				e.floats([]float64{x, -x})
				e.codes([]int32{int32(len(s))})
				e.byte(1)
			}
		}
		e.flush()
		plain.flush()
		require.Equal(t, hex.EncodeToString(plain.h.Sum(nil)), hex.EncodeToString(e.h.Sum(nil)))
	})
}

func BenchmarkDigest(b *testing.B) {
	table := numbersTable(b, 20000, 16)
	b.ReportAllocs()
	for b.Loop() {
		e := encoder{h: sha256.New(), buf: make([]byte, 0, 4096)}
		e.table(table)
		e.flush()
	}
}
