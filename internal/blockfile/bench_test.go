package blockfile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func realFile(b *testing.B, path string) *File {
	b.Helper()
	f, err := New(path, testFormat)
	if err != nil {
		b.Fatal(err)
	}
	return f
}

// BenchmarkPut writes blocks of 5 KB into one file. The time of a write must not
// depend on how many there are.
func BenchmarkPut(b *testing.B) {
	for _, n := range []int{100, 1600} {
		for name, sys := range map[string]system{"synced": osSystem{}, "unsynced": unsynced{}} {
			b.Run(fmt.Sprintf("n=%d/%s", n, name), func(b *testing.B) {
				for b.Loop() {
					f := realFile(b, filepath.Join(b.TempDir(), "f.txt"))
					f.sys = sys
					for i := range n {
						if _, err := f.Put(blockOf(fmt.Sprint("k", i), i, 5000)); err != nil {
							b.Fatal(err)
						}
					}
				}
				b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "µs/put")
			})
		}
	}
}

// An unsynced system shows the cost without waiting for the disk.
type unsynced struct{ osSystem }

type unsyncedHandle struct{ handle }

func (unsyncedHandle) Sync() error { return nil }

func (u unsynced) open(path string) (handle, error) {
	h, err := u.osSystem.open(path)
	return unsyncedHandle{h}, err
}

func fill(b *testing.B, path string, blocks, length int) {
	b.Helper()
	var text strings.Builder
	for i := range blocks {
		text.WriteString(textOf(fmt.Sprint("k", i), i, length) + "\n")
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkFreshPut has a new File for each write to a file with 1000 blocks.
func BenchmarkFreshPut(b *testing.B) {
	path := filepath.Join(b.TempDir(), "f.txt")
	fill(b, path, 1000, 5000)
	for i := 0; b.Loop(); i++ {
		f := realFile(b, path)
		f.sys, f.small = unsynced{}, 0
		if _, err := f.Put(blockOf("new", i, 5000)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReplace replaces a block in a file with 1000 others.
func BenchmarkReplace(b *testing.B) {
	path := filepath.Join(b.TempDir(), "f.txt")
	fill(b, path, 1000, 5000)
	f := realFile(b, path)
	f.sys = unsynced{}
	for i := 0; b.Loop(); i++ {
		if _, err := f.Put(blockOf("new", i, 5000)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkScan reads 100 MB of blocks, and blocks that are half blank.
func BenchmarkScan(b *testing.B) {
	for name, length := range map[string]int{"blocks": 5000, "large": 50_000_000} {
		b.Run(name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "f.txt")
			fill(b, path, 100_000_000/length, length)
			scanAll(b, path)
		})
	}
	b.Run("blank", func(b *testing.B) {
		path := filepath.Join(b.TempDir(), "f.txt")
		hole := strings.Repeat("\n", 5000)
		var text strings.Builder
		for i := range 10_000 {
			text.WriteString(textOf(fmt.Sprint("k", i), i, 5000) + hole)
		}
		if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
			b.Fatal(err)
		}
		scanAll(b, path)
	})
}

func scanAll(b *testing.B, path string) {
	b.Helper()
	h, err := osSystem{}.open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer h.Close()
	info, err := h.Stat()
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	for b.Loop() {
		f := realFile(b, path)
		if d, err := (&view{f, h}).rescan(info.Size()); err != nil || d != nil {
			b.Fatal(d, err)
		}
	}
}
