// Package learnbench finds out whether a change to a learning algorithm helped.
//
// It does for learners what go test -bench and benchstat do for speed. A test
// runs two learners on the same random partitions of the same data; a significance test
// that is valid under cross-validation says whether the difference is real, and a
// replicability says whether other partitions would have said the same. Results are
// stored in files that can be committed and compared across commits.
//
// The packages, in the order in which data flow:
//
//   - [github.com/learnbench/learnbench/learntest/dataset]: tables, with readers for ARFF and CSV;
//     dataset/uci has small real data sets built in
//   - [github.com/learnbench/learnbench/learntest/split]: protocols, such as repeated stratified
//     cross-validation, and the partitions that they make
//   - [github.com/learnbench/learnbench/learntest/learner]: reference learners on tables
//   - [github.com/learnbench/learnbench/learntest/metric]: scores of predictions
//   - [github.com/learnbench/learnbench/learntest]: runs learners; Compare is what a test calls
//   - [github.com/learnbench/learnbench/learntest/record]: result files
//   - [github.com/learnbench/learnbench/learntest/stat]: significance tests, intervals, replicability;
//     stat/across over several data sets, stat/adjust for several comparisons
//   - [github.com/learnbench/learnbench/learntest/verdict]: judges a claim about paired records
//   - [github.com/learnbench/learnbench/assert]: claims in tests
//
// The command learnbench runs learners without writing Go, and learnstat
// compares stored result files.
//
// This package itself is empty; its example is the whole pipeline.
package learnbench
