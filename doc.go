// Package learnbench finds out whether a change to a learning algorithm helped.
//
// It does for learners what go test -bench and benchstat do for speed. A test
// runs two learners on the same random partitions of the same data; a significance test
// that is valid under cross-validation says whether the difference is real, and a
// replicability says whether other partitions would have agreed. Results are
// stored in files that can be committed and compared across commits.
//
// A test calls package learntest, which runs the learners, and package assert, which makes
// claims about them:
//
//	func TestForestBeatsBayes(t *testing.T) {
//		c := learntest.Compare(t, data, forest, bayes)
//		assert.Improves(t, c)
//	}
//
// The command learnbench does the same without writing Go. This package itself is empty;
// its example is the whole pipeline.
//
// # How data flow
//
//	dataset    split    learner    metric     data, partitions, learners and scores
//	   └─────────┴────┬────┴─────────┘
//	              learntest                   runs the trials
//	                  │
//	               record ◄─── imports        result files, also of other tools
//	                  │
//	               verdict ◄── stat           judges claims, by significance tests
//	                  │
//	       ┌──────────┴──────────┐
//	     assert        learnbench, learnstat
//	    in tests        on the command line
//
// The packages, in that order:
//
//   - [github.com/learnbench/learnbench/learntest/dataset]: tables, with readers for ARFF and CSV;
//     [github.com/learnbench/learnbench/learntest/dataset/uci] has small real data sets built in
//   - [github.com/learnbench/learnbench/learntest/split]: protocols, such as repeated stratified
//     cross-validation, and the partitions that they make
//   - [github.com/learnbench/learnbench/learntest/learner]: reference learners on tables;
//     [github.com/learnbench/learnbench/learntest/learner/process] makes learners of programs in
//     any language
//   - [github.com/learnbench/learnbench/learntest/metric]: scores of predictions;
//     [github.com/learnbench/learnbench/learntest/unit]: what their numbers mean, and how margins
//     are written
//   - [github.com/learnbench/learnbench/learntest]: runs learners; Compare is what a test calls;
//     [github.com/learnbench/learnbench/learntest/matrix] adapts models on gonum matrices
//   - [github.com/learnbench/learnbench/learntest/record]: result files;
//     [github.com/learnbench/learnbench/learntest/record/imports] reads the files of other tools
//   - [github.com/learnbench/learnbench/learntest/stat]: significance tests and
//     intervals on one data set;
//     [github.com/learnbench/learnbench/learntest/stat/replicate] for replicability,
//     [github.com/learnbench/learnbench/learntest/stat/across] over several data sets,
//     [github.com/learnbench/learnbench/learntest/stat/adjust] for several comparisons,
//     [github.com/learnbench/learnbench/learntest/stat/effect] for effect sizes, and
//     [github.com/learnbench/learnbench/learntest/stat/contingency] on single examples
//   - [github.com/learnbench/learnbench/learntest/verdict]: judges a claim about paired records
//   - [github.com/learnbench/learnbench/assert]: claims in tests
//   - [github.com/learnbench/learnbench/learntest/study]: measures the error rates of all this,
//     on real and on simulated data
//
// The commands:
//
//   - [github.com/learnbench/learnbench/cmd/learnbench]: runs learners and checks programs that
//     are to be ones, compares what the tests of two branches find out, imports results
//   - [github.com/learnbench/learnbench/cmd/learnstat]: compares stored result files, and is a
//     gate in continuous integration
package learnbench
