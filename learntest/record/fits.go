package record

import (
	"fmt"
	"slices"
)

// Fits returns an error that wraps ErrMismatch unless the heads of two blocks belong
// together, so that [Union] joins them if they have no cell in common.
func (b *Block) Fits(o *Block) error { return sameExperiment(o, b) }

// sameExperiment returns an error if the heads of two blocks do not belong
// together.
func sameExperiment(a, b *Block) error {
	mismatch := &MismatchError{Err: ErrMismatch, WhereA: a.where(), WhereB: b.where()}
	differ := func(what, x, y string) bool {
		mismatch.What, mismatch.A, mismatch.B = what, x, y
		return x != y
	}
	if differ("data set", a.Header.Data, b.Header.Data) {
		return mismatch
	}
	if a.items != nil && b.items != nil && a.Header.DataDigest == b.Header.DataDigest &&
		a.Header.Items != b.Header.Items {
		return slicesDiffer(a, b)
	}
	for i := range headerKeys {
		if k := &headerKeys[i]; !k.remark && differ(k.name, *k.field(&a.Header), *k.field(&b.Header)) {
			return mismatch
		}
	}
	if !slices.Equal(a.Columns, b.Columns) && differ("list of units", unitsText(a.Columns),
		unitsText(b.Columns)) {
		return mismatch
	}
	for _, u := range a.Units {
		if otherFormula(&a.Header, &b.Header, u.Name) {
			differ(formulaOf+u.Name, a.Header.FormulaOf(u.Name), b.Header.FormulaOf(u.Name))
			return mismatch
		}
	}
	return nil
}

// slicesDiffer returns an error that names the first items that two blocks with equal items have in
// different slices.
func slicesDiffer(a, b *Block) error {
	var differ idList
	for i := range a.items.ids {
		if !slices.Equal(a.items.at(i).Slices, b.items.at(i).Slices) {
			differ.add(a.items, i)
		}
	}
	return fmt.Errorf("%w: %s and %s have other slices of items: %s", ErrMismatch, a.where(),
		b.where(), &differ)
}
