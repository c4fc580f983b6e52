//go:build linux

/*
Peerbench measures learners and readers of files beside scikit-learn, pandas
and Weka, on tables of several shapes.

Usage:

	go -C internal/dev run ./peerbench [flags]

All sides of a row take the same file and train on nine tenths of its rows, in
one thread, and predict the others; or they read it. They are processes of their
own, which are run in turns and say how much CPU time (user and system) the work
took, without the start of the process and, where learners are compared, without
reading the file. The memory is the peak of the process.

A table is printed, with the rows first in which learnbench does worst. The ratio
of a peer is its CPU time divided by learnbench's: the least times of all turns, and
the medians. Beside the times are the numbers of correct predictions,
which are equal where all sides train one model.

Needed are Python with scikit-learn and pandas, and for the last peer a JDK and
Weka 3.6.14 (on Debian python3-sklearn, python3-pandas, default-jdk-headless and
weka). A peer that is missing is left out.

	-data DIR     directory of letter.arff, optdigits.arff and waveform.arff, by default
	              $LEARNBENCH_SHARED/data; without them, their rows are left out
	-only REGEXP  rows to measure
	-turns N      how often to run all sides (default 5)
	-python PATH  Python with scikit-learn (default python3)
	-weka PATH    class path of Weka (default: Debian's package)
*/
package main
