package dataset_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/learnbench/learnbench/learntest/dataset"
)

func ExampleReadARFF() {
	const file = `@relation weather
@attribute temperature numeric
@attribute outlook {sunny, 'partly cloudy', rain}
@attribute play {yes, no}
@data
25, 'partly cloudy', yes
?, rain, no
`
	table, err := dataset.ReadARFF(strings.NewReader(file), "weather.arff", dataset.ReadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(table.Name(), table.Len(), table.NumAttributes(), table.NumClasses())
	fmt.Println(table.Numbers(0), table.Codes(1), table.Class(1))
	// Output:
	// weather 2 3 2
	// [25 NaN] [1 2] 1
}

func ExampleReadARFF_error() {
	const file = `@relation weather
@attribute play {yes, no}
@data
perhaps
`
	_, err := dataset.ReadARFF(strings.NewReader(file), "weather.arff", dataset.ReadOptions{})
	fmt.Println(err)
	// Output: weather.arff:4: value "perhaps" of attribute "play" is not declared
}

func ExampleReadCSV() {
	const file = `day,temperature,play
mon,25,yes
tue,NA,no
`
	table, err := dataset.ReadCSV(strings.NewReader(file), "weather.csv", dataset.ReadOptions{
		Ignore: []string{"day"},
		Values: map[string][]string{"play": {"no", "yes"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(table.Numbers(0), table.Codes(1))
	// Output: [25 NaN] [1 0]
}

func ExampleWriteARFF() {
	table, err := dataset.New("weather", []dataset.Column{
		{Attribute: dataset.Attribute{Name: "temperature"}, Numbers: []float64{25, 12.5}},
		{
			Attribute: dataset.Attribute{
				Name: "play", Kind: dataset.Nominal,
				Values: []string{"yes", "not now"},
			},
			Codes: []int32{0, -1},
		},
	}, 1, []float64{1, 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := dataset.WriteARFF(os.Stdout, table); err != nil {
		fmt.Println(err)
	}
	// Output:
	// @relation weather
	//
	// @attribute temperature numeric
	// @attribute play {yes,'not now'}
	//
	// @data
	// 25,yes,{1}
	// 12.5,?,{2}
}

func ExampleEncoding() {
	const file = `patient,age,smokes,pressure
ann,30,no,115
bob,50,yes,141
cem,35,no,118
cem,?,yes,133
`
	table, err := dataset.ReadCSV(strings.NewReader(file), "pressure.csv", dataset.ReadOptions{
		Target: "pressure",
		Group:  "patient",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(table.Groups(), table.NumAttributes(), table.Target(1))

	train, test := []int{0, 1}, []int{2, 3}
	encoding := dataset.Encoding{OneHot: true, Scale: true, Missing: dataset.MissingIndicator}
	encoder, err := encoding.Fit(table, train)
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := encoder.Matrix(table, test)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%q\n", rows.Names)
	for _, row := range rows.Slices() {
		fmt.Println(row)
	}
	// Output:
	// [ann bob cem cem] 3 141
	// ["age" "age missing" "smokes=no" "smokes=yes" "smokes missing"]
	// [-0.5 0 1 0 0]
	// [0 1 0 1 0]
}

// The name of a file says which format it has: .arff or .csv, and .gz if it is compressed.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "tables")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "visits.csv")
	if err := os.WriteFile(path, []byte("patient,age,ill\nann,30,no\nbob,?,yes\nbob,51,yes\n"),
		0o666); err != nil {
		fmt.Println(err)
		return
	}
	visits, err := dataset.Open(path, dataset.ReadOptions{Class: "ill", Group: "patient"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(visits.Name(), visits.Len(), visits.Groups(), visits.Missing(1, 0))
	// Output:
	// visits 3 [ann bob bob] true
}

// A table of columns that are in memory. The last one is the class.
func ExampleNew() {
	table, err := dataset.New("weather", []dataset.Column{
		{
			Attribute: dataset.Attribute{Name: "temperature", Kind: dataset.Numeric},
			Numbers:   []float64{25, math.NaN(), 12},
		},
		{
			Attribute: dataset.Attribute{Name: "play", Kind: dataset.Nominal, Values: []string{"yes", "no"}},
			Codes:     []int32{0, 1, 1},
		},
	}, 1, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	digest, err := table.Digest()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(table.Len(), table.Missing(1, 0), digest[:12])
	// Output:
	// 3 true 7b6ffc60fd0f
}

// Equal values have equal digests, in every process and on every machine.
func ExampleDigestOf() {
	type parameters struct {
		K      int
		Scaled bool
	}
	a, err := dataset.DigestOf("nn", parameters{K: 5, Scaled: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := dataset.DigestOf("nn", parameters{K: 3, Scaled: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(a[:12], b[:12])
	_, err = dataset.DigestOf(func() {})
	fmt.Println(err)
	// Output:
	// a8022ff23c0f ded99e3afa5b
	// value cannot be digested: value 0 of type func()
}
