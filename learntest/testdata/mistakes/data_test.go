package mistakes

import (
	"testing"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learnercheck"
)

// The labels are read from the wrong place, and are all equal.
//
//	FAIL learntest.Compare: unusable data: data set "payments": the label of all 60 examples is false, so that there is nothing to learn: are the labels read from the right place?
func TestLabelsThatAreAllTheSame(t *testing.T) {
	data := learntest.Examples("payments", make([]int, 60), make([]bool, 60))
	assert.Improves(t, learntest.Compare(t, data, always[int]("never", false), always[int]("always", true)))
}

// A column numbers the rows of a file that is sorted by class.
//
//	FAIL unusable learner: the data on data set sorted: columns: column id numbers the rows, and the rows of each label are together: it tells the label by the place in the file
func TestColumnThatNumbersRows(t *testing.T) {
	table, err := dataset.Open("sorted.csv", dataset.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	sorted := learnercheck.Data[dataset.Row, int](table, learnercheck.DataOptions{})
	if err := learnercheck.Check(t.Context(), sorted); err != nil {
		t.Fatal(err)
	}
}

// A flat is a row of a file.
type flat struct {
	Size float64 `csv:"size"`
	Rent float64 `csv:"rent,label"`
}

// A cell is empty.
//
//	FAIL missing.csv:9:1: column "size", field Size float64: it is missing, and nothing is imputed: a field of type *float64 is nil then, and one with the tag csv:"size,nan" NaN
func TestMissingCell(t *testing.T) {
	if _, err := learntest.CSV[flat, float64]("missing.csv"); err != nil {
		t.Fatal(err)
	}
}

// Two files were put together with their headers.
//
//	FAIL joined.csv:22:1: the row repeats the header, as where files are put together: remove it
func TestHeaderAmongTheRows(t *testing.T) {
	if _, err := dataset.Open("joined.csv", dataset.ReadOptions{}); err != nil {
		t.Fatal(err)
	}
}

// A file lies where go test does not look for changes, so that an outcome could be of yesterday's file.
//
//	FAIL learntest.Compare: unusable data: data set "outside": ../outside.csv lies outside of the module: add -count=1: the cache does not look at it
func TestFileOutsideOfTheModule(t *testing.T) {
	data, err := learntest.CSV[flat, float64]("../outside.csv")
	if err != nil {
		t.Fatal(err)
	}
	mean := learntest.Pretrained("mean", func(flat) float64 { return 700 })
	size := learntest.Pretrained("size", func(f flat) float64 { return 10 * f.Size })
	assert.Improves(t, learntest.Compare(t, data, size, mean))
}
