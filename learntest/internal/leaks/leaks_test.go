package leaks

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type visit struct {
	age   int
	Notes *note
	Tags  map[string]any
	Steps []int
	Any   any
}

type note struct {
	Text string
	Next *note
}

// visits returns data with two classes of which set tells the second.
func visits(n int, set func(v *visit, ill bool)) Data[*visit] {
	r := rand.New(rand.NewPCG(1, 2))
	xs, ys := make([]*visit, n), make([]bool, n)
	for i := range xs {
		ys[i] = r.IntN(3) == 0
		xs[i] = &visit{
			age: r.IntN(90), Tags: map[string]any{"n": r.IntN(5), "by": "ann"},
			Steps: []int{r.IntN(9), 1, 2}, Notes: &note{Text: fmt.Sprint(r.IntN(4))},
		}
		set(xs[i], ys[i])
	}
	return Data[*visit]{
		Len: n, Example: func(i int) *visit { return xs[i] },
		Label: func(i int) any { return ys[i] },
	}
}

// Alter exchanges the value at the telltale place, and nothing else: the examples are unchanged.
func TestFindAndAlter(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		set  func(v *visit, ill bool)
		what []string
		ill  func(v *visit) bool
	}{
		"nothing": {func(*visit, bool) {}, nil, nil},
		"an entry in any type": {
			func(v *visit, ill bool) { v.Tags["by"] = map[string]int8{"x": map[bool]int8{true: 4}[ill]} },
			[]string{`field Tags["by"]["x"]`},
			func(v *visit) bool { return v.Tags["by"].(map[string]int8)["x"] == 4 },
		},
		"deep behind pointers": {
			func(v *visit, ill bool) {
				if ill {
					v.Notes.Next = &note{"seen", &note{Text: v.Notes.Text}}
				}
			},
			[]string{"field Notes.Next", "field Notes.Next.Text", "field Notes.Next.Next"},
			func(v *visit) bool { return v.Notes.Next != nil },
		},
		"two kinds of any": {
			func(v *visit, ill bool) {
				if v.Any = v.age; ill {
					v.Any = "ill"
				}
			},
			nil, nil, // of one class it has many values
		},
		"an empty slice": {
			func(v *visit, ill bool) {
				if ill {
					v.Steps = nil
				}
			},
			[]string{"field Steps"},
			func(v *visit) bool { return v.Steps == nil },
		},
	} {
		d := visits(80, c.set)
		before := make([]string, d.Len)
		for i := range before {
			before[i] = fmt.Sprintf("%+v %+v", d.Example(i), d.Example(i).Notes)
		}
		var what []string
		for _, f := range Find(d) {
			what = append(what, f.What)
			for i := range d.Len {
				x := f.Alter(i)
				if f.What == c.what[0] {
					require.Equal(t, !d.Label(i).(bool), c.ill(x), "%s %d", name, i)
				}
				require.Equal(t, d.Example(i).age, x.age)
				require.Equal(t, d.Example(i).Tags["n"], x.Tags["n"])
				require.Equal(t, d.Example(i).Notes.Text, x.Notes.Text)
			}
		}
		assert.Equal(t, c.what, what, name)
		for i := range before {
			require.Equal(t, before[i], fmt.Sprintf("%+v %+v", d.Example(i), d.Example(i).Notes), name)
		}
	}
}

// Of numbers, the label times a constant, plus another.
func TestFindNumbers(t *testing.T) {
	t.Parallel()
	type house struct {
		Rooms, Area  float64
		Tax          float64
		Cents        int64
		Short        float32
		Log          float64
		Constant     any
		Price, Shift *float64
	}
	r := rand.New(rand.NewPCG(3, 4))
	xs, ys := make([]house, 40), make([]float64, 40)
	for i := range xs {
		y := 1e5 + float64(r.IntN(1e7))/100
		own, shift := y, 1e9-y
		ys[i] = y
		xs[i] = house{
			Rooms: float64(r.IntN(5)), Area: y/1000 + r.NormFloat64(), Tax: 0.035 * y,
			Cents: int64(100*y + 0.5), Short: float32(y), Log: y * y, Constant: 3, Price: &own,
			Shift: &shift,
		}
	}
	d := Data[house]{
		Len: len(xs), Example: func(i int) house { return xs[i] },
		Label: func(i int) any { return ys[i] }, Values: ys,
	}
	var what []string
	for _, f := range Find(d) {
		what = append(what, f.What)
		if f.What == "field Price" {
			require.NotEqual(t, ys[7], *f.Alter(7).Price)
		}
	}
	assert.Equal(t, []string{"field Tax", "field Cents", "field Short", "field Price", "field Shift"},
		what)
	d.Len, d.Values = 6, ys[:6]
	assert.Empty(t, Find(d), "few numbers are in order by chance")
}

// An example that is a plain value itself has no telltale place.
func TestFindNothingInPlainExamples(t *testing.T) {
	t.Parallel()
	label := func(i int) any { return i%2 == 0 }
	assert.Empty(t, Find(Data[int]{Len: 90, Example: func(i int) int { return i % 2 }, Label: label}))
	assert.NotEmpty(t, Find(Data[any]{
		Len:     90,
		Example: func(i int) any { return note{Text: fmt.Sprint(i % 2)} }, Label: label,
	}))
	cycle := &note{Text: "x"}
	cycle.Next = cycle
	assert.Empty(t, Find(Data[*note]{
		Len: 90, Example: func(int) *note { return cycle },
		Label: label,
	}))
	assert.Empty(t, Find(Data[map[[2]int]int]{
		Len:     90,
		Example: func(i int) map[[2]int]int { return map[[2]int]int{{1, 2}: i % 2} }, Label: label,
	}),
		"keys that are no plain values")
}

// How many examples it takes depends on how many orders of the labels there are: of three classes,
// the same value tells six of them, of numbers each value tells one.
func TestFewExamplesAreInOrderByChance(t *testing.T) {
	t.Parallel()
	counts := func(each ...float64) map[any]float64 {
		m := make(map[any]float64)
		for i, n := range each {
			m[i] = n
		}
		return m
	}
	for _, c := range []struct {
		each    []float64
		n       int
		classes bool
		want    bool
	}{
		{[]float64{8, 8}, 16, true, false},     // 1 in 6435
		{[]float64{9, 9}, 18, true, true},      // 1 in 24310
		{[]float64{4, 4, 4}, 12, true, false},  // 1 in 5775, and 1 in 34650 if classes had names
		{[]float64{5, 5, 4}, 14, true, true},   // 1 in 42042
		{[]float64{4, 4, 4}, 12, false, true},  // numbers have names
		{[]float64{2, 20}, 22, true, false},    // 1 in 115
		{[]float64{1, 1, 90}, 92, true, false}, // 1 in 1395
	} {
		require.Equal(t, c.want, scattered(counts(c.each...), c.n, c.classes), "%+v", c)
	}
}
