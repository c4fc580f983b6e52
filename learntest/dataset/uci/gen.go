//go:build ignore

// Gen writes the embedded data sets from the files of the software packages that
// ship them, as SOURCES.md describes.
//
//	go run gen.go -in DIR
//
// DIR holds weka/*.arff and sklearn/wine_data.csv as packaged, and
// mlbench/*.csv as exported by R.
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/dataset"
)

func main() {
	log.SetFlags(0)
	in := flag.String("in", "", "directory of the packages' files")
	out := flag.String("out", "data", "directory to write to")
	flag.Parse()
	if *in == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(*in, *out); err != nil {
		log.Fatal(err)
	}
}

func run(in, out string) error {
	for file, name := range map[string]string{
		"breast-cancer":  "breast-cancer",
		"contact-lenses": "contact-lenses",
		"credit-g":       "german-credit",
		"diabetes":       "pima-diabetes",
		"glass":          "glass",
		"ionosphere":     "ionosphere",
		"iris":           "iris",
		"labor":          "labor",
		"soybean":        "soybean",
		"vote":           "vote",
	} {
		path := filepath.Join(in, "weka", file+".arff")
		header, err := comments(path)
		if err != nil {
			return err
		}
		t, err := dataset.Open(path, dataset.ReadOptions{Name: name})
		if err != nil {
			return err
		}
		if err := write(out, header, t); err != nil {
			return err
		}
	}
	for _, convert := range []func(in string) (header string, t *dataset.Table, err error){
		sonar, vehicle, wine, wisconsin, zoo,
	} {
		header, t, err := convert(in)
		if err != nil {
			return err
		}
		if err := write(out, header, t); err != nil {
			return err
		}
	}
	return nil
}

// comments returns the comments before the relation of an ARFF file, which name
// the donors of the data and ask for citations.
func comments(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var b strings.Builder
	for s := bufio.NewScanner(f); s.Scan(); {
		line := strings.TrimRight(s.Text(), " \t\r")
		if strings.HasPrefix(line, "@") {
			return b.String(), nil
		}
		if line != "" {
			b.WriteString(line + "\n")
		}
	}
	return "", fmt.Errorf("%s: no relation", path)
}

// write stores a table with nothing in the compressed file that depends on when
// and where it was made.
func write(dir, header string, t *dataset.Table) error {
	var arff bytes.Buffer
	arff.WriteString(header)
	if err := dataset.WriteARFF(&arff, t); err != nil {
		return err
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	_, err = z.Write(arff.Bytes())
	if err := errors.Join(err, z.Close()); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, t.Name()+".arff.gz"), b.Bytes(), 0o644)
}

func sonar(in string) (string, *dataset.Table, error) {
	t, err := dataset.Open(filepath.Join(in, "mlbench", "Sonar.csv"), dataset.ReadOptions{
		Name:   "sonar",
		Ignore: []string{""},
		Values: map[string][]string{"Class": {"R", "M"}},
	})
	return "% Sonar of the R package mlbench. R is a rock, M a mine (metal cylinder).\n" +
		"% Contributed by T. Sejnowski, developed by R. P. Gorman.\n", t, err
}

func vehicle(in string) (string, *dataset.Table, error) {
	t, err := dataset.Open(filepath.Join(in, "mlbench", "Vehicle.csv"), dataset.ReadOptions{
		Name:   "vehicle",
		Ignore: []string{""},
		Values: map[string][]string{"Class": {"opel", "saab", "bus", "van"}},
	})
	return "% Vehicle of the R package mlbench.\n" +
		"% Created by P. Mowforth and B. Shepherd, Turing Institute, Glasgow.\n", t, err
}

func wisconsin(in string) (string, *dataset.Table, error) {
	t, err := dataset.Open(filepath.Join(in, "mlbench", "BreastCancer.csv"), dataset.ReadOptions{
		Name:   "wisconsin-breast-cancer",
		Ignore: []string{"", "Id"},
		Values: map[string][]string{"Class": {"benign", "malignant"}},
	})
	return "% BreastCancer of the R package mlbench, without the patients' numbers.\n" +
			"% Created by W. H. Wolberg, University of Wisconsin Hospitals; donated by O. Mangasarian.\n", t,
		err
}

// zoo makes the row names the first attribute, as in the original file, in which
// two animals are called frog.
func zoo(in string) (string, *dataset.Table, error) {
	path := filepath.Join(in, "mlbench", "Zoo.csv")
	b, err := os.ReadFile(path)
	if err != nil {
		return "", nil, err
	}
	b = bytes.Replace(b, []byte(`"",`), []byte(`"animal",`), 1)
	for old, new := range map[string]string{
		`"frog.1"`: "frog", `"frog.2"`: "frog", "FALSE": "false",
		"TRUE": "true",
	} {
		b = bytes.ReplaceAll(b, []byte(old), []byte(new))
	}
	opts := dataset.ReadOptions{Name: "zoo", Values: map[string][]string{
		"type": {"mammal", "bird", "reptile", "fish", "amphibian", "insect", "mollusc.et.al"},
	}}
	t, err := dataset.ReadCSV(bytes.NewReader(b), path, opts)
	if err != nil {
		return "", nil, err
	}
	for j := range t.NumAttributes() {
		attr := t.Attribute(j)
		switch {
		case attr.Name == "animal":
			opts.Values[attr.Name] = slices.Sorted(slices.Values(attr.Values))
		case attr.Kind == dataset.Nominal && len(attr.Values) == 2:
			opts.Values[attr.Name] = []string{"false", "true"}
		}
	}
	t, err = dataset.ReadCSV(bytes.NewReader(b), path, opts)
	return "% Zoo of the R package mlbench, with the row names as attribute animal.\n" +
		"% Donated by R. S. Forsyth.\n", t, err
}

// wine names the columns, whose first line in the package counts rows, columns
// and classes instead.
func wine(in string) (string, *dataset.Table, error) {
	path := filepath.Join(in, "sklearn", "wine_data.csv")
	f, err := os.Open(path)
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	r := bufio.NewReader(f)
	first, err := r.ReadString('\n')
	if err != nil {
		return "", nil, err
	}
	if strings.TrimSpace(first) != "178,13,class_0,class_1,class_2" {
		return "", nil, fmt.Errorf("%s: unexpected first line %q", path, first)
	}
	names := "alcohol,malic_acid,ash,alcalinity_of_ash,magnesium,total_phenols,flavanoids,nonflavanoid_phenols," +
		"proanthocyanins,color_intensity,hue,od280/od315_of_diluted_wines,proline,class\n"
	t, err := dataset.ReadCSV(io.MultiReader(strings.NewReader(names), r), path, dataset.ReadOptions{
		Kinds: map[string]dataset.Kind{"class": dataset.Numeric},
	})
	if err != nil {
		return "", nil, err
	}
	cols := make([]dataset.Column, t.NumAttributes())
	for j := range cols {
		cols[j] = dataset.Column{Attribute: t.Attribute(j), Numbers: t.Numbers(j)}
	}
	class := dataset.Column{Attribute: dataset.Attribute{
		Name: "class", Kind: dataset.Nominal, Values: []string{"class_0", "class_1", "class_2"},
	}}
	for i, x := range t.Numbers(13) {
		if x != math.Trunc(x) {
			return "", nil, fmt.Errorf("%s: row %d: class %v", path, i, x)
		}
		class.Codes = append(class.Codes, int32(x))
	}
	cols[13] = class
	t, err = dataset.New("wine", cols, 13, nil)
	return "% wine_data.csv of scikit-learn. Original owner: M. Forina, PARVUS, Genoa.\n", t, err
}
