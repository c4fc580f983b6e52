// Package classorder brings the class probabilities of a model, which has an
// order of its own and may not know all classes, into the order of the data.
package classorder

import (
	"fmt"
	"slices"
)

// An Order says where in the order of the data each class of a model is.
type Order []int

// Of returns the order of a model's classes among the classes of the data. It is an
// error if a class is not one of the data, or is there twice.
func Of[Y comparable](data, model []Y) (Order, error) {
	o := make(Order, len(model))
	for j, y := range model {
		o[j] = slices.Index(data, y)
		switch {
		case o[j] < 0:
			return nil, fmt.Errorf("class %d of the model is %v, which is none of the data's: %v", j, y,
				data)
		case slices.Index(model, y) < j:
			return nil, fmt.Errorf("class %d of the model is %v, which it has twice", j, y)
		}
	}
	return o, nil
}

// Put writes the probabilities of a model into the places of the data's classes. Classes
// that the model does not know get 0.
func (o Order) Put(data, model []float64) error {
	if len(model) != len(o) {
		return fmt.Errorf("%d probabilities of a model with %d classes", len(model), len(o))
	}
	clear(data)
	for j, q := range model {
		data[o[j]] = q
	}
	return nil
}
