package learntest

import (
	"errors"

	"github.com/learnbench/learnbench/internal/gotest"
)

// The environment variables that Compare reads.
const (
	envOut           = "LEARNTEST_OUT"
	envIn            = "LEARNTEST_IN"
	envSeed          = "LEARNTEST_SEED"
	envRuns          = "LEARNTEST_RUNS"
	envRunsMax       = "LEARNTEST_RUNS_MAX"
	envRunsMin       = "LEARNTEST_RUNS_MIN"
	envAlpha         = "LEARNTEST_ALPHA"
	envRatio         = "LEARNTEST_RATIO"
	envResume        = "LEARNTEST_RESUME"
	envSettle        = "LEARNTEST_SETTLE"
	envMinutes       = "LEARNTEST_MINUTES"
	envShard         = "LEARNTEST_SHARD"
	envUpdate        = "LEARNTEST_UPDATE"
	envDegrade       = "LEARNTEST_DEGRADE"
	envPredictions   = "LEARNTEST_PREDICTIONS"
	envProbabilities = "LEARNTEST_PROBABILITIES"
	envCache         = "LEARNTEST_CACHE"
	envCacheMB       = "LEARNTEST_CACHE_MB"

	// Package items alone reads these.
	envBudget    = "LEARNTEST_BUDGET"
	envItems     = "LEARNTEST_ITEMS"
	envResponses = "LEARNTEST_RESPONSES"
)

// known are the variables that Compare reads, or package items.
var known = gotest.Variables

// errCached says why a result file cannot be written.
var errCached = errors.New("add -count=1: a cached run writes no file")

// errUnseen says why result files cannot be read.
var errUnseen = errors.New("add -count=1: the cache does not see which files there are")

// settleOff is the value of LEARNTEST_SETTLE that trains all runs, whatever the configuration says.
const settleOff = "off"

// forced is the value of LEARNTEST_UPDATE that writes a baseline despite a refusal.
const forced = "force"
