// Package filetree visits the files below a directory.
package filetree

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Walk is filepath.WalkDir, and follows links to directories.
func Walk(root string, visit fs.WalkDirFunc) error { return walk(root, nil, visit) }

// walk follows no link to a directory that it is in by another link.
func walk(root string, above []fs.FileInfo, visit fs.WalkDirFunc) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		path = filepath.Clean(path)
		if err != nil || d.Type()&fs.ModeSymlink == 0 {
			return visit(path, d, err)
		}
		info, err := os.Stat(path)
		if err != nil || !info.IsDir() {
			return visit(path, d, nil)
		}
		if slices.ContainsFunc(above, func(a fs.FileInfo) bool { return os.SameFile(a, info) }) {
			return nil
		}
		return walk(path+string(filepath.Separator), append(slices.Clip(above), info), visit)
	})
}
