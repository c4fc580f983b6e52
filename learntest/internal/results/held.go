package results

import (
	"sync"

	"github.com/learnbench/learnbench/learntest/record"
)

// A held is a block that is replaced, never changed, so that it can be read beside trials.
type held struct {
	mu    sync.Mutex
	block *record.Block
}

// Block returns the cells that are there, which are not to be modified.
func (h *held) Block() *record.Block {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.block
}

// put puts a block in place of the one that is there.
func (h *held) put(b *record.Block) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.block = b
}

// change puts a block with a changed head in its place. The blocks share their trials, to which
// nothing may be added: a block is cloned for that.
func (h *held) change(change func(*record.Block)) {
	b := *h.block
	change(&b)
	h.put(&b)
}
