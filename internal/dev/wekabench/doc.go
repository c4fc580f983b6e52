//go:build linux

/*
Wekabench measures learnbench beside Weka and scikit-learn.

Usage:

	go -C internal/dev run ./wekabench [flags]

All run naive Bayes, C4.5 and 1-nearest neighbour in ten runs of stratified
10-fold cross-validation. They are run as whole processes, which read ARFF
files and write the result of each fold to a file, in turns: learnbench, its
rivals, learnbench, ... For each process, wall time, CPU time (user and system)
and the greatest resident memory are printed, and their medians and ratios.

Rivals are Weka's Experimenter, which also serialises models and computes many
statistics, and a loop around Weka's classes that only trains, classifies and
counts, with the default heap and with one of 64 MiB. The data sets are the 27
of Bouckaert and Frank, on the same folds. The results of each pair are compared
fold by fold: it is an error if the number of correct predictions of a fold is
not Weka's.

With -sklearn, the rival is such a loop around scikit-learn's GaussianNB,
DecisionTreeClassifier and KNeighborsClassifier, on those data sets that have
numbers only. Its learners and folds are others, so that only mean accuracies
are printed beside the times.

With -warm, the times of a training and of the predictions of a fold are
measured instead, in one thread of a process that has warmed up, on a few data
sets and on 10 random bits, beside Weka's.

The directory given with -data, by default $LEARNBENCH_SHARED/data, has the data
sets. Without either, wekabench takes 14 of them, which are built into package
uci: 7 have numbers only.

Needed are a JDK and Weka 3.6.14 (on Debian the packages
default-jdk-headless and weka), or Python with scikit-learn (python3-sklearn).

	-data DIR       directory of the ARFF files
	-weka PATH      class path of Weka (default: Debian's packages)
	-sklearn        measure beside scikit-learn
	-python PATH    Python with scikit-learn (default python3)
	-pairs N        how often to run all (default 5)
	-runs N         runs of the cross-validation (default 10)
	-order free     let nearest neighbour be independent of the order of examples,
	                the default, and count the folds that differ from
	                Weka's, where it is not
	-warm SECONDS   measure each learner on each data set for that long
*/
package main
