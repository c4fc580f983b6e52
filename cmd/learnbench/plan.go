package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/internal/plan"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A planConfig holds the arguments of the plan command.
type planConfig struct {
	experiment plan.Experiment
	unit       unit.Unit
	margins    unit.Margins // that are asked for
	margin     float64      // to be shown; 0 if none
	amounts    unit.Margins // differences that are asked for
	difference float64      // to be detected; 0 if none

	title   string
	pairs   *record.Pairs    // of stored results; nil for a guess
	own     stat.Differences // of these
	seconds float64          // of one training and test; 0 if that is not known
	minutes float64          // that trainings may take; 0 if that does not matter

	items *itemsPlan // in place of an experiment; nil if it is one
}

// designs are the designs that a plan shows.
var designs = []plan.Design{
	{Runs: 1, Folds: 10},
	{Runs: 5, Folds: 2},
	{Runs: 5, Folds: 10},
	{Runs: 10, Folds: 5},
	{Runs: 10, Folds: 10},
	{Runs: 20, Folds: 10},
	{Runs: 100, Folds: 10},
}

// planCommand says what experiments could show before they are run.
func planCommand(args []string, stdout io.Writer) (int, error) {
	p, err := parsePlan(args)
	if errors.Is(err, flag.ErrHelp) {
		return helpOn(stdout, "plan")
	}
	var text string
	if err == nil {
		err = p.takeAmounts()
	}
	if err == nil {
		text, err = p.report()
	}
	if err != nil {
		return cli.Unjudged, fmt.Errorf("plan: %w", err)
	}
	return cli.Clean, cli.Write(stdout, text)
}

func parsePlan(args []string) (*planConfig, error) {
	p := &planConfig{}
	e := &p.experiment
	fs := flag.NewFlagSet("plan", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	data, learner, name := fs.String("data", "", ""), fs.String("learner", "", ""),
		fs.String("metric", "", "")
	var disagree float64
	fs.Func("disagree", "", func(text string) (err error) {
		number, percent := strings.CutSuffix(text, "%")
		if disagree, err = strconv.ParseFloat(number, 64); percent {
			disagree /= 100
		}
		return err
	})
	fs.IntVar(&e.Examples, "examples", 0, "")
	suite := &itemsPlan{}
	fs.IntVar(&suite.n, "items", 0, "")
	fs.IntVar(&suite.clusters, "clusters", 0, "")
	fs.Float64Var(&suite.icc, "icc", 0, "")
	fs.Float64Var(&e.SD, "sd", 0, "")
	fs.Float64Var(&e.Alpha, "alpha", verdict.DefaultAlpha, "")
	fs.Float64Var(&e.Power, "power", 0.8, "")
	fs.Float64Var(&p.minutes, "minutes", 0, "")
	p.amounts.Flag = "difference"
	fs.Var(&p.margins, "margin", "")
	fs.Var(&p.amounts, "difference", "")
	set, err := parseFlags(fs, args)
	if err != nil {
		return nil, err
	}
	if set["sd"] && (!(e.SD > 0) || math.IsInf(e.SD, 1)) {
		return nil, fmt.Errorf("-sd %v is not a positive number", e.SD)
	}
	if set["minutes"] && !(p.minutes > 0 && !math.IsInf(p.minutes, 1)) {
		return nil, fmt.Errorf("-minutes %v is no time above 0", p.minutes)
	}
	guess := set["sd"] || set["disagree"] || set["examples"] || set["items"]
	if set["items"] {
		p.items = suite
	}
	switch {
	case !set["items"] && (set["clusters"] || set["icc"]):
		return nil, errors.New("-clusters and -icc are for a guess with -items")
	case set["items"] && (set["examples"] || set["minutes"]):
		return nil, errors.New("-items excludes -examples and -minutes: nothing is trained on items")
	case guess && fs.NArg() > 0:
		return nil, errors.New("-examples, -items, -sd and -disagree are a guess, which stored results make needless: give either")
	case !guess && fs.NArg() == 2:
		return p, p.openTwo(fs.Arg(0), fs.Arg(1), *data, *learner, *name)
	case !guess && fs.NArg() != 3:
		return nil, fmt.Errorf("%d arguments: name a result file, a candidate and a baseline, or the old and the new result file, or guess with -examples or -items, and -disagree or -sd", fs.NArg())
	case set["learner"]:
		return nil, errors.New("-learner is for two result files: candidate and baseline of one come after it")
	case !guess:
		return p, p.openOne(fs.Arg(0), *data, fs.Arg(1), fs.Arg(2), *name)
	case set["sd"] == set["disagree"] || set["examples"] == set["items"]:
		return nil, errors.New("a guess takes -examples or -items, and -disagree for accuracy or -sd for any metric")
	case set["data"]:
		return nil, errors.New("-data is for stored results")
	}
	if p.unit = (unit.Unit{
		Name: "score", Better: unit.Higher, Min: math.Inf(-1),
		Max: math.Inf(1),
	}); set["disagree"] || *name == "accuracy" {
		p.unit = metric.Accuracy().Unit
	}
	of, who := "examples", "learner"
	if p.items != nil {
		if err := suite.check(set); err != nil {
			return nil, err
		}
		of, who, e.Examples = "items", "system", suite.n
	}
	p.title = fmt.Sprintf("plan for %d %s", e.Examples, of)
	if set["disagree"] {
		if !(disagree > 0 && disagree <= 1) {
			return nil, fmt.Errorf("-disagree %v is not a share of the %s above 0: write 10%% or 0.1",
				disagree, of)
		}
		e.SD = math.Sqrt(disagree)
		p.title += fmt.Sprintf(", of which just one %s gets %.4g%% right", who, 100*disagree)
	}
	if p.items != nil {
		p.items.guess(e.SD)
	}
	return p, nil
}

// takeAmounts takes margin and difference in the unit of the metric. The error is about what no
// difference in that can be.
func (p *planConfig) takeAmounts() error {
	mean := math.NaN() // that a guess does not have
	if p.pairs != nil {
		sum, n := 0.0, p.pairs.Runs*p.pairs.Folds
		for _, score := range p.pairs.B[:n] {
			sum += score
		}
		mean = sum / float64(n)
	}
	for _, x := range []struct {
		asked *unit.Margins
		value *float64
	}{{&p.margins, &p.margin}, {&p.amounts, &p.difference}} {
		if a, ok := x.asked.Of(p.unit.Name); ok && a.IsOfMean() && p.pairs == nil {
			return fmt.Errorf("%v is a percentage of the baseline's mean, which a guess does not have: give the number in the unit of the metric", a)
		}
		err := x.asked.Check([]unit.Unit{p.unit})
		if err == nil {
			*x.value, err = x.asked.Value(p.unit, mean)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// report says what can be shown, at which cost.
func (p *planConfig) report() (string, error) {
	if p.items != nil {
		return p.reportItems()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", unit.Printable(p.title))
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "protocol\ttrainings\tdetectable difference\tmargin of no regression\n")
	for _, d := range designs {
		if d.Folds > p.experiment.Examples {
			continue
		}
		detectable, err := p.experiment.Detectable(d)
		if err != nil {
			return "", err
		}
		margin, err := p.experiment.Margin(d)
		if err != nil {
			return "", err
		}
		margin = max(margin, p.unseen())
		fmt.Fprintf(w, "%v\t%s\t%s\t%s\n", d, p.cost(d.Trainings()), p.amount(detectable),
			p.amount(margin))
	}
	w.Flush() // into memory
	fmt.Fprintf(&b, "with %.4g%% power at the %.4g%% level; margins if there is no difference; trainings are of both learners\n", 100*p.experiment.Power, 100*p.experiment.Alpha)
	for _, x := range []struct {
		what   string
		amount float64
		margin bool
	}{{"a margin", p.margin, true}, {"a difference", p.difference, false}} {
		if x.amount == 0 {
			continue
		}
		if note := p.claim(x.amount).TooNarrow(p.unit, p.experiment.Examples); x.margin && note != "" {
			fmt.Fprintf(&b, "%s of %s takes an improvement, however many runs there are: %s\n", x.what,
				p.amount(x.amount), note)
			continue
		}
		runs, examples, err := p.experiment.Runs(10, x.amount, x.margin)
		if err != nil {
			return "", err
		}
		if runs > 0 {
			fmt.Fprintf(&b, "%s of %s takes %s of 10 folds, %s trainings\n", x.what, p.amount(x.amount),
				unit.FormatRuns(runs), p.cost(20*runs))
			continue
		}
		fmt.Fprintf(&b, "%s of %s is out of reach of any number of runs: it takes %.2g times as many examples\n", x.what, p.amount(x.amount), math.Ceil(10*examples)/10)
	}
	if p.difference > 0 {
		power, err := p.experiment.PowerAt(plan.Design{Runs: 10, Folds: 10}, p.difference)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "10×10 detects a difference of %s in %.0f%% of cases\n", p.amount(p.difference),
			100*power)
	}
	if err := p.machines(&b); err != nil {
		return "", err
	}
	if p.pairs != nil {
		if err := p.replicability(&b); err != nil {
			return "", err
		}
		p.settled(&b)
	}
	fmt.Fprintf(&b, "a second opinion takes %s trainings more, where the test rejects\n",
		p.cost(2*verdict.DefaultHalvings*2*verdict.HalfFolds))
	return b.String(), nil
}

// machines says what shards and a cache of trials make of 10×10, and what the minutes are enough
// for.
func (p *planConfig) machines(b *strings.Builder) error {
	const all, shards, checked = 200, 4, 50
	fmt.Fprintf(b, "10×10 in %d shards takes %s trainings each; with a cache of trials %s where nothing has changed (LEARNTEST_CACHE)\n", shards, p.cost(all/shards), p.cost(all/checked))
	if p.minutes == 0 {
		return nil
	}
	if p.seconds == 0 {
		return errors.New("-minutes without results that have times: nobody knows how long a training takes")
	}
	trainings := p.minutes * 60 / p.seconds
	switch runs := int(trainings / (all / 10)); {
	case trainings < 1:
		fmt.Fprintf(b, "%v minutes are not enough for one training\n", p.minutes)
	case runs >= 10:
		fmt.Fprintf(b, "%v minutes are enough for %s of 10 folds, one training after the other\n",
			p.minutes, unit.FormatRuns(runs))
	case runs > 0:
		fmt.Fprintf(b, "%v minutes are enough for %s of 10 folds, one training after the other, or 10×10 in %.0f shards\n", p.minutes, unit.FormatRuns(runs), math.Ceil(all/trainings))
	default:
		fmt.Fprintf(b, "%v minutes are enough for no run of 10 folds, one training after the other, and for 10×10 in %.0f shards\n", p.minutes, math.Ceil(all/trainings))
	}
	return nil
}

// claim returns the one that a candidate does not regress by a margin.
func (p *planConfig) claim(margin float64) verdict.Claim {
	return verdict.Claim{Kind: verdict.NoRegression, Margin: margin, Alpha: p.experiment.Alpha}
}

// unseen returns the loss that so many examples cannot rule out without an improvement.
func (p *planConfig) unseen() float64 {
	if !p.unit.IsMean() {
		return 0
	}
	share, err := stat.Unseen(p.experiment.Examples, p.experiment.Alpha)
	if err != nil {
		return 0
	}
	return share * p.unit.Span()
}

func (p *planConfig) amount(x float64) string { return p.unit.FormatMargin(x) }

// cost returns a number of trainings, with the time that they take one after the other.
func (p *planConfig) cost(trainings int) string {
	if p.seconds == 0 {
		return fmt.Sprint(trainings)
	}
	took := time.Duration(p.seconds * float64(trainings) * float64(time.Second))
	for _, unit := range []time.Duration{time.Second, time.Millisecond} {
		if took >= 10*unit {
			took = took.Round(unit)
			break
		}
	}
	return fmt.Sprintf("%d (%v)", trainings, took.Round(time.Microsecond))
}
