package imports

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A scale says how a number in a file becomes a score.
type scale uint8

const (
	asIs    scale = iota
	percent       // 0 to 100 becomes 0 to 1
	negated       // of a loss, so that more is better
)

func (s scale) of(x float64) float64 {
	switch s {
	case percent:
		return x / 100
	case negated:
		return 0 - x
	}
	return x
}

// A known measure is a column whose metric is known.
type known struct {
	column string
	unit   unit.Unit
	scale  scale
}

// A column is one of scores.
type column struct {
	at    int
	unit  unit.Unit
	scale scale
}

// metricUnit returns the unit of a metric of package metric.
func metricUnit(name string) unit.Unit {
	m, err := metric.Lookup(name)
	if err != nil {
		panic(err) // the tables below are tested
	}
	return m.Unit
}

func gain(name string) unit.Unit {
	return unit.Unit{Name: name, Better: unit.Higher, Min: math.Inf(-1), Max: math.Inf(1)}
}

func loss(name string) unit.Unit {
	return unit.Unit{Name: name, Better: unit.Lower, Max: math.Inf(1)}
}

func rate(name string, better unit.Direction) unit.Unit {
	return unit.Unit{Name: name, Better: better, Max: 1}
}

// wekaMeasures are columns of Weka whose direction is known. Columns of
// probabilities keep Weka's names, since their definitions differ from package metric's.
func wekaMeasures() []known {
	list := []known{
		{"Percent_correct", metricUnit("accuracy"), percent},
		{"Percent_incorrect", metricUnit("error"), percent},
		{"Percent_unclassified", rate("unclassified", unit.Lower), percent},
		{"Kappa_statistic", metricUnit("kappa"), asIs},
		{"KB_information", gain("KB_information"), asIs},
		{"KB_mean_information", gain("KB_mean_information"), asIs},
		{"SF_entropy_gain", gain("SF_entropy_gain"), asIs},
		{"SF_mean_entropy_gain", gain("SF_mean_entropy_gain"), asIs},
		{"Correlation_coefficient", unit.Unit{
			Name: "Correlation_coefficient", Better: unit.Higher,
			Min: -1, Max: 1,
		}, asIs},
	}
	for _, name := range []string{
		"Mean_absolute_error", "Root_mean_squared_error", "Relative_absolute_error",
		"Root_relative_squared_error",
		"SF_scheme_entropy", "SF_mean_scheme_entropy",
	} {
		list = append(list, known{name, loss(name), asIs})
	}
	for _, name := range []string{
		"True_positive_rate", "True_negative_rate", "IR_precision", "IR_recall", "F_measure",
		"Area_under_ROC", "Area_under_PRC",
		"Weighted_avg_true_positive_rate", "Weighted_avg_true_negative_rate", "Weighted_avg_IR_precision",
		"Weighted_avg_IR_recall",
		"Weighted_avg_F_measure", "Weighted_avg_area_under_ROC", "Weighted_avg_area_under_PRC",
	} {
		list = append(list, known{name, rate(name, unit.Higher), asIs})
	}
	for _, name := range []string{
		"False_positive_rate", "False_negative_rate", "Weighted_avg_false_positive_rate",
		"Weighted_avg_false_negative_rate",
	} {
		list = append(list, known{name, rate(name, unit.Lower), asIs})
	}
	return list
}

// sklearnMeasures are scorers of scikit-learn, whose greater values are better all.
func sklearnMeasures() []known {
	list := []known{
		{"test_accuracy", metricUnit("accuracy"), asIs},
		{"test_balanced_accuracy", metricUnit("balanced-accuracy"), asIs},
		{"test_f1_macro", metricUnit("macro-f1"), asIs},
		{"test_matthews_corrcoef", metricUnit("mcc"), asIs},
		{"test_neg_log_loss", metricUnit("logloss"), negated},
		{"test_neg_brier_score", rate("brier_score", unit.Lower), negated},
		{"test_roc_auc", metricUnit("auc"), asIs},
		{"test_neg_root_mean_squared_error", metricUnit("rmse"), negated},
		{"test_neg_mean_absolute_error", metricUnit("mae"), negated},
		{"test_r2", metricUnit("r2"), asIs},
		{"test_explained_variance", gain("explained_variance"), asIs},
	}
	for _, name := range []string{
		"f1", "f1_micro", "f1_weighted", "precision", "precision_macro", "precision_micro",
		"precision_weighted",
		"recall", "recall_macro", "recall_micro", "recall_weighted", "jaccard", "jaccard_macro",
		"jaccard_micro", "jaccard_weighted",
		"average_precision", "top_k_accuracy", "roc_auc_ovr", "roc_auc_ovo", "roc_auc_ovr_weighted",
		"roc_auc_ovo_weighted",
	} {
		list = append(list, known{"test_" + name, rate(name, unit.Higher), asIs})
	}
	for _, name := range []string{
		"mean_squared_error", "mean_squared_log_error", "root_mean_squared_log_error",
		"median_absolute_error",
		"mean_absolute_percentage_error", "mean_poisson_deviance", "mean_gamma_deviance", "max_error",
	} {
		list = append(list, known{"test_neg_" + name, loss(name), negated})
	}
	return list
}

// mlr3Measures are measures of mlr3.
func mlr3Measures() []known {
	list := []known{
		{"classif.acc", metricUnit("accuracy"), asIs},
		{"classif.ce", metricUnit("error"), asIs},
		{"classif.bacc", metricUnit("balanced-accuracy"), asIs},
		{"classif.mcc", metricUnit("mcc"), asIs},
		{"classif.logloss", metricUnit("logloss"), asIs},
		{"classif.mbrier", metricUnit("brier"), asIs},
		{"classif.auc", metricUnit("auc"), asIs},
		{"regr.rmse", metricUnit("rmse"), asIs},
		{"regr.mae", metricUnit("mae"), asIs},
		{"regr.rsq", metricUnit("r2"), asIs},
	}
	for _, name := range []string{
		"precision", "recall", "sensitivity", "specificity", "tpr", "tnr",
		"ppv", "npv", "prauc", "fbeta",
	} {
		list = append(list, known{"classif." + name, rate(name, unit.Higher), asIs})
	}
	for _, name := range []string{"bbrier", "fpr", "fnr", "fdr"} {
		list = append(list, known{"classif." + name, rate(name, unit.Lower), asIs})
	}
	for _, name := range []string{
		"mse", "msle", "rmsle", "medae", "medse", "mape", "smape", "maxae",
		"sse", "sae", "rae", "rrse", "rse",
	} {
		list = append(list, known{"regr." + name, loss(name), asIs})
	}
	return list
}

// amlbMeasures are metrics of the AutoML Benchmark. Those where less is better are
// negated, under names with neg_, in the column result.
func amlbMeasures() []known {
	list := []known{
		{"acc", metricUnit("accuracy"), asIs},
		{"balacc", metricUnit("balanced-accuracy"), asIs},
		{"auc", metricUnit("auc"), asIs},
		{"logloss", metricUnit("logloss"), asIs},
		{"rmse", metricUnit("rmse"), asIs},
		{"mae", metricUnit("mae"), asIs},
		{"r2", metricUnit("r2"), asIs},
	}
	for _, name := range []string{"auc_ovo", "auc_ovr", "pr_auc", "f05", "f1", "f2"} {
		list = append(list, known{name, rate(name, unit.Higher), asIs})
	}
	for _, name := range []string{"max_pce", "mean_pce"} {
		list = append(list, known{name, rate(name, unit.Lower), asIs})
	}
	for _, name := range []string{
		"mse", "msle", "rmsle", "mase", "smape", "mape", "nrmse", "wape",
		"rmsse", "mql", "wql", "sql",
	} {
		list = append(list, known{name, loss(name), asIs})
	}
	for _, k := range list {
		if k.unit.Better == unit.Lower {
			list = append(list, known{"neg_" + k.column, k.unit, negated})
		}
	}
	return list
}

func find(list []known, column string) (known, bool) {
	for _, k := range list {
		if k.column == column {
			return k, true
		}
	}
	return known{}, false
}

// resolve returns the unit and the scale of a measure. The error wraps [ErrOptions] if its
// direction is unknown, or contradicts the known one.
func resolve(list []known, m Measure) (known, error) {
	k, ok := find(list, m.Column)
	if !ok && m.Name != "" {
		if of, err := metric.Lookup(m.Name); err == nil {
			k, ok = known{column: m.Column, unit: of.Unit}, true
		}
	}
	switch {
	case ok && m.Better != 0 && m.Better != k.unit.Better:
		return k, fmt.Errorf("%w: %s is better if it is %s, not %s", ErrOptions, k.unit.Name,
			k.unit.Better, m.Better)
	case ok && m.Name != "":
		k.unit.Name = m.Name
	case ok:
	case m.Better == 0:
		return k, fmt.Errorf("%w: what the scores in column %q are is not known: name a metric (%s), or any name and a direction, with %s, as in %s=accuracy or %s=gain:higher",
			ErrOptions, m.Column, metricNames(), optMeasures, m.Column, m.Column)
	default:
		name := m.Name
		if name == "" {
			name = m.Column
		}
		k = known{
			m.Column,
			unit.Unit{Name: name, Better: m.Better, Min: math.Inf(-1), Max: math.Inf(1)},
			asIs,
		}
	}
	return k, nil
}

func metricNames() string {
	var all []string
	for _, m := range metric.Metrics() {
		all = append(all, m.Name)
	}
	return strings.Join(all, ", ")
}

// assumptions are sentences, each about an assumption of the import.
type assumptions []string

// add notes an assumption, once.
func (a *assumptions) add(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(*a, text) {
		*a = append(*a, text)
	}
}

// column notes which column has a score, and which scores are better.
func (a *assumptions) column(k known) {
	of := fmt.Sprintf("column %q", k.column)
	switch k.scale {
	case percent:
		of += " divided by 100"
	case negated:
		of += " with the other sign"
	}
	a.add("%s is %s, %s is better", k.unit.Name, of, k.unit.Better)
}
