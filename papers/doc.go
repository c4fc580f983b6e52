/*
Papers reproduces the tables and figures of four papers on the comparison of learners, beside
the printed figures. It is a module of its own; each paper has a folder.

Usage:

	go -C papers run . [flags] NAME

as in go -C papers run . bf5, for table 5 of Bouckaert & Frank (2004). The tables are in Markdown.
The output depends on the seed and on nothing else.

	-list          show the names, with the tables and figures of each
	-small         take seconds rather than many minutes: to see that it works
	-sets N        data sets from each source, where these are simulated, as for bf5
	-data DIR      ARFF files of the data sets, NAME.arff or NAME.arff.gz, where these are real,
	               as for bf1 and bb1; those without a file are the built-in ones, of
	               which there are not as many as in the papers
	-store FILE    keep the scores of all trials in FILE, and train nothing twice: an interrupted
	               run resumes, and names share trainings. Not for names that only
	               compute or draw numbers
	-seed N        seed of all random numbers (default 1)
	-parallel N    parts at the same time (default the number of processors)
	-quiet         print no progress

Paths are relative to the folder papers, where go -C runs the command. The exit status is 0, or 2
if there is nothing to print: the reason is on standard error.

The papers are R. R. Bouckaert, "Choosing between two learning algorithms based on calibrated
tests" (2003); R. R. Bouckaert and E. Frank, "Evaluating the replicability of significance tests
for comparing learning algorithms" (2004); J. P. Bradford and C. E. Brodley, "The effect of
instance-space partition on significance" (2001); A. Benavoli, G. Corani and F. Mangili, "Should
we really use post-hoc tests based on mean-ranks?" (2016).
*/
package main
