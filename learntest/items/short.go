package items

import "github.com/learnbench/learnbench/internal/gotest"

// isShort reports whether the flag -short of go test is set.
var isShort = gotest.Short
