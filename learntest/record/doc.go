// Package record stores the results of trials and pairs them for comparison.
//
// A trial is the training of one learner on one fold of one run and its test on
// the rest. Trials are the only thing that running and judging share: a
// comparison that was just run and the same one read from a file give the same
// pairs, bit for bit. The package knows nothing of statistics.
//
// Finished trainings are a set of cells: a cell is a data set, a learner, a
// run and a fold. A [Block] holds the trials of the cells of one data set under one
// protocol, and says which are missing. Nothing else says which runs there are.
//
// The functions come in the order in which results flow:
//
//  1. [Write] writes blocks; a [Stream] writes their trials as they finish.
//  2. [Read] and [Open] read them; a line that is not understood is an error that
//     names file and line.
//  3. [File.Check] says which trials are missing or double, and whether digests
//     agree; [File.Failures] lists the trials that failed.
//  4. [Pair] pairs the scores of two learners, or refuses to. Nothing is
//     imputed.
//
// # Format
//
// A result file is in the Go benchmark format [1], so that tools for benchmarks
// can read it. It is a series of blocks, each with trials on one data set
// under one protocol:
//
//	learnbench-format: 2
//	pkg: example.com/model
//	test: TestTree/vehicle
//	commit: 3f2a9c1
//	protocol: cv runs=10 folds=10 stratified seed=1 v1
//	data-sha256: 9a1f…
//	split-sha256: 77c0…
//	Commit-Time: 2026-11-20T16:02:11Z
//	Reproduce: go test -count=1 -run '^TestTree$' example.com/model
//	Determinism: c45=yes naive%20bayes=yes
//	Metrics: accuracy=5d7cb2dc9a4e logloss=0f1b66a2c3d9
//	Toolchain: go1.26.8 linux/amd64
//	Machine: gomaxprocs=8 parallel=1 cpu=Example CPU 3.00GHz
//	Binary: 4c1e…
//	Data: vehicle
//	Learners: c45 naive%20bayes
//	Checksum: 51d0…
//	Unit accuracy better=higher min=0 max=1
//	Unit logloss better=lower min=0
//	BenchmarkCV/data=vehicle/learner=c45/run=1/fold=1 1 0.741176 accuracy 0.52 logloss 761 train-n 85 test-n 0.0012 fit-sec/op 4e-05 predict-sec/op
//	error: panic: index out of range\nat line 3
//	BenchmarkCV/data=vehicle/learner=naive%20bayes/run=1/fold=1 1 1 failed 761 train-n 85 test-n 0.0001 fit-sec/op 0 predict-sec/op
//	error:
//
// In the notation of the Go specification, where every line ends with a
// newline:
//
//	File   = Block { Block } .
//	Block  = Format { Key | Unit } { Trial } .
//	Format = "learnbench-format: 2" .
//	Key    = name ":" [ " " text ] .
//	Unit   = "Unit " unit " better=" ( "higher" | "lower" ) [ " min=" number ] [ " max=" number ]
//	         [ " mean=examples" ] [ " of=model" ] .
//	Trial  = "BenchmarkCV/data=" name "/learner=" name "/run=" count "/fold=" count
//	         " 1" { " " number " " unit } .
//
// Keys. The names are the names in the example; Distinct-Runs, which says how many of the
// protocol's own runs are different partitions, where some are not; Opinion-On, which says of a
// second opinion on which results of each learner it is; Stopped, which says of a learner after how
// many runs its training was stopped, and why; Majority, which says what always predicting the most
// frequent class scores; Target, which names the predicted column, and says how many examples there
// are of each class; Copies, which says what share of the test examples have an equal example in
// training, if that is more than one in a hundred; Means, which says of a baseline what the mean
// scores of its trials are; Right, which has a line or more of each learner whose predictions were
// kept, and says how often it is right on each example; Predictions, which has the checksums of the
// predictions that are kept of the trials, and Rescored-from, the checksums of the predictions that
// the scores were computed of without training; Against, which says with which stored results a
// test compares which learner; Slices, which lists the slices of the data set; Machine, which says
// where the times were measured, and is there only with them: GOMAXPROCS, the greatest number of
// trials that the process may have run at the same time, and the model of the processor, if that is
// known; and Owner, which says in a journal who writes it; in any order, each but Right at most
// once. The keys of the protocol, the two digests and the learners must have a value; the data set
// may be left out where there are trials, which name it. The protocol is the text of package split,
// the digests have 64 hexadecimal digits, and the time is as in RFC 3339. Keys that begin with a
// capital letter are no keys of the benchmark format: tools skip them, and do not keep results
// apart that differ in them. In a text, a backslash is written as \\, a newline as \n, a carriage
// return as \r, a tab as \t, and every other byte of a character that is not printable, and a space
// at either end, as \xHH. The keys of the benchmark format are written without a value too, since
// to a reader of that format this deletes the value that an earlier block has set. Nothing carries
// over from one block to the next here.
//
// Runs. The protocol says how many runs there must be and how many folds each has.
// Further runs are numbered on from these; they serve to count how replicable a test is.
// One that has been begun must be complete.
//
// Slices. A slice has a name, which has no braces, a number of members, and 8 hexadecimal digits
// that tell its members from others. Its units stand behind the metrics, and their values behind
// the values of these: n{NAME}, the number of members in the test set, and METRIC{NAME}, for
// metrics that are means over examples, the sum over these members, times a scale, over the number
// of all members. The scale is the number of folds or, of protocols with one fold a run, the number
// of examples over the number of test examples. Names of other units have no braces.
//
// Right. A line has the learner, the number of an example, and a letter for that example and each
// one after it, in the order of the data: in how many of the protocol's own runs the learner
// predicts it right, 0 to 9, A to Z and a to z for 0 to 61, as far as the block has their trials.
// The first line of a learner begins with example 0, and each further one where the line before it
// ends. The key is only there where each run tests each example once, examples do not come in
// groups, and there are at most 61 runs. The sum is the number of right predictions in the scores
// of accuracy or error, which readers verify. Programs that do not know the key refuse the file.
//
// Checksum. If there is one, it is the SHA-256 of the block as [Write] writes it,
// with the trials by run, fold and learner, but without the first line, the checksum
// itself, the times, Machine and the lines that delete a cause. It is verified when the block is
// read. A block of another tool, or in a journal, need not have one: see [Verify]. Means
// that differ from the means of the trials are an error in any block.
//
// Units. Every metric is declared, with its direction and, where it is bounded,
// its range. Blocks that declare a unit must agree. A unit that such tools would
// rescale, such as ns/op, is not allowed: they do not rescale a zero.
//
// Names of data sets, learners and units. Every byte of a space, of '%', of a
// character that is not printable and, except in units, of '/' and '=' is written
// as %HH. The empty name is a lone %. The fold comes last in the name of a trial
// because tools take digits behind a dash at its end for a number of processors.
//
// Trials. Every trial has a value of each metric, in the order of the units, and the numbers of
// training and test examples, train-n and test-n, which must be such as the protocol makes, and
// equal for all learners of a fold. The seconds, fit-sec/op and predict-sec/op, may be left out in
// all trials of a block. A number is the shortest that reads back as the same float64; it is never
// NaN or infinite. A 1 of the unit constant-model, behind the numbers of examples, marks a model
// that made the same prediction for all test examples; a 0, one that may have done so by chance, as
// for a few examples of one class. A trial that failed has no metrics but a 1 of the unit failed;
// its cause is the value of the key error, which is set in the line before it and deleted in the
// line after it.
//
// Blank lines, and lines that go test prints around benchmarks (PASS, ok, ---,
// goos: and so on), are skipped. Anything else is an error, and so is a last
// line without newline: a number that was cut off may still be a number.
//
// # Items
//
// Fixed systems, such as agents, prompts or rankers, answer the fixed cases of a suite, each a
// number of times: see [Item]. Nothing is trained. Results of items are of version 3 of the format,
// which has these blocks only, and programs that know version 2 alone refuse them:
//
//	learnbench-format: 3
//	pkg: example.com/bot
//	test: TestAgent
//	commit: 3f2a9c1
//	protocol: items repeats=3 v1
//	data-sha256: 63f3…
//	split-sha256: 63f3…
//	Item: refund-17 3f2a9c1d cluster=refunds lang=de
//	Item: tax-2 00c0ffee
//	Grader: rubric 2
//	Weight: cluster
//	Data: faq
//	Learners: agent
//	Checksum: 51d0…
//	Unit correct better=higher min=0 max=1 mean=examples
//	Unit usd better=lower min=0
//	BenchmarkItem/data=faq/learner=agent/item=refund-17/repeat=1 1 1 correct 0.0042 usd 2.1 call-sec/op
//
// The protocol says how often each item is answered. The key Item has, for each item in ascending
// order of the ids, the id, the first 8 hexadecimal digits of a digest of the question and its
// right answer, the cluster, if it is not the item itself, and the names of its slices in ascending
// order. Both digests of the header are the SHA-256 of the line "learnbench items v1" and of these
// lines without their key and their slices, which readers verify. Grader names who or what grades:
// blocks with other graders are not compared. Weight says that clusters weigh equally in means, and
// not items; without the key items do, and blocks that differ in it are not compared.
//
// Trials are in the order of items, learners and repeats, so that an answer that changes is one
// line in a difference of two files. A trial has its metrics and then, in all trials of a block or
// in none, the seconds that it took. In this package an item is a fold, which trains on nothing and
// tests one example, and a repeat is a run.
//
// # Shards and experiments
//
// Files concatenate: [Open] of several files is what [Read] gives for the output of cat. Blocks
// that share package, test, data set and protocol belong to one experiment, be they shards of it,
// of different learners, or parts of a journal. They must agree in everything else but reproduce,
// determinism, majority, target, copies, against, toolchain, machine and binary, and each cell of
// each learner must be in one of them, once.
//
// # Interrupted writes
//
// A block whose first line begins with Learnbench-format or Rearnbench-format was
// being written, or replaced, when its writer was killed: see package
// internal/blockfile. Readers refuse the file, and whoever adds to it next puts it in order.
//
// # Tools for benchmarks
//
// The command
//
//	benchstat -ignore /run,/fold,/item,/repeat,commit old.txt new.txt
//
// reads these files, but its p-values do not hold for them: it takes the folds of
// cross-validation, whose training sets overlap, for independent.
//
// [1]: https://golang.org/design/14313-benchmark-format
package record
