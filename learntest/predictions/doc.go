// Package predictions keeps what learners have predicted, in files beside result files.
//
// A [Block] has the predictions of some learners on one data set under one protocol: for each run,
// one for each test example. [Open] and [Read] read blocks, and [Write] writes them.
//
// Predictions give labels away. Who has the file has the labels of the data.
//
// # Format
//
// A file is text in UTF-8 with lines of less than 60,000 bytes, compressed with gzip if its name
// ends with .gz. Files concatenate. Each is a series of blocks:
//
//	learnbench-predictions: 1
//	pkg: example.com/model
//	test: TestTree/vehicle
//	protocol: cv runs=10 folds=10 stratified seed=1 v1
//	data-sha256: 9a1f…
//	split-sha256: 77c0…
//	Data: vehicle
//	Examples: 846
//	Classes: bus opel saab van
//	Probabilities: truth
//	T 0 AABDC…
//	F 1 0 ADBJC…
//	P c45 1 0 ..A..!…
//	P naive%20bayes 1 0 .C….
//	Q naive%20bayes 1 0 mpmZmZmZ6T8…
//	Checksum: 51d0…
//
// Header. Its keys come in this order. The values of pkg, test, protocol and the two digests are
// the values in the result; pkg and test are left out where they are empty. Names are escaped as in
// result files. A block without Classes is of regression; where they take more than a line, the key
// is repeated. Probabilities is there where lines Q are, and says whether they have the probability
// of the true class (truth) or of each class (full).
//
// Lines. The number before the values is the index of the first example that the line is about: the
// first line of a run begins with example 0, and each further one where the line before it ends.
// Lines of different runs or learners may come in any order behind the lines T.
//
//	T first letters                  the true class of each example
//	F run first letters              the fold that tests each example in a run, A the first; - none
//	P learner run first letters      the predicted class: . the true one, ! none of the classes, - nothing predicted
//	V learner run first numbers      the predicted number; - nothing predicted
//	Q learner run first base64       float64s, little-endian; a NaN for an example of which nothing was predicted
//
// Classes and folds are the letters A to Z, a to z, 0 to 9. Where there are more than 62 of them,
// the lines are TN, FN and PN, with numbers from 0 in place of letters, and spaces between them. In
// regression TV has the true numbers. A number is the shortest that reads back as the same float64.
// Nothing is predicted of an example that no fold tests, and of the folds that another shard has
// trained, or in which the training failed.
//
// Checksum. The last line is the SHA-256 of all bytes of the block before it. The results that the
// predictions are of name it in their key Predictions.
package predictions
