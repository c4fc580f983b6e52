/*
Learnbench runs learners on data sets without writing Go, and compares what the tests
of two branches find out.

Usage:

	learnbench run [flags] CANDIDATE BASELINE [LEARNER ...]
	learnbench check [flags] -exec PROGRAM [ARGUMENT ...]
	learnbench check [flags] -data SET
	learnbench ci-times [DIRECTORY]
	learnbench compare [flags] REVISIONS [arguments of go test]
	learnbench import -from FORMAT -o FILE [flags] FILES
	learnbench init -csv FILE -label COLUMN [flags]
	learnbench pin -reason TEXT RESULTS REFERENCE
	learnbench plan [flags] RESULTS CANDIDATE BASELINE
	learnbench plan [flags] OLD NEW
	learnbench plan [flags] -examples N -disagree X
	learnbench plan [flags] -items N -disagree X
	learnbench prove PACKAGES [arguments of go test]
	learnbench refresh -reason TEXT PACKAGES [arguments of go test]
	learnbench score -metric LIST [-data SET -slice NAME] [-o FILE] FILES
	learnbench study [flags] NAME [LEARNERS]
	learnbench shim NAME
	learnbench help [COMMAND]
	learnbench help all
	learnbench version

# Run

Run trains and tests each learner on the same random partitions of each data
set, ten runs of stratified 10-fold cross-validation unless told otherwise, and
prints the verdict on the first learner against each of the others: the difference
with its interval, the corrected significance test, how replicable its conclusion is, and
the smallest difference that it would have detected.

The learners of classes are c45, forest (random forest; trees=100), logistic (regression; c=1 is the
inverse of its penalty), majority (the most frequent class), naivebayes, nn (nearest neighbour),
perceptron and tan, the learners of
numbers mean, median, ols (least squares, whose parameter missing=indicator admits missing values) and
ridge (least squares with a penalty, alpha=1). Parameters are given in parentheses, and a name of your own in front, as in nn(k=5) or
mine=nn(k=5,weighting=inverse). Quote them from the shell. What
naivebayes and nn predict depends on the order of the examples with order=weka
only, as in Weka. Of training examples that are equally near nn takes all, as Weka's IBk, and with ties=first
the first, as IB1.

Other programs are learners as exec(PROGRAM ARGUMENT ...), if they speak the protocol of
docs/process.md, as in

	rf=exec(python3 sklearn_shim.py RandomForestClassifier n_estimators=100)

(learnbench shim sklearn_shim.py prints that program, and others for R and Weka), or read and write files: exec(./learn {train} {test} {pred} {seed}). No shell sees
the command: its words are separated by spaces, and quotes, ' or ", keep all up to the next
same one together. What programs write to their standard error goes to standard error, with
the learner's name.

	-data SET      a data set: uci:NAME for one that is built in, or the name of
	               an ARFF or CSV file; may be repeated. Built in are balance-scale,
	               breast-cancer, contact-lenses, german-credit, glass, ionosphere, iris,
	               labor, monks1-all, monks2-all, monks3-all, pima-diabetes, sonar,
	               soybean, tic-tac-toe, vehicle, vote, wine, wisconsin-breast-cancer and
	               zoo
	-class NAME    the class attribute of the files (default the last one)
	-target NAME   the attribute of the files to be predicted, in place of -class,
	               where it may be a number
	-group NAME    the attribute of the files whose equal values say which examples
	               belong together, such as the patient. No learner sees it, and the
	               protocol is "groups runs=10 folds=10" unless told otherwise; one
	               that divides groups is refused
	-slice NAMES   attributes, or the group, of which each value is a slice of the
	               examples: the scores on it are stored, too, for learnstat -slices;
	               they have up to 20 values; a bound on numbers is one slice, as in
	               -slice "age>=60"
	-slice-copies  a slice of the test examples with a copy in training
	-ignore NAMES  attributes of the files to leave out, separated by commas; may be
	               repeated
	-nominal NAMES columns of CSV files that are no numbers though they look like it
	-missing TEXT  a field of CSV files that stands for a missing value besides ? and NA
	               and nothing; may be repeated
	-protocol TEXT the protocol, as in "cv runs=5 folds=2 stratified seed=1 v1" or
	               "loo seed=1 v1"; see the documentation of package split
	-runs N        runs of the protocol (default 10)
	-folds N       folds of each run (default 10)
	-seed N        seed of the partitions and of the learners (default 1)
	-repeats N     run the runs N times over, to count the replicability of the
	               test instead of predicting it (default 1)
	-metric LIST   metrics to compute, separated by commas; the first is judged
	               (default accuracy for classes, rmse for numbers)
	-margin X      differences within X, in the unit of the metric and less than its
	               range, in points, as 2pp, or in percent of the baseline's mean, as 2%,
	               are equivalent; with the metric, as in accuracy=2pp, if you like
	-allow-majority
	               the margin may be so wide that always predicting the most frequent class
	               is equivalent to the baseline, and the candidate no better than that
	-alpha X       significance level (default 0.05)
	-test NAME     the significance test (default the corrected one), as in
	               corrected-cv-t/ratio=0.18
	-settle X      stop training as soon as all runs would decide otherwise with at most this
	               probability, such as 0.01: after 2, 3 or 5 runs. A second opinion and a
	               test that is no corrected t test take all runs. Results in files say where
	               it was stopped: -resume without -settle trains the other runs
	-minutes X     train no longer than that: if the first training of each learner shows that
	               the others take more, they do not begin, and the error says how many shards
	               or runs fit
	-second-opinion
	               where the test shows a difference, or equivalence, train both learners in
	               random halves of the data, too, and use both tests: for nearest
	               neighbours, single trees, and fewer than 100 examples, where the corrected
	               test alone has 9 to 46% of false alarms at the 5% level
	-halvings N    of the second opinion (default 20, for 200 trainings a learner; 40 for
	               a final claim; at least 5)
	-timeout D     time limit of a trial, as in 30s (default none)
	-parallel N    trials at the same time (default the number of processors)
	-o FILE        store the results of all trials in FILE, in place of the results that it
	               has of the same data and protocol; other results stay. If
	               FILE is a directory, each data set has a file in it
	-resume        with -o: take over what an interrupted run of these trials has left
	               beside FILE, and what FILE has of the same learners, and train the
	               missing ones. Programs are the same ones if the files among their arguments
	               are, and never if there are none
	-predictions FILE
	               keep the predictions for all test examples in FILE, compressed if its
	               name ends with .gz: results in the FILE of -o name its checksum.
	               Predictions give the labels of the data away
	-probabilities truth
	               keep the probability of the true class, too, for the log loss; full
	               keeps the probabilities of all classes
	-shard I/N     with -o: run the I-th of N parts of the trials, which the machines of a
	               cluster may do at the same time; each writes a FILE of its own, and
	               nothing is judged. With auto, or auto/N, Slurm's job arrays,
	               Kubernetes' Indexed Jobs (auto/N) and GitLab's parallel jobs say
	               which part it is
	-in PATTERN    train nothing: judge the trials of the result files that match, such
	               as 'shards/*.txt', which must be all; may be repeated. Learners may then
	               be any names that the files have
	-fail-on LIST  exit with status 1 on any of these outcomes: improved,
	               regressed, equivalent, inconclusive
	-quiet         print neither progress nor how CSV files were read

Progress goes to standard error if that is a terminal.

# Check

Check sends messages of all kinds to a program that is to be a learner, and prints whether
it keeps to the protocol of docs/process.md: "ok", "refused" where a program may answer
with an error, such as missing values, and "FAILED" with what depends on it. A program whose predictions
do not depend on the labels that it learns from has failed as well. All that follows
-exec is the program and its arguments.

	-pretrained  the model is trained elsewhere: it need not learn from labels
	-timeout D   time limit of a check, and of the program's start (default 1m0s)

With -data it checks data instead, a file or a built-in set as run has them (with the same flags of
files): which share of the test examples has an equal example in training, by the partitions of the
protocol itself, and equal examples with other labels, and the accuracy that they allow. It fails of columns that
number the rows in the order of their labels or are always the same (rule columns); of columns that look like persons or
sites, whose values repeat and are next to one another in the file or tell the label, if the partitions divide
them (groups); and of rows in the order of time that models of later rows predict (times).

	-data SET       what to check
	-max-copies P   fail if more test examples have a copy in training, as in 1%
	-allow RULES    findings that are harmless in these data, as in columns,times
	-protocol TEXT  the partitions (default 10x10 cross-validation)

The exit status is 0 if none failed, 1 if one has, and 2 for wrong usage.

# Ci-times

Ci-times lets go test find its cached results in a fresh checkout. The go command recognises the
files that a test has read by size and modification time, and git gives every file the time of
the checkout, so that CI runs each test that reads a file again although nothing has changed.
Ci-times gives each tracked file of the repository, and each directory, a time between 2001 and 2018 that
follows from the content in the working tree: another content has another time. Run it
after the checkout and before go test, in a job that keeps the build cache (see docs/cache.md).

# Compare

Compare checks two revisions of the git repository out in temporary worktrees, runs
the same tests in both with their results stored, and prints what learnstat says about
them:

	learnbench compare -margin 2pp main..HEAD ./... -run TestForest

Revisions are written as for git diff:

	A..B    the two revisions; one that is left out is HEAD
	A...B   what B has changed since it branched off from A
	A       A, and the working tree with its uncommitted changes

The arguments after them go to go test unchanged, which runs in the directory that the
command is called in, or its like in the worktree. Tests that fail are shown on standard
error, tests that fail on the new side alone by name, and end nothing: what counts is not what a test claims of its
own revision, but how the revisions compare. What git does not keep, such as data that it ignores, and
submodules are in the working tree only.

The flags come before the revisions. They are the flags of learnstat, all but -baseline, -col
and -from. Unless -fail-on or -require say otherwise, the gate is -fail-on regressed, which passes
inconclusive rows and says how large their losses may be, and with a -margin it is -require non-inferior as
well: a row that is not shown to lose less than the margin fails. Rows of one side only, such as the rows of a
new test, need -lenient. With

	-o DIR  keep the results in DIR, as old.txt and new.txt

Where LEARNTEST_CACHE names a cache of trials, both sides use it, with -trimpath, so that the old side is trained
once, however many revisions are compared with it (see docs/cache.md).

The exit status is learnstat's, and 0 without running any tests if both sides have equal files. It
is 2 as well if a revision does not exist; both are one commit; a package of either side cannot be built, or its tests end early; a test fails before it has
compared anything; no tests are run, or none compares learners; the results of a
side are in another version of the format. An interruption ends all that was started and
removes the worktrees. What a comparison that was killed has left, the next one removes.

# Import

Import stores the results of other tools, so that learnstat compares them. All files
of one call are of one format and belong together; they may be compressed. What a comparison
needs and the files do not say must be given, else it is an error. On standard
output is a line for each data set, and each assumption: the meaning of columns, which scores
are better, how folds are counted.

	-from FORMAT   of cross-validation: weka (results of Weka's Experimenter, CSV or ARFF), sklearn (what
	               cross_validate of scikit-learn returns, CSV or JSON), sklearn-search
	               (cv_results_ of GridSearchCV, CSV or JSON), mlr3 (score tables, CSV),
	               amlb (results.csv of the AutoML Benchmark), amlb-predictions (the directories
	               of its frameworks, with the predictions.csv of all tasks and folds), openml
	               (predictions of a run, ARFF) or table (any other table: CSV, JSON lines); of fixed systems on
	               items: items (a score of each item: JSON lines, a JSON list, CSV), lm-eval
	               (samples_*.jsonl of lm-evaluation-harness), inspect (logs of Inspect, JSON),
	               trec (runs of TREC with judgements), promptfoo (output.json) or docker-agent
	               (results of its evaluations, JSON)
	-o FILE        store the results in FILE, in place of the results that it has of the same
	               format, data and partitions; a directory is as in run
	-dataset NAME  the data set, or the suite of items; sklearn, openml and items but for
	               inspect need it, others have it
	-learner NAME  the learner, once for each file in their order; sklearn, openml, items
	               and lm-eval need it, others have it
	-folds N       folds of each run; sklearn, sklearn-search, mlr3, amlb and table need it
	-runs N        runs (default as many as there are; sklearn-search needs it)
	-examples N    number of examples of the data set, or NAME=N of one of several; may be
	               repeated. sklearn, mlr3 and amlb need it, or -data, or columns n_train
	               and n_test. Folds are taken to be even, as in KFold and
	               StratifiedKFold
	-partitions TEXT
	               a name for the partitions, such as the seed that made them: results pair
	               only if they share it. sklearn and mlr3 need it
	-measure COLUMN[=NAME[:DIRECTION]]
	               a column of scores (default the accuracy, or whatever the tool has); NAME
	               is a metric as in run, or any with a DIRECTION, higher or
	               lower; may be repeated. For openml and amlb-predictions, a metric to compute
	-map WHAT=COLUMN,...
	               the columns of a table: data, learner, run, fold (or split, which counts
	               through all runs), train-n, test-n, fit-sec, predict-sec, failure (the
	               cause), and each metric, as in accuracy=score, or gain:higher=profit for one
	               of your own. Where each fold has a column, its number is written {run}, {fold}
	               or {split}, as in accuracy=fold_{fold}_acc. Without it, the error has a guess
	-where COLUMN=VALUE
	               leave out rows with another value in the column; may be repeated
	-id COLUMN     for items: the id of the item. Columns of JSON are paths, as in case.id
	-cluster COLUMN
	               items of a cluster, such as a document, may succeed and fail together
	-slice COLUMN  each value of the column is a slice of the items, for learnstat
	               -slices; may be given several times
	-repeat COLUMN for items: the number of the repeat
	-content COLUMN,...
	               for items: the question and its right answer. Results pair only where
	               they are equal; else the ids alone identify the items
	-qrels FILE    for trec: the judgements; -measure is then ndcg, map, mrr or recall, with
	               @10 and so on for the first 10 documents (default ndcg@10)
	-lenient       trials may have failed: the status is 0 nevertheless
	-predictions FILE, -probabilities truth
	               as in run, for openml and amlb-predictions: keep the predictions besides their
	               scores
	-data SET      the data, as in run: results are checked against them, and pair with results
	               of run on the same data where the partitions are known (Weka's)
	-class NAME, -target NAME
	               as in run

The exit status is 2 if nothing was stored, and also if stored results have trials that failed, unless
-lenient is given: learnstat refuses to compare these results. Standard error has the cause of each.

# Init

Init writes the first test of a model into the package of the working directory, which must be in a module: a test that
compares the model with its stored results, and a workflow for CI that keeps the build cache. It prints
the three commands that follow. Files that are there already are not overwritten, but refused.

	cp .../churn.csv testdata/churn.csv
	learnbench init -csv testdata/churn.csv -label churned -group customer

	-csv FILE      the data, inside the module
	-label COLUMN  the column to be predicted: classes, or numbers if there are more than 10 different ones
	               or any with a fraction
	-group COLUMN  the column that says which rows belong together, such as the customer
	-type NAME     a struct of the package with the tags of learntest.CSV, in place of -label and -group
	-learner NAME  the function of the package that returns its learner
	-ci NAME       github (the default), gitlab or none

Without -type the model is naive Bayes, or least squares for numbers: a place for your own. The margin
is the least of 2, 5, 10 and 20 points that so many examples can show, and of numbers a twentieth of their standard
deviation; where one class has more than three quarters of the rows, the metric is balanced accuracy. The test fails if
more than 1% of the test examples have a copy in training. The exit status is 0 if all is written, and 2 if nothing is.

# Pin

Pin moves a reference, a result file that tests compare with while changes add up
(assert.WithinBudget), to the results in another file:

	LEARNTEST_OUT=$PWD/new.txt go test -count=1 -run TestForest ./model
	learnbench pin -reason 'half the size' new.txt model/testdata/pinned.txt

The ledger beside it, pinned.ledger, gets an entry with the date, the commits, the reason,
and for each learner and metric the mean and the paired difference to the reference before with
its interval. Commit both together: the entry is what a reviewer reads. Nothing else
may change the reference, and pin refuses to go on from one that its ledger does not know.

	-reason TEXT    why the reference is moved
	-learner NAMES  pin these learners of the results only, separated by commas; for a
	                reference that is not there yet (later moves keep its learners).
	                Without it, of results of tests those are pinned which compare with
	                the reference, whatever else go test ./... has stored

The reference has no times. Results of uncommitted changes are refused, since nobody could
reproduce them, and so are results that are incomplete or on other data or partitions. To begin
anew, remove the reference; the ledger goes on. The exit status is 2 if the reference
was not moved, and else 0.

# Plan

Plan says what experiments could show before they are run, and how many trainings they take: for
several numbers of runs and folds the smallest difference that the corrected test detects, and the
smallest margin of no regression that it shows if there is no difference. What that takes to know is how
much the two learners differ from example to example, which comes from results of cross-validation that are
stored, of two learners in one file or of one learner in two, such as before and after a change, or from a guess. From stored results come the replicability of tests of up to as many runs, the
number of partitions that the sufficiency test of Bradford and Brodley would ask for, and what -settle of run, and of tests, would save.
It also says what shards and a cache of trials make of the default protocol.

For fixed systems on items, plan says what so many items, clusters and repeats of each answer show, and with -margin or -difference
how many items it takes. From stored answers with repeats it knows how much of the variance they are. A margin
takes at least as many items, or clusters, as would show a loss of its size where nothing differs; in sparse data its power may be up to 5 points less.

	-difference X  how many runs it takes to detect a difference of X, written as a margin
	               of run, and how often ten runs of 10 folds do
	-margin X      how many runs it takes to show that a candidate which is as good is not worse
	               by X
	-minutes X     how many runs or shards so many minutes are enough for
	-alpha X       significance level (default 0.05)
	-power X       the share of cases in which that is to come out (default 0.8)
	-data NAME     the data set of the results (default the only one)
	-learner NAME  the learner of two files (default the only one that both have)
	-metric NAME   the metric of the results (default the first one)
	-examples N    for a guess: the number of examples
	-items N       for a guess: the number of items, in place of -examples
	-clusters N    for a guess: the number of their clusters, with -icc X, how alike the differences
	               within a cluster are, from 0 to 1
	-disagree X    for a guess about accuracy: the share of the examples, or items, that just one of the
	               learners gets right
	-sd X          for a guess about any metric that is a mean over examples: the standard
	               deviation of the difference on one example

# Prove

Prove shows whether tests can fail. It runs go test with the arguments, first unchanged, when all claims
must hold, and then again and again with worse and worse candidates, until each test has failed:

	learnbench prove ./... -run TestForest

A candidate is made worse by LEARNTEST_DEGRADE: a share of its predictions, 0.01 to 0.5, is replaced
by labels of random training examples; of a system that answers items, so many items get the worst
scores, and each run asks it anew. For each test that claims something stands the smallest share
that it fails on, what that costs the candidate, and how that compares with the loss that the
verdict would have expected to catch in 80% of cases. A test that passes although half of the
predictions are such guesses guards nothing.

The exit status is 0 if every test was caught failing, 1 if one was not, and 2 if that is not known:
a test fails unchanged, claims nothing, or fails for another reason than its claims.

# Refresh

Refresh takes the baselines of tests over to new data. It finds the tests whose learntest.Against refuses
its baseline because the data have changed, trains the learner of the baseline's own commit on the data of
now, in a worktree, and writes the baseline anew. So what a later commit has lost still shows: the
present learner is compared with that one, on the new data. Pinned references are refreshed like
baselines; their ledgers get an entry, and losses since the reference still count.

	cp delivery.csv testdata/churn.csv
	learnbench refresh -reason 'data of November' ./...

It prints what the old model scores on the old data and on the new, how the present one differs on the new,
and which claims about that do not hold. A history beside the baseline, refresh.txt, gets a line with
the date, the commit, the digests of the data, the scores and the reason. Commit all of it with the data.

	-reason TEXT   where the data come from: what a reviewer reads
	-data FILE     a file of the data that no data set names, as where a test reads or embeds
	               it by itself; may be repeated. Files that learntest.CSV or package dataset
	               have read are known

Nothing but these files goes into the worktree, and changes other than data must be committed.
Where the old commit cannot be built or read the new data, it names the loss, and writes nothing. Where
CI is set, or a variable LEARNTEST_, it is refused. The exit status is 0 if all claims hold, 1 if
the baselines are written and a claim about a present learner does not hold, and 2 if nothing is written.

# Score

Score computes metrics of predictions that were kept, without training. It prints the mean of each learner, and
stores the scores of all trials as a result, whose header Rescored-from has the checksum of the predictions. Files
of shards go together.

	-metric LIST   the metrics, as in run; metrics of probabilities need predictions with probabilities
	-slice NAME    as in run: scores on slices of the data that -data names, for learnstat -slices. They
	               are marked as chosen afterwards: try their findings on other data
	-data SET      uci:NAME or a file that the learners were trained on, read with the flags -class,
	               -target, -group, -ignore, -nominal and -missing of the run. Slices may be of
	               ignored columns
	-o FILE        store the results in FILE, in place of earlier scores of these predictions; results of
	               training are not replaced

# Study

Study measures how well the methods keep their promises, on real and on simulated data, and
prints tables in Markdown. The output depends on the seed and on nothing else. The papers that
the methods are from are reproduced by a module of its own, in the folder papers of learnbench's
repository.

	-list          show the studies, and their subjects
	-small         take seconds rather than many minutes: to see that a study works
	-sets N        data sets from each source, of all studies but replicability
	-store FILE    keep the scores of all trials in FILE, and train nothing that is there: an
	               interrupted study goes on, and studies share trainings. Not for replicability,
	               and not for programs or learners under a name of one's own
	-seed N        seed of all random numbers (default 1)
	-parallel N    parts at the same time (default the number of processors)
	-quiet         print no progress

The study calibrate finds the degrees of freedom at which the tests of Bouckaert (2003) keep
their level in an experiment without any difference. Their names, such as
b03-use-all-data/df=10, can be given to -test. Two learners after the name of the study are
compared on the examples of -data with random classes; one learner is compared with
itself on other seeds, on the unchanged data. Without learners they are c45 and naivebayes,
without -data each data set comes from a source in which the class depends on nothing.

The study aa counts false alarms in such experiments: how often the default test says that one
of the two is better although none is, alone and with a second opinion. Both studies take

	-protocol TEXT the protocol (default ten runs of stratified 10-fold cross-validation)
	-alpha P       the level (default 0.05)
	-data SET      uci:NAME or a file, whose class -class names

The study gate measures how often the default test, alone and with a second opinion, is wrong about
learners of its own, and about each learner after its name, which it compares with itself on the
other half of the attributes, where both halves are alike:

	learnbench study gate 'nn(k=5)' 'tree=exec(python3 sklearn_shim.py DecisionTreeClassifier)'

# Shim

Shim prints a program that makes learners of scikit-learn, R or Weka learners of run and of tests, by
the protocol of docs/process.md. NAME is sklearn_shim.py, r_shim.R or WekaShim.java; store it under
that name:

	learnbench shim sklearn_shim.py > sklearn_shim.py

# Exit status

The exit status of run is 0 if no verdict is named by -fail-on, 1 if one is, and
2 if a comparison could not be judged: wrong usage, unreadable data, a trial that
failed, scores that the test cannot judge, an interruption, or a result file or output
that could not be written. The reason is on standard error. What can be known to be
wrong is found before the first trial. The results of an interrupted run are in a
file beside FILE (.partial-1 and so on), and FILE is unchanged; the same
command with -resume goes on from there.

Characters of names that would not show, or that would rule the terminal, are shown
as escapes such as \u001b.
*/
package main
