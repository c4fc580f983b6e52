module github.com/learnbench/learnbench/examples

go 1.26.0

require (
	github.com/cdipaolo/goml v0.0.0-20220715001353-00e0c845ae1c
	github.com/dmitryikh/leaves v0.0.0-20230708180554-25d19a787328
	github.com/jbrukh/bayesian v0.0.0-20200318221351-d726b684ca4a
	github.com/learnbench/learnbench v0.0.0
	github.com/malaschitz/randomForest v0.0.0-20251101172028-7c30b8b21d88
	github.com/patrikeh/go-deep v0.0.0-20230427173908-a2775168ab3d
	github.com/stretchr/testify v1.12.1
	gonum.org/v1/gonum v0.17.0
)

require (
	github.com/aclements/go-moremath v0.0.0-20210112150236-f10218a38794 // indirect
	github.com/gofrs/flock v0.13.1 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/perf v0.0.0-20260908200009-22c9c6c9d4da // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.42.0 // indirect
)

replace github.com/learnbench/learnbench => ../
