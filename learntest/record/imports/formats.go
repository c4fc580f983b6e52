package imports

import (
	"fmt"
	"strings"
)

// Formats returns the formats that can be read.
func Formats() []Format {
	return []Format{
		{
			Name: "weka", Doc: "results of Weka's Experimenter, CSV or ARFF", read: readWeka,
			refuses: []string{optDataset, optLearner, optPartitions},
		},
		{
			Name: "sklearn", Doc: "what scikit-learn's cross_validate returns, as CSV or JSON",
			read: readSklearn, sizeless: true,
			needs: []string{optDataset, optLearner, optFolds, optPartitions},
		},
		{
			Name: formatSearch, Doc: "cv_results_ of scikit-learn's GridSearchCV and its kin, as CSV or JSON", read: readSearch, sizeless: true, raw: true,
			needs: []string{optDataset, optFolds, optRuns, optPartitions},
		},
		{
			Name: "mlr3", Doc: "score tables of mlr3, CSV", read: readMLR3, sizeless: true,
			needs: []string{optFolds, optPartitions}, refuses: []string{optDataset, optLearner},
		},
		{
			Name: "amlb", Doc: "results.csv of the AutoML Benchmark", read: readAMLB, sizeless: true,
			needs: []string{optFolds}, refuses: []string{optDataset, optLearner, optPartitions, optRuns},
		},
		{
			Name: formatAMLBPredictions, Doc: "predictions.csv of the AutoML Benchmark, in the directories of its tasks and folds", read: readAMLBPredictions,
			refuses: []string{optDataset, optFolds, optRuns, optPartitions, optExamples},
		},
		{
			Name: "openml", Doc: "predictions of an OpenML run, ARFF", read: readOpenML,
			needs: []string{optDataset, optLearner}, refuses: []string{optPartitions, optExamples},
		},
		{
			Name: formatTable, Doc: "a table of any tool, CSV or JSON, with -map", read: readTable,
			sizeless: true, raw: true,
			needs: []string{optFolds, optPartitions},
		},
	}
}

// Lookup returns the format with the given name. The error lists the names that there
// are.
func Lookup(name string) (Format, error) {
	var names []string
	for _, f := range Formats() {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return Format{}, fmt.Errorf("unknown format %q: the formats are %s", name,
		strings.Join(names, ", "))
}
