/*
Learnstat compares stored results of learners and reports the changes.

Usage:

	learnstat [flags] old.txt new.txt ...
	learnstat [flags] -baseline LEARNER results.txt
	learnstat [flags] results.txt
	learnstat -help-all
	learnstat -version

Learnbench writes the result files with -o FILE, and tests do with

	LEARNTEST_OUT=$PWD/new.txt go test -count=1 ./...

where -count=1 keeps go test from answering from its cache, which writes no file.
Several files of one side can be concatenated, or given with the same label, as
in old=a.txt old=b.txt new.txt. A directory stands for the result files (*.txt and
*.txt.gz) in it, and - for standard input. Files may be compressed by gzip. With more
than two files, each is compared with the first.

Each learner of the new file is compared with the learner of equal name in the
old file, on the same folds of the same data:

	$ learnstat -require non-inferior -margin 2pp old.txt new.txt
	GATE FAILS on 1 of 2 comparisons, with a margin of 2.00 points of accuracy
	2 comparisons: 1 regressed, 1 equivalent
	protocol: cv runs=10 folds=10 stratified seed=1 v1
	accuracy in %: old.txt → new.txt, n = 10×10, corrected-cv-t
	                old    new  change   95% interval  adj p      R
	✗ vehicle/nn  69.60  47.46  -22.13  -26.27 -17.99  <.001  >.999  regressed
	  1 row with identical scores: vehicle/naivebayes
	learner nn differs: k is not given in old.txt, and 200 in new.txt
	adj p: by hommel for all 2 comparisons; -fail-on improved and regressed use it
	R: replicability of the requirement (non-inferior)
	learnstat: the gate fails on 1 comparison of 2, with a margin of 2.00 points of accuracy
	learnstat: accuracy of vehicle/nn is not shown to be less than 2.00 points worse (90% interval -25.60 to -18.67 points)

The first lines say what the gate does, and how many comparisons have which verdict. The
header names the compared results: the package, its commit with the time of it, and the
protocol; with -v also, for each data set, the first digits of its SHA-256, the column that is predicted, and how many examples
there are of each class. What both files share
has one line; a value in which they differ has one for each, as in

	commit: 3f2a9c1d5e6f of 2026-11-20T16:02:11Z (old.txt)
	commit: 9ab8c7d6e5f4 of 2026-11-21T09:30:00Z (new.txt)

and commits that differ are in the titles of the columns as well, abbreviated. A file
that is left over from another commit is seen there. Notes below the tables say if the old file is of the
later commit, or if a file is of changes that were not committed (-dirty), and which parameters of a learner
differ, where learnbench run has stored them. Toolchains are named if they differ.

There is a table for each metric, with the rows first that matter most. A row has a mark; the means
of the old and the new scores; their difference and its interval; p, adjusted for the number of comparisons; R, the
replicability; and the verdict, or why the gate fails on it in a few words, such as "needs 22× data": at the
difference that was found, 22 times as many examples would show what the gate requires. Metrics with
the range 0 to 1, such as accuracy, are in percent and their differences in
percentage points, never in percent of the old value. The line above the table has the number of runs×folds and the test; rows
with identical scores have one line below it, and so has each learner over all data sets. The marks are

	✗  the gate fails on the row      ▼  regressed    =  equivalent
	✓  it meets the requirement       ▲  improved     ~  inconclusive
	w  a waiver lets it pass          ?  it could not be judged

A table is 80 columns wide, and on a terminal as wide as that (or as COLUMNS says), unless -width gives another number. Long
names are numbers, with a legend; and where that is not enough, a line above the table names
the columns that there is no room for. The full table, with -v, has any width, p and R in full, and ~ in place of
differences that are not significant. Markdown has that, too. A table of more than 30 comparisons, of several learners on
several data sets, has rows for what matters, the verdicts that something changed or could not be judged and what a gate
fails on, and below them a matrix with the changes of all, data sets by learners.

One file alone is summed up: for each metric the means, how they vary over folds, and the seconds that
training and prediction took. Nothing is compared then, and a gate on one file is an error.

R is the probability that the test comes to the same conclusion on two other
random partitions of the same data. It is predicted from the protocol's own
runs, where the test allows that, with its 90% interval where that is wider than 0.1, as in
0.694 (0.50–0.97); or with -repeats or -replicability it is counted from further runs
(learnbench run -repeats), which both files must have, as in 0.644 (8 of 10). Of more than
300 comparisons, tables do not show it, since it takes longer than all else: -format csv and
json have it. It is of what a gate asks of the row: of what -require demands, of several the strictest,
or of a difference at the level that rows have; without a gate, of the verdict. It is missing where
the number of examples decides on a margin, not the test.

# Verdicts

	improved      the new scores are significantly better
	regressed     they are significantly worse
	equivalent    the difference is within the -margin
	inconclusive  none of these was shown
	invalid       the results cannot be compared

The test is the corrected repeated k-fold cross-validation t test, two-sided,
or the corrected resampled t test if there is one fold a run. The folds share
training data: benchstat, which reads these files too (with
-ignore /run,/fold,commit), takes them to be independent and finds
differences where there are none.

That test keeps its level for stable learners: at 5% it finds a difference that is not there in
2 to 6% of data sets. For nearest neighbours it does so in 9 to 13%, and in up to 46% for trees that
sometimes find nothing to split on. Where both sides have a second opinion on a row
(learnbench run -second-opinion, assert.SecondOpinion), the verdict uses both tests: p is the
larger one, the interval holds both, and a footnote has the second one. Where they have none,
-test corrected-cv-t/ratio=0.18 is the fallback for nearest neighbours.

Scores that are equal in every fold are equivalent, whatever the margin. Other
scores are inconclusive without one, however close they are: a test that finds no
difference does not show that there is none.

# Learners of one file

With -baseline, the other learners of one file are compared with that one. A data set
that lacks one of them is named:

	$ learnstat -baseline naivebayes old.txt
	1 comparison: 1 improved
	file: old.txt
	protocol: cv runs=10 folds=10 stratified seed=1 v1
	accuracy in %: naivebayes → candidate, n = 10×10, corrected-cv-t
	               base  cand.  change   95% interval      p      R
	▲ vehicle/nn  45.17  69.60  +24.42  +20.27 +28.58  <.001  >.999  improved

# Over data sets

Below the rows stand, for each learner with results on two or more data sets, the mean of
its scores, on how many data sets it is better and worse, and the p of a test over data
sets, which are the sample: by default the signed-rank test, which takes differences on
different data sets to be comparable and symmetric; -across sign does without. With more than
two columns there are Friedman's test, corrected for ties, the mean ranks, and all pairs of
columns with p adjusted by Holm's method; -posthoc meanranks adds the test of mean ranks, whose
outcome for a pair depends on which others there are. -over adds another test of whether all
columns perform alike: quade gives more weight to data sets on which they differ more,
aligned-ranks ranks all scores together once the mean of their data set is taken away, and
cochran-q counts on how many data sets each is the best. The first two take differences on
different data sets to be comparable.

-over hierarchical compares each column with the first by all folds of all data sets, not by their means: the
Bayesian model knows how well each mean is determined, and moves it towards the others. A line below the table has the
probabilities that on a further data set the new learner is most probably worse, practically equal (within the
-rope) and better; above 0.95 one of them is shown. A page has them as a picture, -format csv-hierarchical and json the
estimate for each data set. It is no part of a gate. See docs/over.md.

With -bayes, each row has the probabilities that the candidate is worse, practically equal
and better by the Bayesian correlated t test, and the rows together the probabilities of the Bayesian
sign and signed-rank tests. Practically equal means within the -margin, or one percentage
point for metrics with the range 0 to 1. Where files hold repetitions (-repeats), a line says on
how many rows they all come to one conclusion, and all but one.

# Filtering and arranging

Results are selected and arranged as by benchstat, with the same syntax (see
https://pkg.go.dev/golang.org/x/perf/benchproc/syntax). The keys are /data and
/learner, the names as written in the files; .file, the label or path; and pkg, test,
commit, protocol, data-sha256 and split-sha256. Metrics are .unit in filters.

	-filter QUERY   use only what matches, as in '/learner:(nn OR c45) -/data:iris'
	-table KEYS     tables, besides one for each metric
	-row KEYS       rows (default /data,/learner, without what -col or -table has)
	-col KEYS       columns (default .file), of which the first is the baseline
	-ignore KEYS    leave keys out of the groups .fullname and .config

A word or an expression that matches nothing in the files is an error, and so is one of a list such as
/learner@(nn c45). Packages that have the same learners on the same data are distinguished by pkg.
Runs, folds and the commit are always left out of groups, and runs and folds can be no
key: the folds of cross-validation belong together. A cell that would have results
of several learners or data sets is an error, where benchstat pools and warns. To compare the
learners of one file:

	$ learnstat -col /learner old.txt
	1 comparison: 1 regressed
	protocol: cv runs=10 folds=10 stratified seed=1 v1
	accuracy in %: nn → naivebayes, n = 10×10, corrected-cv-t
	            base  cand.  change   95% interval      p      R
	▼ vehicle  69.60  45.17  -24.42  -28.58 -20.27  <.001  >.999  regressed

A row is compared under the protocol that both sides have. Package and test are looked at
only where a file has several results for one row that differ; results of a test that
was renamed are compared, and a note says so.

# What became of it

With -history, files are commits, in the order in which they are given, and a line is a segment:
files in a row whose scores are equal, bit for bit. It says how much it differs from the
segment before, and from the first or, with -reference, from a pinned reference (learnbench pin):
many small losses, each of which is nothing, are seen there.

	$ learnstat -history -metric logloss -learner nn v1=before.txt v2=before.txt v3=after.txt v4=before.txt
	protocol: cv runs=3 folds=4 stratified seed=1 v1
	data: iris 5097526e53af, glass 72cdf12aa9a7
	                files    logloss      change  adj p  from first  adj p
	iris/nn   ██▁█  v1 – v2  0.23888
	iris/nn         v3       0.07834  ▲ -0.16054   .093  ▲ -0.16054   .093   ¹
	iris/nn         v4       0.23888  ▼ +0.16054   .093  = +0.00000   1.00   ¹ ²
	glass/nn  ██▁█  v1 – v2   1.6626
	glass/nn        v3        1.2087   ~ -0.4539   .184   ~ -0.4539   .276
	glass/nn        v4        1.6626   ~ +0.4539   .184   = +0.0000   1.00   ²
	¹ by its own p, and not after the holm adjustment for the table
	² all scores are equal
	▼ regressed  ▲ improved  = equivalent  ~ inconclusive
	no room for intervals: see -width, -html or -format csv
	a segment is files in a row with equal scores; printed differences add up
	p adjusted by holm is for the number of differences above and below it

The differences are between the means as shown, and so they add up: the ones from segment to
segment to the one from the first. In JSON they do so exactly, since all means of a row are rounded
to multiples of a power of two, by less than the last digit of the sum that they come from. The
tests are those on pairs of folds, and p is adjusted for the differences in the column. A row that a
file does not have is an error, unless -lenient is given. A history judges nothing: its exit status is 0, or 2.

With -git, the files are the versions of one file in the history of HEAD, each with the name of the commit that stores
it, and the file itself if it was changed since. Results of a commit that is gone, as after a squash, are
named by the commit that stores them.

	learnstat -history -git testdata/baseline.txt

In git diff, a result file is a line for each learner with

	echo 'testdata/baseline.txt diff=learnstat' >> .gitattributes
	git config diff.learnstat.textconv 'learnstat -textconv'

# Pictures and a page

	learnstat -plot pictures -html report.html old.txt new.txt

draws its results, beside printing them. Into the directory go, for each metric, the differences
with their intervals (-differences), the scores against one another (-scores), with -bayes the
posterior probabilities (-posterior), with -over hierarchical the probabilities of its test
(-hierarchical), with more than two columns the ranks (-ranks), where a bar joins columns of which
no two differ by the test of that pair; the folds and runs of each comparison, the
worst first and at most 200 of them (-runs); and with -history a metric over the files against the
reference (-history), with the -margin as its budget. They are SVG, or PNG with -plot-format png. The
pictures of an earlier call, which pictures.txt lists, are removed.

The page is one file that asks nothing of the network and has no script: what the gate fails on
first, each verdict with its sentence and the command that reproduces it, the
pictures that matter most, and the digests of the data; more than 30 comparisons begin with the matrix of all differences. Of a
-history it has the segments and their pictures. See docs/gallery.md.

# Several comparisons

At level 0.05, one of twenty comparisons of learners that do not differ is a
false alarm. The verdict and p of a row are the ones that learnbench run and a test in Go
give on the same two learners, whatever else is in the files. Where there are two or
more, p adjusted for their number stands beside it. The family is all comparisons of all metrics, however
they are arranged in tables, rows and columns; choose a metric with -metric. Hommel's method keeps the
probability of any false alarm among them at the level, if comparisons are independent or depend on one
another positively, as comparisons of several metrics or learners that share data do; -adjust holm assumes
nothing. A gate on regressions or
improvements uses the adjusted p, and says how many rows only that spares; -adjust
none restores the other. What -require demands of every row is not adjusted, since all must
meet it.

Where there are enough data sets, eight by default, the tests over data sets are part of such a gate: a loss
that is small on each data set is seen there and in no row. They take a fifth of the level and rows the rest,
which a line says, so that the whole gate keeps the level; -across none leaves all of it to the rows.

# Thresholds

A gate on the scores of one file compares nothing: -at-least accuracy=0.70 says what each learner must score on each data set,
and -at-most logloss=0.5 says it of metrics of which lower is better. A mean above the threshold shows nothing, since on
other partitions it may be below. A claim is shown if the corrected test on score less threshold and, for accuracy, error and
other means over examples, Wilson's bound on the examples of a run say so, both at the one-sided -alpha. The column
shown has the threshold that would hold:

	$ learnstat -at-least accuracy=0.65 -learner nn old.txt
	old.txt: the gate passes: the claim is shown
	            claim                mean   shown      p
	vehicle/nn  accuracy ≥ 65.00%  69.60%  66.94%  0.003  shown

The exit status is 1 if a claim is not shown, and 2 if one cannot be judged: a learner without the metric, a threshold that no
data could show, or one that always predicting the most frequent class reaches. Nothing is adjusted, since all claims must
hold. -v prints the verdicts as tests in Go do, -format csv all numbers. See docs/threshold.md.

# Gating

A gate says what every row must show: above, that the new learner is not worse by two points or more.
One that says what no row may show passes wherever nothing can be seen, and says so:

	$ learnstat -fail-on regressed -learner nn -metric accuracy before.txt after.txt
	GATE PASSES, 2 undecided
	2 comparisons: 2 inconclusive
	protocol: cv runs=3 folds=4 stratified seed=1 v1
	accuracy in %: before.txt → after.txt, n = 3×4, corrected-cv-t
	              old    new  change  95% interval  adj p      R
	~ iris/nn   95.32  95.76   +0.44   -1.03 +1.92   .965  >.997  inconclusive
	~ glass/nn  68.08  67.93   -0.15   -7.38 +7.08   .965   .989  inconclusive
	~ nn over 2 data sets: +0.15, better on 1, worse on 1, too few to test
	~ inconclusive
	learner nn differs: k is not given in before.txt, and 9 in after.txt; weighting
	    is not given in before.txt, and inverse in after.txt
	adj p: by hommel for all 2 comparisons; -fail-on improved and regressed use it
	learnstat: 2 comparisons of 2 are inconclusive and pass -fail-on regressed, with losses of up to 7.38 points (accuracy of glass/nn, 95% interval); -require non-inferior -margin 2pp passes only comparisons that are shown to lose less than the margin

A gate that fails has status 1, and lines on standard error that name the offending rows and tests over data
sets, one each. One that passes above a row that is regressed by any p, which the adjustment spares, a waiver lets pass
or the gate does not ask about, passes with losses that are not shown, or that are waived: every format has
these words, and none is green. A gate fails closed: a row in one file only cannot be judged, unless -lenient lets rows be missing.
A gate that could not fail is an error, such as one by a test of which no result would be
significant, or with a margin that no difference could exceed, or that a model keeps which always predicts the
most frequent class; a row whose interval is wider
than the margin says that these runs cannot meet the requirement.

A loss that was looked at and accepted can be waived in any gate, with -waivers FILE, up to a ceiling
in pp, in % of the baseline's mean, or as a number for metrics that are no fractions, and a date, which is held against the time of the commit:

	vehicle/nn accuracy ceiling=-23pp expires=2027-02-28 why="new distance, see the design"

A loss over data sets has the name that the gate gives it, as in "nn over 12 data sets", in quotes.
It is named as waived. Waivers that have expired, or that nothing needs, are errors, and so is a ceiling that a
model keeps which always predicts the most frequent class.

# Flags

	-require LIST       exit with status 1 unless every row is non-inferior (not worse by
	                    the -margin), equivalent or improved, in all metrics or in one,
	                    as in improved:accuracy; also ratio<=1.2:fit-sec, of the training times
	                    of its trials, which one machine has measured, or predict-sec, by their
	                    median ratio, or the size of models, with -format text or json
	-fail-on LIST       exit with status 1 on any of these verdicts: improved,
	                    regressed, equivalent, inconclusive, invalid (which is always
	                    status 2), or not-improved. A gate on regressed alone lets pass
	                    inconclusive comparisons, and says how large a loss that may be
	-waivers FILE       losses that -fail-on regressed and -require let pass
	-lenient            rows may be missing on one side
	-alpha X            significance level (default 0.05; of a gate less than 0.2)
	-margin X           differences within X are equivalent: a number in the unit of the
	                    metric (0.01 is one point of accuracy), in percentage points
	                    (0.5pp) or in percent of the baseline's mean (2%), and the header
	                    says how much that is; if there are
	                    several metrics, a list as in
	                    accuracy=0.5pp,logloss=0.01,rmse=2%
	-allow-majority     a margin, or the ceiling of a waiver, may be so wide that always
	                    predicting the most frequent class passes, and so may a candidate
	                    that is no better than that; without it the first is an error,
	                    and the second is not shown to be equivalent or non-inferior
	-at-least LIST      each learner of one file scores at least this: accuracy=0.70
	-at-most LIST       at most this, of metrics of which lower is better: logloss=0.5
	-test NAME          the significance test (default the corrected one), as in
	                    corrected-cv-t/ratio=0.18; of items items-t, or cluster-flip
	                    and mcnemar on request; a name that is none, such as ?, lists
	                    them
	-adjust METHOD      adjust p for the number of comparisons: none,
	                    bonferroni, sidak, holm, holm-sidak, finner, hochberg, hommel,
	                    rom, benjamini-hochberg or benjamini-yekutieli (default hommel, of a
	                    -history holm)
	-tail TAIL          look for differences in one direction only: better or worse
	                    (default both); p and the interval are then from the
	                    one-sided test; a -margin is judged by the two tests that
	                    it has anyway
	-across TEST        the test over data sets: signed-rank, signed-rank-pratt,
	                    signed-rank-normal, sign, sign-split, sign-normal or none
	                    (default signed-rank, approximate beyond 200 data sets)
	-posthoc meanranks  compare mean ranks, too
	-over METHOD        test whether all columns perform alike, too: quade,
	                    aligned-ranks or cochran-q; or compare each column by the folds
	                    of all data sets: hierarchical
	-rope X             for -over hierarchical, the difference that is of no practical
	                    importance, as for -margin (default that, or 1pp for metrics
	                    of the range 0 to 1)
	-bayes              Bayesian tests, with the margin as the region of practical
	                    equivalence
	-replicability R    a verdict is inconclusive unless the replicability, counted
	                    from repetitions in the files, is at least R
	-repeats N          count the replicability from N repetitions in the files
	                    (default 10 with -replicability, else it is predicted)
	-common             compare the items that both sides have, if no more than 5% of
	                    either side's are left out; not for gates, since items that are
	                    left out may be the hard ones
	-slices             compare on each slice of the examples, too, in rows below the
	                    row of all; -adjust (default holm) is for all slices, and apart
	                    from them for the other rows; a -margin takes the slice's own
	                    examples, and slices of fewer than 30, or of items in fewer
	                    than 5 clusters, are not judged
	-metric LIST        compare these metrics only (default all that both files have)
	-data LIST          compare on these data sets only
	-learner LIST       compare these learners only
	-baseline LEARNER   compare learners of one file with this one
	-history            show what became of results from file to file
	-git                the history of one file in git, commit by commit
	-reference FILE     what a history is held against (default its first file)
	-format FORMAT      text; csv, a line for each comparison with all numbers in full
	                    precision and in the unit of the metric; csv-over, csv-ranks,
	                    csv-pairs, csv-alike and csv-hierarchical, tables of the results
	                    over data sets; csv-repeats, how well repetitions agree; json, all that the
	                    others are made from; markdown, for $GITHUB_STEP_SUMMARY or a
	                    comment, the worst rows first; github, annotations for GitHub
	                    Actions (default text)
	-plot DIR           draw pictures into a directory
	-plot-format LIST   of them: svg, png or both (default svg)
	-html FILE          write a page
	-predictions LIST   files with the predictions of the results: rows of the page link
	                    to the examples that changed
	-textconv FILE      print a line for each learner of one file, for git diff
	-v                  tables with all columns, and the full verdict on each row
	-items              list the items whose scores have changed, of each row the 20
	                    that changed most: results of learntest/items have items
	-aa                 compare each system on items with itself, odd with even repeats
	                    and in random halves: how often the test errs on this suite
	-times              show the mean seconds of fit and predict in each file, and judge
	                    nothing
	-flips              the files are predictions, or one with a -baseline: show which
	                    examples are wrong that were right before, and judge nothing;
	                    -v lists the 20 that changed most, -format csv all, and -html
	                    writes a page
	-slice COLUMN       with -flips, the flips in each slice of a column, too: in each
	                    of its values, or in a bound on its numbers, as in age>=60. They
	                    are marked as chosen afterwards, and slices of fewer than 30
	                    examples as too small; may be repeated
	-data-file SET      the data of -slice: the file that the learners were trained on,
	                    or uci:NAME, read with the flags -class, -target, -group,
	                    -ignore, -nominal and -missing of the run. Slices may be of
	                    ignored columns. Other data, or rows in another order, are refused
	-width N            how wide tables are (default 80, or the terminal)
	-from FORMAT        the files are results of another tool: weka, sklearn,
	                    sklearn-search, mlr3, amlb, amlb-predictions, openml or table
	                    (any other). Facts that they lack must be given: -dataset,
	                    -learner (of each file), -runs, -folds, -examples and
	                    -partitions; -map names the columns of a table, -measure
	                    chooses columns, -where rows. A directory
	                    stands for its files of results, and - for standard input. Files
	                    with a -learner each are compared with the first of them. See
	                    docs/imports.md

Lists are separated by commas outside of parentheses, and their flags may be
repeated. A file may be given a title for its columns, as in before=old.txt.

Text shows characters of names that would not show, or that would rule the
terminal, as escapes such as \u001b, and so it does with what a runner of jobs would take for a
command, such as :: at the beginning of a line. So does CSV; JSON has the names unescaped.

Text has colours on a terminal, green for better results by the metric's direction and red
for worse ones, unless the environment variable NO_COLOR is set.

# JSON

The JSON form is an object, of which learnstat-1.schema.json beside this text is the JSON Schema (draft 2020-12), with the keys

	schema    "learnstat/1": a change that would break a reader changes the number
	status    the exit status
	settings  alpha, test, tail, adjust, shares (rows, over: levels in a gate on differences), learners (of one file are compared), verbose, items (are listed)
	columns   each with label and title; the first is the baseline
	header    lines with key, value, and the columns it is of, if not of all
	data      name and sha256 of each data set; by_name, if the digest is of name and size only,
	          as without -data in learnbench import; target, the predicted column, and copies, the
	          share of test examples with a copy in training, if these are stored
	tables    one for each metric
	history   pinned (the first column is a reference), and tables, one for each metric
	notes     lines below the tables
	problems  why something could not be judged
	gate      fail_on, require, state (in words), adjusted, spared, offences and spared_at (table, row and
	          column as indices from 0, why, waived), over: the tests over data sets that are part of it (metric,
	          learner, column, data_sets, test, adjusted_p, why, waived, and what an element of columns below has), and undecided: what -fail-on regressed lets pass
	          without having seen enough (table, row, column, and loss, the largest in the
	          interval, in the unit of the metric; null if the test has no interval), and ratios:
	          times of rows that -require limits (row, time, limit, median, at_most, p, within, sentence)

A table has metric, unit (name, better, min, max), keys of -table, asked (what -require demands, which
rerun and detectable of the verdicts are of), rows, and over and consistency, which compare the columns over data sets. A row has label, slice (name, members,
too_small, and afterwards if it was chosen when the predictions were there; in the rows of slices) and cells, one for
each column: data, learner, mean, majority (what always predicting the most frequent class scores, where it is
stored), commit_time and, but in the first, verdict: outcome, significant
(1, 0 or -1), identical, unchanged, difference, lo, hi, level, test, statistic, df, df2, p, adjusted_p,
least_p (the smallest that the test could have), runs, planned (of the protocol, where fewer runs settle the verdict), folds, second (p, first_p,
estimate, lo, hi, level, bayes, agrees, protocol, trainings), margin (value, p, lo, hi, within, non_inferior, reason, and examples, where predictions of
single examples were kept: n, differ, p, first_p (of the test), lo, hi, lacking (the learner without them)), rerun (r, lo, hi, agrees, runs, repeats, agreeing), bayes (worse, rope, better),
items (items, clusters, weight ("cluster" where clusters weigh equally), largest, icc, better, worse, left_out, flips: id, cluster, old, new and gain of at most 20 that changed most,
old_version, new_version, and old_recorded and new_recorded, where answers rest on recorded responses: answers, first and last, days),
detectable, reason, notes, and full: protocol, data_sha256, split_sha256, commit,
baseline_commit, reproduce, warnings, text and copies. An element of over has learner, data_sets, test,
columns (mean, difference, better, same, worse, p, outcome, bayes_sign, bayes_signed_rank, notes and, with -over hierarchical,
hierarchical: rope, p, errors (Monte Carlo), theta, mean, lo, hi, spread, draws, r_hat, ess, outcome, notes, and sets with data,
difference, mean (shrunken) and p) and, for more than two columns, ranks: mean, statistic, df and p of Friedman's test, f and f_p, w,
pairs (a, b, p, adjusted_p, mean_ranks_p) and notes; and, with -over, alike: test, what the figures,
one for each column, are, statistic, df, df2, p and notes. Consistency has comparisons, consistent,
almost and mean_r. A table of a history has metric, unit, keys and tracks with label, data, learner,
means, one for each column, and segments: from and to, indices of columns, from_commit, to_commit,
mean, and previous and reference, the verdicts on the differences from these. A number that is not known is null, an infinite one "+Inf" or "-Inf".

# Tips

Decide on metric, margin and level before looking at results, and do not repeat a comparison
until it is significant. Require what must hold rather than fail on what must not. The folds of cross-validation share training
data: a test that is valid for independent measurements, as benchstat's, finds differences
where there are none.

# Exit status

The exit status is 0 if no verdict is named by -fail-on and every one meets
-require, 1 if not, and 2 if not everything could be judged: wrong usage; a file that is missing,
truncated, malformed or changed after it was written; a run that writes to it
and was interrupted or has not ended, which a file beside it says (.partial-1 and
so on); a fold that is missing, double, failed or not a number;
other data under the same name, another protocol or partition; a data set or a
learner that is in one of the files only, unless flags exclude it or -lenient is given; with -fail-on also a
metric that is in one of the files only, and with -baseline a data set without a
learner that others have, unless flags exclude them; a gate
that could not fail, such as on a file and itself; a waiver that is expired, unused or not needed; output that could not
be written. Comparisons that can be judged are printed nevertheless.
*/
package main
