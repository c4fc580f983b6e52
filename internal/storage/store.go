package storage

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/learnbench/learnbench/internal/atomicfile"
	"github.com/learnbench/learnbench/internal/blockfile"
	"github.com/learnbench/learnbench/learntest/record"
)

// A Store is a result file that results are added to, or a directory that has a
// result file for each experiment. Several goroutines and several processes may add to
// it at the same time; nothing that is in it is damaged by one that is killed.
//
// What a Store knows of its file makes adding to it cheap, however large it is:
// there should be one for each path in a process.
type Store struct {
	path string
	file *blockfile.File // nil for a directory

	mu       sync.Mutex
	learners map[record.Identity]map[string]bool // of stored results; nil until looked for
	before   map[record.Identity]*record.Block   // the results at the first call of Before, without own ones
	looked   bool                                // for journals that were there at the start
	stale    map[string]bool                     // these, and the journals that this process left behind
}

// A Receipt says what a caller has stored. The zero Receipt is of nothing.
type Receipt struct{ of blockfile.Receipt }

// fileFormat is the format of a result file to package blockfile.
var fileFormat = blockfile.Format{Marker: record.Marker, Key: keyOfHead}

// NewStore returns the store at a path. It touches nothing; see
// [Store.CheckDestination].
func NewStore(path string) (*Store, error) {
	s := &Store{
		path: path, before: make(map[record.Identity]*record.Block),
		stale: make(map[string]bool),
	}
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return s, nil
	}
	s.file, err = blockfile.New(path, fileFormat)
	return s, err
}

// keyOfHead returns the identity of a block, as a text, from its head.
func keyOfHead(head []byte) (string, error) {
	id, err := record.IdentityOf(head)
	if err != nil {
		return "", err
	}
	return key(id), nil
}

// key returns a text that only equal identities share.
func key(id record.Identity) string {
	return fmt.Sprintf("%q", []string{id.Pkg, id.Test, id.Data, id.Protocol})
}

// Learners returns the learners of which there are results under an identity, which
// Put would replace. It reads the file the first time only, and does not see what
// other processes store later.
func (s *Store) Learners(id record.Identity) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.learners == nil {
		f, err := s.load()
		if err != nil {
			return nil, err
		}
		s.learners = make(map[record.Identity]map[string]bool)
		for _, b := range f.Blocks() {
			s.know(b)
		}
	}
	return slices.Sorted(maps.Keys(s.learners[id])), nil
}

// Before returns the results under an identity that were there when it was asked for
// the first time, nil if there were none or they do not fit together. The results of this Store are
// not among them. The cost grows with their length alone, however large the file. The trials have
// no positions.
func (s *Store) Before(id record.Identity) (*record.Block, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b, ok := s.before[id]; ok {
		return b, nil
	}
	texts, err := s.texts(id)
	if err != nil {
		return nil, err
	}
	f := record.NewFile()
	if texts != nil {
		if f, err = record.Read(bytes.NewReader(bytes.Join(texts, nil)), s.path); err != nil {
			return nil, err
		}
	}
	s.before[id] = nil
	for _, b := range f.Experiments() {
		s.before[id] = b // there is no other
	}
	return s.before[id], nil
}

// texts returns the blocks under an identity as stored.
func (s *Store) texts(id record.Identity) ([][]byte, error) {
	file := s.file
	if file == nil {
		var err error
		if file, err = blockfile.New(filepath.Join(s.path, fileName(id)), fileFormat); err != nil {
			return nil, err
		}
	}
	return file.Texts(key(id))
}

// know records the learners of a block.
func (s *Store) know(b *record.Block) {
	id := b.Header.Identity()
	if s.learners[id] == nil {
		s.learners[id] = make(map[string]bool)
	}
	for _, name := range b.Learners {
		s.learners[id][name] = true
	}
}

// stored records blocks that were put in place of others, or beside them.
func (s *Store) stored(replaced bool, blocks ...*record.Block) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range blocks {
		if _, ok := s.before[b.Header.Identity()]; !ok {
			s.before[b.Header.Identity()] = nil
		}
	}
	if s.learners == nil {
		return
	}
	for _, b := range blocks {
		if replaced {
			delete(s.learners, b.Header.Identity())
		}
	}
	for _, b := range blocks {
		s.know(b)
	}
}

// load returns the stored file; an empty one if there is no file yet. It repairs a file that an
// interrupted write has left.
func (s *Store) load() (*record.File, error) {
	f, err := s.open()
	if s.file != nil && errors.Is(err, record.ErrUnfinished) {
		if err := s.file.Recover(); err != nil {
			return nil, err
		}
		return s.open() // there may be nothing left of a first write
	}
	return f, err
}

func (s *Store) open() (*record.File, error) {
	paths := []string{s.path}
	if s.file == nil {
		var err error
		if paths, err = blockfile.List(s.path, func(name string) bool {
			return strings.HasSuffix(name,
				record.Extension)
		}); err != nil {
			return nil, err
		}
	} else if info, err := os.Stat(s.path); errors.Is(err, fs.ErrNotExist) || err == nil &&
		info.Size() == 0 {
		return record.NewFile(), nil
	}
	if len(paths) == 0 {
		return record.NewFile(), nil
	}
	return record.Open(paths...)
}

// Put stores blocks in place of all that have their identities. Several of the
// blocks may have the same one. Other blocks stay unchanged, byte for byte. When it
// returns, the blocks are on the disk; if it is interrupted, all of them are there or
// none, or, in a directory, all of an identity.
//
// It returns an error that wraps ErrInvalid for a block that [Write] would not write, and the
// errors of the file system.
func (s *Store) Put(blocks ...*record.Block) (Receipt, error) {
	if err := record.CheckHeads(blocks...); err != nil {
		return Receipt{}, err
	}
	if s.file == nil {
		err := s.putFiles(blocks)
		if err == nil {
			s.stored(true, blocks...)
		}
		return Receipt{}, err
	}
	texts := make([]blockfile.Block, len(blocks))
	for i, b := range blocks {
		var err error
		if texts[i], err = keyed(b); err != nil {
			return Receipt{}, err
		}
	}
	r, err := s.file.Put(texts...)
	if err == nil {
		s.stored(true, blocks...)
	}
	return Receipt{r}, err
}

// Extend stores a block beside the blocks of its identity, if the receipt is of exactly these. If
// not, it returns false and changes nothing. The new receipt is of the new block, too.
func (s *Store) Extend(r Receipt, b *record.Block) (Receipt, bool, error) {
	if s.file == nil {
		return r, false, nil
	}
	text, err := keyed(b)
	if err != nil {
		return r, false, err
	}
	of, ok, err := s.file.Extend(r.of, text)
	if ok {
		s.stored(false, b)
	}
	return Receipt{of}, ok, err
}

// keyed returns a block as stored in a file.
func keyed(b *record.Block) (blockfile.Block, error) {
	text, err := written(b)
	return blockfile.Block{Key: key(b.Header.Identity()), Text: text}, err
}

// written returns the text of blocks in a file.
func written(blocks ...*record.Block) ([]byte, error) {
	var text bytes.Buffer
	err := record.Write(&text, blocks...)
	return text.Bytes(), err
}

// putFiles stores the blocks of each identity in a file of their own.
func (s *Store) putFiles(blocks []*record.Block) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ids []record.Identity
	of := make(map[record.Identity][]*record.Block)
	for _, b := range blocks {
		id := b.Header.Identity()
		if of[id] == nil {
			ids = append(ids, id)
		}
		of[id] = append(of[id], b)
	}
	for _, id := range ids {
		text, err := written(of[id]...)
		if err != nil {
			return err
		}
		if err := atomicfile.Write(filepath.Join(s.path, fileName(id)),
			bytes.NewReader(text)); err != nil {
			return err
		}
	}
	return nil
}

// fileName returns a name for the file of an experiment: words for people, and a
// digest that makes it unique.
func fileName(id record.Identity) string {
	const most = 40
	word := func(s string) string {
		s = strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
				return r
			}
			return '-'
		}, s)
		return s[:min(len(s), most)]
	}
	sum := sha256.Sum256([]byte(key(id)))
	words := slices.DeleteFunc([]string{word(id.Data), word(id.Test), hex.EncodeToString(sum[:6])},
		func(s string) bool { return s == "" })
	return strings.Join(words, ".") + record.Extension
}

// Merge stores blocks at a path once: see [Store.Put].
func Merge(path string, blocks ...*record.Block) error {
	s, err := NewStore(path)
	if err == nil {
		err = s.CheckDestination()
	}
	if err == nil {
		_, err = s.Put(blocks...)
	}
	return err
}
