package learner

import "errors"

// ErrTraining is wrapped by the errors of Fit that are due to the table or
// the rows: no nominal class, a row that the table does not have, no row
// whose class is known, a data set that the algorithm cannot learn.
var ErrTraining = errors.New("cannot train")
