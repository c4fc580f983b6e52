package learner

import "errors"

var (
	// ErrTraining is wrapped by the errors of Fit that are due to the table or
	// the rows: no nominal class, a row that the table does not have, no row
	// whose class is known, a data set that the algorithm cannot learn.
	ErrTraining = errors.New("cannot train")

	// ErrUnusable is wrapped by errors about learners whose trials say nothing: they
	// change the data, keep something between trainings, or their seed does not fix them.
	ErrUnusable = errors.New("unusable learner")

	// ErrPrediction is wrapped by the error of a trial whose model returned an invalid prediction.
	ErrPrediction = errors.New("invalid prediction")
)
