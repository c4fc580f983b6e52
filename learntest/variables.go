package learntest

import (
	"errors"
	"strings"
)

// The environment variables that Compare reads.
const (
	envOut     = "LEARNTEST_OUT"
	envIn      = "LEARNTEST_IN"
	envSeed    = "LEARNTEST_SEED"
	envRuns    = "LEARNTEST_RUNS"
	envRunsMax = "LEARNTEST_RUNS_MAX"
	envRunsMin = "LEARNTEST_RUNS_MIN"
	envAlpha   = "LEARNTEST_ALPHA"
	envResume  = "LEARNTEST_RESUME"
	envShard   = "LEARNTEST_SHARD"
	envUpdate  = "LEARNTEST_UPDATE"
	envDegrade = "LEARNTEST_DEGRADE"

	envPrefix = "LEARNTEST_"
)

// known are the variables that Compare reads.
var known = []string{envAlpha, envDegrade, envIn, envOut, envResume, envRuns, envRunsMax, envRunsMin, envSeed, envShard, envUpdate}

// errCached says why a result file cannot be written.
var errCached = errors.New("add -count=1: a cached run writes no file")

// errUnseen says why result files cannot be read.
var errUnseen = errors.New("add -count=1: the cache does not see which files there are")

// forced is the value of LEARNTEST_UPDATE that writes a baseline despite a refusal.
const forced = "force"

// ciVariables are set by continuous integration: most services set CI; Azure Pipelines, Jenkins,
// TeamCity and AWS CodeBuild set a variable of their own.
var ciVariables = []string{"CI", "TF_BUILD", "JENKINS_URL", "TEAMCITY_VERSION", "CODEBUILD_BUILD_ID"}

// ciVariable returns the name of the variable that shows continuous integration; empty if none
// does. Some of them change with each build: go test would cache no test that looks them up, so
// only an update does.
func ciVariable(lookup func(name string) (string, bool)) string {
	for _, name := range ciVariables {
		if value, _ := lookup(name); value != "" && !strings.EqualFold(value, "false") && value != "0" {
			return name
		}
	}
	return ""
}
