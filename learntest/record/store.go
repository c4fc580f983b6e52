package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/learnbench/learnbench/internal/atomicfile"
	"github.com/learnbench/learnbench/internal/blockfile"
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
	learners map[Identity]map[string]bool // of what was there at the start, and what this store has stored; nil until it is looked for
	before   map[Identity]*Block          // what was there when it was asked for, if this store had not stored any
	looked   bool                         // for journals that were there at the start
	stale    map[string]bool              // these, and those that this process left behind
}

// A Receipt says what a caller has stored. The zero Receipt is of nothing.
type Receipt struct{ of blockfile.Receipt }

// fileFormat is that of a result file to package blockfile.
var fileFormat = blockfile.Format{Marker: keyFormat + ": ", Key: keyOfHead}

// NewStore returns the store at a path. It touches nothing; see
// [Store.CheckDestination].
func NewStore(path string) (*Store, error) {
	s := &Store{path: path, before: make(map[Identity]*Block), stale: make(map[string]bool)}
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return s, nil
	}
	s.file, err = blockfile.New(path, fileFormat)
	return s, err
}

// keyOfHead returns the identity of a block, as a text, from its head.
func keyOfHead(head []byte) (string, error) {
	p, err := Reader{}.newParser(bytes.NewReader(head), "")
	if err != nil {
		return "", err
	}
	if err := p.head(); err != nil {
		return "", err
	}
	if p.h.keys[keyData] == 0 {
		return "", fmt.Errorf("the block has no key %s", keyData)
	}
	return p.h.header.Identity().key(), nil
}

// key returns a text that is the same for equal identities only.
func (id Identity) key() string {
	return fmt.Sprintf("%q", []string{id.Pkg, id.Test, id.Data, id.Protocol})
}

// CheckDestination returns an error unless results can be stored at the path: the
// directory must exist and can be written to, and what there is must be a
// directory, an empty file or a result file.
func (s *Store) CheckDestination() error {
	if s.file == nil {
		return writable(s.path)
	}
	info, err := os.Lstat(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return writable(filepath.Dir(s.path))
	}
	if err != nil {
		return err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		if info, err = os.Stat(s.path); err != nil {
			return fmt.Errorf("%s is a symbolic link to nothing: %w", s.path, err)
		}
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is neither a file nor a directory", s.path)
	}
	f, err := os.OpenFile(s.path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(s.checkBegin(f), f.Close())
}

// probeMark begins the names of the files that show whether a directory can be written
// to.
const probeMark = ".learnbench-probe-"

// writable returns an error unless files can be created in a directory. It removes what it
// creates, and what a process has left that was killed here.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, probeMark)
	if err != nil {
		return err
	}
	err = f.Close()
	paths, lerr := list(dir, func(name string) bool { return strings.HasPrefix(name, probeMark) })
	for _, path := range paths {
		if rerr := os.Remove(path); path == f.Name() && !errors.Is(rerr, fs.ErrNotExist) {
			err = errors.Join(err, rerr)
		}
	}
	return errors.Join(err, lerr)
}

// checkBegin returns an error unless a file is empty or begins with a block.
func (s *Store) checkBegin(r io.Reader) error {
	p, err := Reader{}.newParser(r, s.path)
	if err != nil {
		return err
	}
	for {
		text, err := p.lineReader.next()
		switch {
		case err == io.EOF && p.h == nil:
			return nil
		case err != nil:
			return fmt.Errorf("%s is not a result file: %w", s.path, err)
		case isInterrupted(text): // the next writer puts it in order
			return nil
		case isTestOutput(text):
			continue
		}
		name, value, ok := cutKey(text)
		if !ok || string(name) != keyFormat {
			return fmt.Errorf("%s is not a result file, and will not be changed: line %d is %q", s.path, p.line, excerpt(text))
		}
		p.begin()
		return p.h.addKey(p, keyFormat, string(value))
	}
}

// Learners returns the learners of which there are results under an identity, which
// Put would replace. It reads the file the first time only, and does not see what
// other processes store later.
func (s *Store) Learners(id Identity) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.learners == nil {
		f, err := s.load()
		if err != nil {
			return nil, err
		}
		s.learners = make(map[Identity]map[string]bool)
		for _, b := range f.Blocks() {
			s.know(b)
		}
	}
	return slices.Sorted(maps.Keys(s.learners[id])), nil
}

// Before returns the results under an identity that were there when it was asked for
// the first time, nil if there were none or they do not fit together. What this Store has
// stored is not among them. It costs as much as they are long, however much else there
// is. The trials have no positions.
func (s *Store) Before(id Identity) (*Block, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b, ok := s.before[id]; ok {
		return b, nil
	}
	texts, err := s.texts(id)
	if err != nil {
		return nil, err
	}
	f := NewFile()
	if texts != nil {
		if f, err = Read(bytes.NewReader(bytes.Join(texts, nil)), s.path); err != nil {
			return nil, err
		}
	}
	s.before[id] = nil
	for _, b := range f.Experiments() {
		s.before[id] = b // there is no other
	}
	return s.before[id], nil
}

// texts returns the blocks under an identity as they are stored.
func (s *Store) texts(id Identity) ([][]byte, error) {
	file := s.file
	if file == nil {
		var err error
		if file, err = blockfile.New(filepath.Join(s.path, id.fileName()), fileFormat); err != nil {
			return nil, err
		}
	}
	return file.Texts(id.key())
}

// know takes note of the learners of a block.
func (s *Store) know(b *Block) {
	id := b.Header.Identity()
	if s.learners[id] == nil {
		s.learners[id] = make(map[string]bool)
	}
	for _, name := range b.Learners {
		s.learners[id][name] = true
	}
}

// stored takes note of blocks that were put in place of others, or beside them.
func (s *Store) stored(replaced bool, blocks ...*Block) {
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

// load returns what is stored; nothing if there is no file yet. It puts in order what an
// interrupted write has left in the file.
func (s *Store) load() (*File, error) {
	f, err := s.open()
	if s.file != nil && errors.Is(err, ErrUnfinished) {
		if err := s.file.Recover(); err != nil {
			return nil, err
		}
		return s.open() // there may be nothing left of a first write
	}
	return f, err
}

func (s *Store) open() (*File, error) {
	paths := []string{s.path}
	if s.file == nil {
		var err error
		if paths, err = list(s.path, func(name string) bool { return strings.HasSuffix(name, extension) }); err != nil {
			return nil, err
		}
	} else if info, err := os.Stat(s.path); errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
		return NewFile(), nil
	}
	if len(paths) == 0 {
		return NewFile(), nil
	}
	return Open(paths...)
}

// Put stores blocks in place of all that have their identities. Several of the
// blocks may have the same one. Other blocks stay as they are, byte for byte. When it
// returns, the blocks are on the disk; if it is interrupted, all of them are there or
// none, or, in a directory, all of an identity.
//
// It returns an error that wraps ErrInvalid for what [Write] would not write, and
// those of the file system.
func (s *Store) Put(blocks ...*Block) (Receipt, error) {
	if _, err := appendFileHeads(blocks); err != nil {
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
		text, err := appendBlock(nil, b)
		if err != nil {
			return Receipt{}, err
		}
		texts[i] = blockfile.Block{Key: b.Header.Identity().key(), Text: text}
	}
	r, err := s.file.Put(texts...)
	if err == nil {
		s.stored(true, blocks...)
	}
	return Receipt{r}, err
}

// Extend stores a block beside those of its identity, if these are the ones that the
// receipt is of. If not, it returns false and changes nothing. The new receipt is of
// the new block, too.
func (s *Store) Extend(r Receipt, b *Block) (Receipt, bool, error) {
	if s.file == nil {
		return r, false, nil
	}
	text, err := appendBlock(nil, b)
	if err != nil {
		return r, false, err
	}
	of, ok, err := s.file.Extend(r.of, blockfile.Block{Key: b.Header.Identity().key(), Text: text})
	if ok {
		s.stored(false, b)
	}
	return Receipt{of}, ok, err
}

// appendFileHeads returns an error for what Write would not write, trials apart.
func appendFileHeads(blocks []*Block) ([]byte, error) {
	heads := make([]*Block, len(blocks))
	for i, b := range blocks {
		heads[i] = &Block{Header: b.Header, Learners: b.Learners, Units: b.Units}
	}
	return appendFile(nil, heads)
}

// putFiles stores the blocks of each identity in a file of their own.
func (s *Store) putFiles(blocks []*Block) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ids []Identity
	of := make(map[Identity][]*Block)
	for _, b := range blocks {
		id := b.Header.Identity()
		if of[id] == nil {
			ids = append(ids, id)
		}
		of[id] = append(of[id], b)
	}
	for _, id := range ids {
		text, err := appendFile(nil, of[id])
		if err != nil {
			return err
		}
		err = atomicfile.Write(filepath.Join(s.path, id.fileName()), func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// fileName returns a name for the file of an experiment: words for people, and a
// digest that makes it unique.
func (id Identity) fileName() string {
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
	sum := sha256.Sum256([]byte(id.key()))
	words := slices.DeleteFunc([]string{word(id.Data), word(id.Test), hex.EncodeToString(sum[:6])}, func(s string) bool { return s == "" })
	return strings.Join(words, ".") + extension
}

// Merge stores blocks at a path once: see [Store.Put].
func Merge(path string, blocks ...*Block) error {
	s, err := NewStore(path)
	if err == nil {
		err = s.CheckDestination()
	}
	if err == nil {
		_, err = s.Put(blocks...)
	}
	return err
}
