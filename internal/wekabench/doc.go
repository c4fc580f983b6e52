//go:build linux

/*
Wekabench measures learnbench beside Weka's Experimenter.

Usage:

	go run ./internal/wekabench [flags]

Both run naive Bayes, C4.5 and 1-nearest neighbour in ten runs of stratified
10-fold cross-validation on the 27 data sets of Bouckaert and Frank, on the
same folds. They are run as whole processes, which read ARFF files and write
the result of each fold to a file, in turns: learnbench, Weka, learnbench, ...
For each process, wall time, CPU time (user and system) and the greatest
resident memory are printed, and their medians and ratios. The results of each
pair are compared fold by fold: it is an error if the number of correct
predictions of a fold is not Weka's.

With -warm, the times of a training and of the predictions of a fold are
measured instead, in one thread of a process that has warmed up, on a few data
sets and on 10 random bits.

The data sets are those of the directory given with -data, by default
$LEARNBENCH_SHARED/data. Without either, those 14 of the data sets that
are built into package uci are used.

Needed are a JDK and Weka 3.6.14 (on Debian the packages
default-jdk-headless and weka).

	-data DIR       directory of the ARFF files
	-weka PATH      class path of Weka (default that of Debian's packages)
	-pairs N        how often to run both (default 5)
	-runs N         runs of the cross-validation (default 10)
	-order free     let nearest neighbour be independent of the order of examples,
	                as it is by default, and count the folds that differ from
	                Weka's, where it is not
	-warm SECONDS   measure each learner on each data set for that long
*/
package main
