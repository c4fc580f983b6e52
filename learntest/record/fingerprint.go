package record

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
)

// Fingerprint returns 16 hexadecimal digits that tell the scores of a learner in the
// protocol's own runs from others, times apart; "" if the block does not have all of them.
func (b *Block) Fingerprint(learner string) string {
	l, ok := b.index[learner]
	if !ok {
		return ""
	}
	missing := census{block: b}
	if missing.own(l, b.Runs()); missing.Total > 0 {
		return ""
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q\n", []string{
		b.Header.Data, b.Header.Protocol, b.Header.DataDigest,
		b.Header.SplitDigest, learner,
	})
	for i, u := range b.Columns {
		fmt.Fprintf(h, "%q\n", u.Name)
		for run := 1; run <= b.Runs(); run++ {
			s, _ := b.table.slotOf(run)
			from, to := b.table.span(s)
			for _, x := range b.table.column(i, l)[from:to] {
				fmt.Fprintf(h, "%016x\n", math.Float64bits(x))
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
