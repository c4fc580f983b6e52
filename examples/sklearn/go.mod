module github.com/learnbench/learnbench/examples/sklearn

go 1.26.0

require (
	github.com/learnbench/learnbench v0.0.0
	github.com/pa-m/sklearn v0.0.0-20200711083454-beb861ee48b1
	github.com/stretchr/testify v1.12.1
	gonum.org/v1/gonum v0.17.0
)

require (
	github.com/aclements/go-moremath v0.0.0-20210112150236-f10218a38794 // indirect
	github.com/gofrs/flock v0.13.1 // indirect
	github.com/pa-m/optimize v0.0.0-20190612075243-15ee852a6d9a // indirect
	github.com/pa-m/randomkit v0.0.0-20191001073902-db4fd80633df // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/exp v0.0.0-20260824195058-e88cd73687aa // indirect
	golang.org/x/perf v0.0.0-20260908200009-22c9c6c9d4da // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/tools v0.51.0 // indirect
)

replace github.com/learnbench/learnbench => ../../

// The library does not compile with a later one: mat.Cholesky.Symmetric is gone.
replace gonum.org/v1/gonum => gonum.org/v1/gonum v0.7.0
