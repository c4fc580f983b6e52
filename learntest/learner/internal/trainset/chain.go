package trainset

// A Chain finds the positions of each row of a table in a training set, in
// which rows may occur more than once.
type Chain struct {
	Head []int32 // of each row its first position, or -1
	Next []int32 // of each position the next one of the same row, or -1
}

// Set sets the chain to a training set from a table with n rows.
func (c *Chain) Set(n int, rows []int32) {
	if cap(c.Head) < n {
		c.Head = make([]int32, n)
	}
	if cap(c.Next) < len(rows) {
		c.Next = make([]int32, len(rows))
	}
	c.Head, c.Next = c.Head[:n], c.Next[:len(rows)]
	for i := range c.Head {
		c.Head[i] = -1
	}
	for q := len(rows) - 1; q >= 0; q-- {
		r := rows[q]
		c.Next[q] = c.Head[r]
		c.Head[r] = int32(q)
	}
}
