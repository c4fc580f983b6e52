package cli

import "strings"

// goNames are what errors say to users of packages, and what a command says instead: there are no
// fields to set, but flags and parameters of learners. They are whole phrases, so that no name of a
// user is among them.
var goNames = []struct{ phrase, here string }{
	{"Dataset (-dataset)", "-dataset"},
	{"Learner (-learner)", "-learner"},
	{"Folds (-folds)", "-folds"},
	{"Runs (-runs)", "-runs"},
	{"Examples (-examples)", "-examples"},
	{"Partitions (-partitions)", "-partitions"},
	{"Measures (-measure)", "-measure"},
	{"Map (-map)", "-map"},
	{"ID (-id)", "-id"},
	{"Cluster (-cluster)", "-cluster"},
	{"Slices (-slice)", "-slice"},
	{"Repeat (-repeat)", "-repeat"},
	{"Content (-content)", "-content"},
	{"Qrels (-qrels)", "-qrels"},
	{"or Tables (-data)", "or -data (of learnbench import)"},
	{"Tables (-data)", "-data"},
	{"Where (-where constraint=...)", "-where constraint=..."},
	{"Where (-where)", "-where"},
	{"Predictions (-predictions)", "-predictions"},

	{"(-ignore '', in Go \"\" in ReadOptions.Ignore)", "(-ignore '')"},
	{"(-missing, in Go ReadOptions.Missing)", "(-missing)"},
	{"(-nominal, ReadOptions.Kinds)", "(-nominal)"},
	{"by naming it in ReadOptions.Ignore", "with -ignore"},
	{"set Encoding.OneHot, or leave it out with ReadOptions.Ignore", "leave it out with -ignore"},
	{"leave the attribute out with ReadOptions.Ignore", "leave the attribute out with -ignore"},
	{"name one with ReadOptions.Target", "name one with -target"},
	{
		"ReadOptions.Group reads groups from a file, Table.WithGroups and ExampleSet.WithGroups add them",
		"name their attribute in a file with -group",
	},
	{"name the class attribute when it is read, or use Table.Regression if a number is to be predicted", "name the class attribute with -class, or a number to be predicted with -target"},
	{
		"choose MissingNaN or MissingIndicator",
		"choose a learner that admits it, such as ridge or 'ols(missing=indicator)'",
	},
	{"choose dataset.MissingIndicator", "choose 'ols(missing=indicator)'"},
	{
		"make the protocol with split.Predefined again",
		"its partitions are made by programs in Go only",
	},

	{"Config.Results.Resume", "-resume"},
	{
		"draw its random numbers from the seed that Fit gets",
		"draw all its random numbers from the seed that it gets",
	},
	{"let Fit make anew", "let each training make anew"},
	{", or set Config.AllowNondeterminism and bear with reruns that differ", ""},

	{
		"set Config.Parallel to 1 (learnbench run -parallel 1)",
		"measure with learnbench run -parallel 1",
	},

	{": raise ReadOptions.Limits.Bytes if so many are meant", ", which is the most that is read"},
	{": raise ReadOptions.Limits.Line if so many are meant", ", which is the most that is read"},
	{": raise ReadOptions.Limits.Cells if so many are meant", ", which is the most that is read"},
	{": raise Limits.Bytes if so many are meant", ", which is the most that is read"},
	{": raise Limits.Line if so many are meant", ", which is the most that is read"},
	{" (Limits.Cells)", ""},
	{" (Limits.Bytes)", ""},
}

var forCommands = func() *strings.Replacer {
	var pairs []string
	for _, n := range goNames {
		pairs = append(pairs, n.phrase, n.here)
	}
	return strings.NewReplacer(pairs...)
}()
