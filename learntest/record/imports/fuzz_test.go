package imports

import (
	"bytes"
	"testing"
)

// fuzz checks that any text is read as blocks that can be written and read back unchanged,
// or is an error. The texts it starts from are short, since long ones take the time.
func fuzz(f *testing.F, name, learner string, o Options, texts ...string) {
	for _, text := range texts {
		f.Add([]byte(text))
	}
	of := format(f, name)
	o.Limits = Limits{Bytes: 1 << 20}
	f.Fuzz(func(t *testing.T, text []byte) {
		res, err := Read(of, o, Source{Name: "f", Reader: bytes.NewReader(text), Learner: learner})
		if err != nil {
			if res != nil {
				t.Errorf("results and an error: %v", err)
			}
			return
		}
		if len(res.Blocks) == 0 {
			t.Error("neither a block nor an error")
		}
		requireStored(t, res.Blocks)
	})
}

// wekaARFF is a file of two folds.
const wekaARFF = "@relation r\n@attribute Key_Dataset {d}\n@attribute Key_Run {1}\n@attribute Key_Fold {1,2}\n@attribute Key_Scheme {s}\n@attribute Key_Scheme_options {''}\n" +
	"@attribute Number_of_training_instances numeric\n@attribute Number_of_testing_instances numeric\n@attribute Percent_correct numeric\n@data\n" +
	"d,1,1,s,'',50,50,60\nd,1,2,s,'',50,50,70\n"

func FuzzWeka(f *testing.F) {
	fuzz(f, "weka", "", Options{}, wekaTwo, wekaHead, wekaARFF, wekaHead+"d,3,1,s,'-K \\\"a\\\"',50,50,60\nd,3,2,s,\"-K \"\"a\"\"\",50,50,70\n")
}

func FuzzSklearn(f *testing.F) {
	o := sklearnOptions()
	o.Folds, o.Measures = 2, []Measure{{Column: "test_score", Name: "accuracy"}}
	fuzz(f, "sklearn", "l", o, ",test_score,fit_time,score_time,n_train,n_test\n0,1,1,1,8,2\n1,1,1,1,8,2\n",
		`{"test_score": [NaN, 1]}`, `{"test_score":{"0":1,"1":null}}`, `[{"test_score":0.5},{"test_score":0.5}]`)
}

func FuzzMLR3(f *testing.F) {
	fuzz(f, "mlr3", "", Options{Folds: 2, Examples: map[string]int{"": 150}, Partitions: "p"}, mlr3Head+"d,l,cv,1,1\nd,l,cv,2,0\n", mlr3Head+"d,l,cv,1,1\nd,l,cv,2,\n")
}

func FuzzAMLB(f *testing.F) {
	fuzz(f, "amlb", "", Options{Folds: 2, Examples: map[string]int{"": 150}}, amlbHead+"t,d,a,c,0,1,acc,\nt,d,a,c,1,,,x\n", amlbHead+"t,d,a,c,0,-1,neg_rmse,\nt,d,a,c,1,0,neg_rmse,\n")
}

func FuzzOpenML(f *testing.F) {
	fuzz(f, "openml", "l", Options{Dataset: "d"}, small("a,a,1,0", "b,a,0,1", "a,a,1,0"), small("b,a,1,0", "b,b,0,1", "a,a,1,0"))
}
