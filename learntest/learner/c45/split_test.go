package c45

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/entropy"
)

func xlog(x float64) float64 {
	if x < 1e-6 {
		return 0
	}
	return x * math.Log2(x)
}

// entropyOf returns the entropy of weights times their sum.
func entropyOf(weights []float64) float64 {
	sum, e := 0.0, 0.0
	for _, w := range weights {
		sum += w
		e -= xlog(w)
	}
	return e + xlog(sum)
}

// A sample is the values of an attribute with classes and weights, as the
// definition of a split needs them; negative values are missing.
type sample struct {
	value, class []int
	weight       []float64
	classes      int
	gap          float64 // between a value and the next
}

// divide returns the weight of each class in each bag and in all of them, and
// the weight of all instances.
func (s *sample) divide(bags int, bagOf func(value int) int) (perBag [][]float64, known []float64,
	total float64,
) {
	perBag = make([][]float64, bags)
	for b := range perBag {
		perBag[b] = make([]float64, s.classes)
	}
	known = make([]float64, s.classes)
	for i, v := range s.value {
		total += s.weight[i]
		if v >= 0 {
			perBag[bagOf(v)][s.class[i]] += s.weight[i]
			known[s.class[i]] += s.weight[i]
		}
	}
	return perBag, known, total
}

// gainAndInfo evaluates a split by its definition.
func gainAndInfo(perBag [][]float64, known []float64, total float64) (gain, info float64) {
	after, sum := 0.0, 0.0
	info = xlog(total)
	for _, bag := range perBag {
		after += entropyOf(bag)
		w := 0.0
		for _, x := range bag {
			w += x
		}
		info -= xlog(w)
		sum += w
	}
	return (entropyOf(known) - after) / total, info - xlog(total-sum)
}

// best finds the best threshold by its definition. Values stand for
// themselves.
func (s *sample) best(minLeaf int) (cut int, gain, info float64) {
	values := slices.Clone(s.value)
	slices.Sort(values)
	values = slices.DeleteFunc(slices.Compact(values), func(v int) bool { return v < 0 })
	_, known, _ := s.divide(1, func(int) int { return 0 })
	sum := 0.0
	for _, w := range known {
		sum += w
	}
	least := minSplit(sum, s.classes, minLeaf)
	cut, cuts, best := -1, 0, 0.0
	count := 0
	for _, v := range s.value {
		if v >= 0 {
			count++
		}
	}
	if sm(float64(count), 2*least) { // the number, not the weight
		return -1, 0, 0
	}
	for k := 1; k < len(values); k++ {
		if float64(values[k-1])*s.gap+1e-5 >= float64(values[k])*s.gap {
			continue
		}
		perBag, known, total := s.divide(2, func(v int) int {
			if v < values[k] {
				return 0
			}
			return 1
		})
		left, right := 0.0, 0.0
		for c := range known {
			left += perBag[0][c]
			right += perBag[1][c]
		}
		if !grEq(left, least) || !grEq(right, least) {
			continue
		}
		cuts++
		if g, i := gainAndInfo(perBag, known, total); g > best+1e-6 {
			cut, best, info = values[k-1], g, i
		}
	}
	total := 0.0
	for _, w := range s.weight {
		total += w
	}
	if cuts > 0 {
		best -= math.Log2(float64(cuts)) / total
	}
	return cut, best, info
}

// drawSample draws one column with classes and weights, and returns it as the
// engines see it, too.
func drawSample(t *rapid.T, kind dataset.Kind, weighted bool) (*sample, *workspace, []int32) {
	n := rapid.IntRange(4, 300).Draw(t, "rows")
	occurring := rapid.IntRange(2, 5).Draw(t, "classes")
	each := rapid.SampledFrom([]int{1, 1, 1, 40, 64}).Draw(t, "each") // of so many occurs
	s := &sample{
		classes: occurring * each,
		gap:     rapid.SampledFrom([]float64{1, 1, 7e-6}).Draw(t, "gap"),
	}
	stretch := rapid.SampledFrom([]int{0, 0, 2, 5, 100}).Draw(t, "stretch") // of values that mostly are of one class
	distinct := rapid.SampledFrom([]int{2, 3, 8, 20, 500}).Draw(t, "distinct")
	often := rapid.IntRange(0, 3).Draw(t, "often") // how often the middle value occurs
	missing := rapid.SampledFrom([]int{0, 0, 10}).Draw(t, "missing percent")
	names := make([]string, max(distinct, s.classes))
	for i := range names {
		names[i] = strconv.Itoa(i)
	}
	x, codes, y := make([]float64, n), make([]int32, n), make([]int32, n)
	rows := make([]int32, n)
	for i := range n {
		v := rapid.IntRange(0, distinct-1).Draw(t, "value")
		if rapid.IntRange(0, 3).Draw(t, "middle") < often {
			v = distinct / 2
		}
		if rapid.IntRange(0, 99).Draw(t, "lacks") < missing {
			v = -1
		}
		c := rapid.IntRange(0, occurring-1).Draw(t, "class")
		if stretch > 0 && rapid.IntRange(0, 9).Draw(t, "as the others") > 0 {
			c = max(v, 0) / stretch % occurring
		}
		c = (c+1)*each - 1
		w := 1.0
		if weighted {
			w = rapid.SampledFrom([]float64{0.25, 1, 1, 2.5, 1.0 / 3, 1e-4}).Draw(t, "weight")
		}
		s.value, s.class, s.weight = append(s.value, v), append(s.class, c), append(s.weight, w)
		rows[i], x[i], codes[i], y[i] = int32(i), float64(v)*s.gap, int32(v), int32(c)
		if v < 0 {
			x[i] = math.NaN()
		}
	}
	cols := []dataset.Column{
		{Attribute: dataset.Attribute{Name: "x", Kind: kind}},
		{
			Attribute: dataset.Attribute{Name: "class", Kind: dataset.Nominal, Values: names[:s.classes]},
			Codes:     y,
		},
	}
	if kind == dataset.Numeric {
		cols[0].Numbers = x
	} else {
		cols[0].Values, cols[0].Codes = names[:distinct], codes
	}
	var weights []float64
	if weighted {
		weights = s.weight
	}
	table, err := dataset.New("t", cols, 1, weights)
	if err != nil {
		t.Fatal(err)
	}
	w := new(workspace)
	w.cfg = Config{MinLeaf: rapid.IntRange(1, 4).Draw(t, "min leaf")}.withDefaults()
	var tables entropy.Tables
	w.tab = tables.Get(n)
	f := newFrame(table, nil)
	if kind == dataset.Numeric { // keys of many rows have room for few codes
		f.layout = newLayout(1<<rapid.IntRange(9, 23).Draw(t, "row bits"), s.classes)
		f.noteOrder(&f.cols[0])
	}
	w.load(f, rows, table.Weights())
	return s, w, rows
}

// totals returns the weight of each class.
func (s *sample) totals() ([]float64, float64) {
	perClass, total := make([]float64, s.classes), 0.0
	for i, c := range s.class {
		perClass[c] += s.weight[i]
		total += s.weight[i]
	}
	return perClass, total
}

// evaluate lets a judge evaluate the only column.
func evaluate(s *sample, w *workspace, rows []int32, weighted bool) (candidate, bool) {
	if weighted {
		return judged(&judge[float64]{finder: new(weighing)}, s, w, rows)
	}
	return judged(&judge[int64]{finder: new(counting)}, s, w, rows)
}

func judged[W number](j *judge[W], s *sample, w *workspace, rows []int32) (candidate, bool) {
	perClass, _ := s.totals()
	var keys []key
	if c := &w.cols[0]; !c.nominal {
		keys = make([]key, len(rows))
		w.sort(c, keys)
	}
	x := instances{rows, s.weight}
	j.node(&w.problem, perClass)
	cands, below := j.judge(x, []int32{0}, keys, nil)
	if len(cands) == 0 {
		return candidate{}, len(below) == 1
	}
	return cands[0], len(below) == 1
}

func TestNumericSplitsAreBest(t *testing.T) {
	t.Parallel()
	for _, weighted := range []bool{false, true} {
		rapid.Check(t, func(t *rapid.T) {
			s, w, rows := drawSample(t, dataset.Numeric, weighted)
			cut, gain, info := s.best(w.cfg.MinLeaf)
			cand, again := evaluate(s, w, rows, weighted)
			if !weighted {
				probed, probedAgain := judged(&judge[int64]{finder: &counting{probes: true}}, s, w, rows)
				if probed != cand && (probed.valid || cand.valid) || probedAgain != again {
					t.Fatalf("probed: %+v, want %+v", probed, cand)
				}
			}
			if valid := cut >= 0 && gain > 1e-6; valid != cand.valid {
				if math.Abs(gain-1e-6) > 1e-9 {
					t.Fatalf("valid: %v, want %v (gain %v)", cand.valid, valid, gain)
				}
				return
			}
			if !cand.valid {
				return
			}
			lower := cand.lower
			if !again || lower != float64(cut)*s.gap || !floatcmp.Equal(cand.gain, gain, 1e-9, 0) ||
				!floatcmp.Equal(cand.info, info, 1e-8, 0) {
				t.Fatalf("cut %v, gain %v, info %v, want %v, %v, %v", lower, cand.gain, cand.info, cut, gain,
					info)
			}
		})
	}
}

func TestNominalSplitsAreAsDefined(t *testing.T) {
	t.Parallel()
	for _, weighted := range []bool{false, true} {
		rapid.Check(t, func(t *rapid.T) {
			s, w, rows := drawSample(t, dataset.Nominal, weighted)
			perBag, known, total := s.divide(int(w.cols[0].card), func(v int) int { return v })
			large := 0
			for _, bag := range perBag {
				sum := 0.0
				for _, x := range bag {
					sum += x
				}
				if grEq(sum, float64(w.cfg.MinLeaf)) {
					large++
				}
			}
			gain, info := gainAndInfo(perBag, known, total)
			cand, again := evaluate(s, w, rows, weighted)
			if cand.valid != (large >= 2) || again != cand.valid {
				t.Fatalf("valid: %v, again: %v, %d large bags", cand.valid, again, large)
			}
			if cand.valid && (!floatcmp.Equal(cand.gain, gain, 1e-6, 0) || !floatcmp.Equal(cand.info,
				info, 1e-8, 0)) {
				t.Fatalf("gain %v, info %v, want %v, %v", cand.gain, cand.info, gain, info)
			}
		})
	}
}

func TestChooseTakesTheGreatestRatioAboveTheAverage(t *testing.T) {
	t.Parallel()
	many := []bool{false, false, false, true}
	for _, test := range []struct {
		name  string
		cands []candidate
		want  int
	}{
		{"none", nil, -1},
		{"one", []candidate{{col: 0, gain: 0.1, info: 8}}, 0},
		{"ratio decides", []candidate{{col: 0, gain: 0.5, info: 16}, {col: 1, gain: 0.5, info: 8}}, 1},
		{
			"first of ties",
			[]candidate{{col: 0, gain: 0.5, info: 8}, {col: 1, gain: 0.5 + 1e-8, info: 8}},
			0,
		},
		{
			"below the average",
			[]candidate{{col: 0, gain: 0.5, info: 16}, {col: 1, gain: 0.1, info: 1}},
			0,
		},
		{"just below the average", []candidate{
			{col: 0, gain: 0.5, info: 16},
			{col: 1, gain: 0.4985, info: 8},
		}, 1},
		{"left out of the average", []candidate{
			{col: 0, gain: 0.2, info: 8},
			{col: 3, gain: 2, info: 160},
		}, 0},
		{
			"chosen nevertheless",
			[]candidate{{col: 0, gain: 0.2, info: 8}, {col: 3, gain: 2, info: 16}},
			1,
		},
		{"only those left out", []candidate{{col: 3, gain: 2, info: 16}}, -1},
		{"no gain", []candidate{{col: 0, gain: 0, info: 8}}, -1},
		{"no information in the split", []candidate{{col: 0, gain: 0.5, info: 0}}, -1},
	} {
		if got := choose(many, test.cands, 8); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}

func TestLanesCount(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 700).Draw(t, "rows")
		classes := rapid.IntRange(1, 4).Draw(t, "classes")
		f := &frame{classes: classes, rows: n}
		counts := make([]int32, classes)
		for range n {
			y := rapid.Int32Range(0, int32(classes)-1).Draw(t, "class")
			f.class = append(f.class, y)
			counts[y]++
		}
		for range rapid.IntRange(1, 12).Draw(t, "columns") {
			c := column{
				nominal: true, card: rapid.Int32Range(1, laneValues+1).Draw(t, "values"),
				missing: rapid.Bool().Draw(t, "missing"),
			}
			last := c.card - 1
			if c.missing {
				last++
			}
			seed := rapid.Uint32().Draw(t, "seed")
			for range n {
				seed = seed*1664525 + 1013904223
				c.code = append(c.code, int32(seed>>8)%(last+1))
			}
			f.cols = append(f.cols, c)
		}
		f.lanes.build(f)
		rows, present, total := make([]int32, n), []int32(nil), []int32(nil)
		for i := range rows {
			rows[i] = int32(i)
		}
		for y, k := range counts {
			if k > 0 {
				present, total = append(present, int32(y)), append(total, k)
			}
		}
		s := laneCounter{laneSet: &f.lanes}
		if f.lanes.words > 0 {
			s.count(rows, f.class, present)
		}
		for k := range f.cols {
			c := &f.cols[k]
			if suited := c.card >= 2 && c.card <= laneValues; suited != (c.lane >= 0) {
				t.Fatalf("%d values, first lane %d", c.card, c.lane)
			} else if !suited {
				continue
			}
			want := make([]int64, int(c.card)*len(present))
			for i, v := range c.code {
				if v < c.card {
					want[int(v)*len(present)+slices.Index(present, f.class[i])]++
				}
			}
			if got := columnOf[int64](nil, &s, c, present, total); !slices.Equal(got, want) {
				t.Fatalf("column %d: %v, want %v", k, got, want)
			}
		}
	})
}
