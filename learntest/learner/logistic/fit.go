package logistic

import (
	"errors"
	"math"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/detmath"
	"github.com/learnbench/learnbench/learntest/learner/internal/linear"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

// A workspace is the memory of a model and of its training. Later trainings
// use it again.
//
// A vector of parameters is a matrix of one row for each column of the design, and a last one of
// intercepts, which have a number for each free class, of which there is one where there are two
// classes.
type workspace struct {
	rows        []int32
	design      linear.Design
	solver      linear.Solver
	index       []int32   // of each declared class the place in classes, or -1
	classes     []int32   // the classes that occur in training
	free        int       // how many of the last of them have parameters
	weights     []float64 // of the training rows, times C
	p           []float64 // probabilities of one row
	derivatives []float64 // of the loss of each row of a block, by the margins of the free classes
	probs       []float64 // of the free classes for each training row at best

	best, trial               []float64 // parameters
	gradient, trialGradient   []float64
	step, negative, diagonals []float64
	factors, column           []float64 // see preconditioner
}

const (
	maxSteps = 200   // of Newton's method
	exact    = 1e-10 // greatest component of the mean gradient at the end
	heaviest = 1e200 // weight of all rows, so that losses are finite
)

var errDiverges = errors.New("logistic regression does not converge: try a smaller C")

// train sets the model from w.rows.
func (w *workspace) train(t *dataset.Table, c float64) error {
	if err := w.design.Train(t, w.rows, "logistic"); err != nil {
		return err
	}
	w.takeClasses(t)
	total := w.takeWeights(t, c)
	if !(total <= heaviest) {
		return errDiverges
	}
	n := w.free * (w.design.Columns + 1)
	for _, v := range []*[]float64{
		&w.best, &w.trial, &w.gradient, &w.trialGradient, &w.step,
		&w.negative, &w.diagonals,
	} {
		*v = scratch.Resize(*v, n)
	}
	w.probs = scratch.Resize(w.probs, len(w.rows)*w.free)
	clear(w.best)
	if w.free == 0 {
		return nil
	}
	class := t.Codes(t.ClassIndex())
	loss := w.evaluate(class, w.best, w.gradient)
	start := linear.Largest(w.gradient)
	for range maxSteps {
		size := linear.Largest(w.gradient)
		if size <= exact*total {
			return nil
		}
		for j, g := range w.gradient {
			w.negative[j] = -g
		}
		// A solution as exact as the point is good makes the steps converge superlinearly. A less
		// exact solution is a direction of descent, too.
		w.solver.Solve(w.step, w.curvature, w.preconditioner(total), w.negative,
			min(0.1, math.Sqrt(size/start)), 10*n+100)
		var ok bool
		if loss, ok = w.search(class, loss); !ok {
			return errDiverges
		}
	}
	return errDiverges
}

// search goes along the step, the whole of it or a half as often as it takes to
// descend, and returns the loss there.
func (w *workspace) search(class []int32, loss float64) (float64, bool) {
	slope := linear.Dot(w.gradient, w.step)
	for share := 1.0; share > 0x1p-40; share /= 2 {
		for j, v := range w.best {
			w.trial[j] = v + float64(share*w.step[j])
		}
		at := w.evaluate(class, w.trial, w.trialGradient)
		// Near the minimum, where losses differ by rounding only, steps are good.
		if at <= loss+float64(1e-4*float64(share*slope))+float64(1e-13*math.Abs(loss)) {
			w.best, w.trial = w.trial, w.best
			w.gradient, w.trialGradient = w.trialGradient, w.gradient
			return at, true
		}
	}
	return loss, false
}

// takeClasses lists the classes that occur in training.
func (w *workspace) takeClasses(t *dataset.Table) {
	w.index = scratch.Resize(w.index, t.NumClasses())
	for c := range w.index {
		w.index[c] = -1
	}
	class := t.Codes(t.ClassIndex())
	for _, r := range w.rows {
		w.index[class[r]] = 0
	}
	w.classes = w.classes[:0]
	for c, there := range w.index {
		if there == 0 {
			w.index[c] = int32(len(w.classes))
			w.classes = append(w.classes, int32(c))
		}
	}
	w.free = len(w.classes)
	if w.free <= 2 {
		w.free--
	}
	w.p = scratch.Resize(w.p, len(w.classes))
}

// takeWeights sets the weights of the training rows and returns their sum.
func (w *workspace) takeWeights(t *dataset.Table, c float64) float64 {
	w.weights = scratch.Resize(w.weights, len(w.rows))
	total := 0.0
	for i, r := range w.rows {
		w.weights[i] = c
		if weights := t.Weights(); weights != nil {
			w.weights[i] = float64(c * weights[r])
		}
		total += w.weights[i]
	}
	return total
}

// intercepts returns those among parameters.
func (w *workspace) intercepts(v []float64) []float64 { return v[len(v)-w.free:] }

// margins sets z to b_k + β_k·x for all classes, 0 for one that is not free.
func (w *workspace) margins(x linear.Row, v, z []float64) {
	bound := len(z) - w.free
	clear(z[:bound])
	copy(z[bound:], w.intercepts(v))
	x.Apply(z[bound:], v)
}

// softmax replaces margins by probabilities and returns the logarithm of the divisor.
func softmax(z []float64) float64 {
	most := math.Inf(-1)
	for _, v := range z {
		most = max(most, v)
	}
	sum := 0.0
	for k, v := range z {
		z[k] = detmath.Exp(v - most)
		sum += z[k]
	}
	for k := range z {
		z[k] /= sum
	}
	return most + detmath.Log(sum)
}

// evaluate returns the loss at v, and sets its gradient and w.probs.
func (w *workspace) evaluate(class []int32, v, gradient []float64) float64 {
	if w.free == 1 {
		return w.evaluateTwo(class, v, gradient)
	}
	w.penalize(gradient, v)
	loss := float64(linear.Dot(gradient, gradient) / 2)
	w.blocks(gradient, func(i int, derivatives []float64) {
		w.margins(w.design.Row(i), v, w.p)
		own := w.index[class[w.rows[i]]]
		margin := w.p[own]
		loss += float64(w.weights[i] * (softmax(w.p) - margin))
		copy(w.probs[i*w.free:], w.p)
		w.p[own]--
		copy(derivatives, w.p)
	})
	return loss
}

// blocks adds what each row contributes to dst, by the derivatives of its loss with respect to its
// margins, which f sets.
func (w *workspace) blocks(dst []float64, f func(i int, derivatives []float64)) {
	n, b := w.free, w.intercepts(dst)
	w.design.Blocks(func(first int, z []float64) {
		w.derivatives = scratch.Resize(w.derivatives, len(z)*n)
		for i := range z {
			own := w.derivatives[i*n:][:n]
			f(first+i, own)
			for k, d := range own {
				own[k] = float64(w.weights[first+i] * d)
				b[k] += own[k]
			}
		}
		w.design.AddOuters(dst, first, w.derivatives, n)
	})
}

// penalize sets dst to the gradient of the penalty at v.
func (w *workspace) penalize(dst, v []float64) {
	copy(dst, v)
	clear(w.intercepts(dst))
}

// takeDiagonals sets the diagonal of the Hessian. Where a class is certain, a small number stands
// for the 0 of its intercept.
func (w *workspace) takeDiagonals(total float64) {
	for j := range w.diagonals {
		w.diagonals[j] = 1
	}
	b := w.intercepts(w.diagonals)
	for k := range b {
		b[k] = float64(1e-12 * total)
	}
	if w.free == 1 {
		w.addDiagonalsTwo()
		return
	}
	u := w.p[:w.free]
	for i := range w.rows {
		for k, p := range w.probs[i*w.free:][:w.free] {
			u[k] = float64(w.weights[i] * float64(p*(1-p)))
			b[k] += u[k]
		}
		w.design.Row(i).AddOuterSquares(w.diagonals, u)
	}
}

// curvature sets dst to the product of the Hessian with v.
func (w *workspace) curvature(dst, v []float64) {
	if w.free == 1 {
		w.curvatureTwo(dst, v)
		return
	}
	w.penalize(dst, v)
	w.blocks(dst, func(i int, u []float64) {
		copy(u, w.intercepts(v))
		w.design.Row(i).Apply(u, v)
		mean, probs := 0.0, w.probs[i*w.free:][:w.free]
		for k, p := range probs {
			mean += float64(p * u[k])
		}
		for k, p := range probs {
			u[k] = float64(p * (u[k] - mean))
		}
	})
}

// release forgets the table, so that the pool does not keep it alive.
func (w *workspace) release() { w.design.Release() }
