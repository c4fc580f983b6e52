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
	fuzz(f, "weka", "", Options{}, wekaTwo, wekaHead, wekaARFF,
		wekaHead+"d,3,1,s,'-K \\\"a\\\"',50,50,60\nd,3,2,s,\"-K \"\"a\"\"\",50,50,70\n")
}

func FuzzSklearn(f *testing.F) {
	o := sklearnOptions()
	o.Folds, o.Measures = 2, []Measure{{Column: "test_score", Name: "accuracy"}}
	fuzz(f, "sklearn", "l", o, ",test_score,fit_time,score_time,n_train,n_test\n0,1,1,1,8,2\n1,1,1,1,8,2\n",
		`{"test_score": [NaN, 1]}`, `{"test_score":{"0":1,"1":null}}`,
		`[{"test_score":0.5},{"test_score":0.5}]`)
}

func FuzzMLR3(f *testing.F) {
	fuzz(f, "mlr3", "", Options{Folds: 2, Examples: map[string]int{"": 150}, Partitions: "p"},
		mlr3Head+"d,l,cv,1,1\nd,l,cv,2,0\n", mlr3Head+"d,l,cv,1,1\nd,l,cv,2,\n")
}

func FuzzAMLB(f *testing.F) {
	fuzz(f, "amlb", "", Options{Folds: 2, Examples: map[string]int{"": 150}},
		amlbHead+"t,d,a,c,0,1,acc,\nt,d,a,c,1,,,x\n",
		amlbHead+"t,d,a,c,0,-1,neg_rmse,\nt,d,a,c,1,0,neg_rmse,\n")
}

func FuzzOpenML(f *testing.F) {
	fuzz(f, "openml", "l", Options{Dataset: "d"}, small("a,a,1,0", "b,a,0,1", "a,a,1,0"),
		small("b,a,1,0", "b,b,0,1", "a,a,1,0"))
}

func FuzzTable(f *testing.F) {
	m, err := ParseMap("learner=m,run=c.r,fold=f,accuracy=s,gain:higher=g,test-n=n,train-n=k,failure=x")
	if err != nil {
		f.Fatal(err)
	}
	fuzz(f, "table", "", Options{Dataset: "d", Map: m, Folds: 2, Partitions: "p"},
		"m,c.r,f,s,g,n,k,x\na,0,0,1,2,1,1,\na,0,1,1,2,1,1,\n",
		"m;c.r;f;s;g;n;k;x\na;1;1;1;2;1;1;\na;1;2;;;1;1;gone\n",
		`{"m":"a","c":{"r":0},"f":0,"s":1,"g":2,"n":1,"k":1,"x":null}`+"\n"+`{"m":"a","c":{"r":0},"f":1,"s":NaN,"n":1,"k":1,"x":[1,"gone"]}`,
		`[{"m":"a","c":{"r":0},"f":0,"s":1,"g":2,"n":1,"k":1}]`,
		`{"m":["a","a"],"c.r":[0,0],"f":[1,2],"s":[1,1],"g":[0,1],"n":[1,1],"k":[1,1],"x":[null,null]}`)
}

func FuzzWideTable(f *testing.F) {
	m, err := ParseMap("learner=m,accuracy=s{run}_{fold}")
	if err != nil {
		f.Fatal(err)
	}
	fuzz(f, "table", "", Options{
		Dataset: "d", Map: m, Folds: 2, Partitions: "p",
		Examples: map[string]int{"": 10},
	}, "m,s0_0,s0_1\na,0.2,0.4\n",
		"m\ts1_1\ts1_2\ts2_1\ts2_2\na\t0.2\t0.4\t1\t0\n")
}

func FuzzSearch(f *testing.F) {
	o := Options{Dataset: "d", Folds: 2, Runs: 1, Partitions: "p", Examples: map[string]int{"": 10}}
	fuzz(f, formatSearch, "", o, "param_a,params,split0_test_r2,split1_test_r2,mean_test_r2\n1,{},0.5,1,0.75\n", `{"param_a":{"0":1},"params":{"0":{"a":1}},"split0_test_accuracy":{"0":0.4},"split1_test_accuracy":{"0":null}}`)
}

func FuzzParseMap(f *testing.F) {
	f.Add("data=dataset,gain:higher=score")
	f.Add(`"accuracy=a,b"`)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseMap(text)
		if (err == nil) == (len(m) == 0) {
			t.Errorf("%v, and the error %v", m, err)
		}
		o := Options{Map: m, Folds: 2, Partitions: "p", Dataset: "d"}
		if res, err := Read(format(t, "table"), o,
			Source{Name: "f", Reader: bytes.NewReader([]byte("a\n1\n")), Learner: "l"}); err != nil &&
			res != nil {
			t.Errorf("results and an error: %v", err)
		}
	})
}

// fuzzItems is fuzz for formats of items.
func fuzzItems(f *testing.F, name, learner string, o ItemOptions, texts ...string) {
	for _, text := range texts {
		f.Add([]byte(text))
	}
	of, ok := LookupItems(name)
	if !ok {
		f.Fatal(name)
	}
	o.Dataset, o.Limits = "d", Limits{Bytes: 1 << 20}
	f.Fuzz(func(t *testing.T, text []byte) {
		res, err := ReadItems(of, o, Source{Name: "f", Reader: bytes.NewReader(text), Learner: learner})
		if err != nil {
			if res != nil {
				t.Errorf("results and an error: %v", err)
			}
			return
		}
		requireStored(t, res.Blocks)
	})
}

func FuzzItemRows(f *testing.F) {
	fuzzItems(f, "items", "l", ItemOptions{
		ID: "a.id", Cluster: "c", Repeat: "k",
		Measures: []Measure{{Column: "s"}},
	},
		`{"a": {"id": "x"}, "c": "y", "k": 1, "s": NaN}`, `[{"a.id": 1, "c": [1], "k": 0, "s": true}]`,
		"a.id,c,k,s\nx,y,1,0.5\n")
}

func FuzzLMEval(f *testing.F) {
	fuzzItems(f, "lm-eval", "l", ItemOptions{},
		`{"doc_id": 0, "metrics": ["acc"], "acc": 1, "doc_hash": "a", "prompt_hash": "b"}`)
}

func FuzzInspect(f *testing.F) {
	fuzzItems(f, "inspect", "", ItemOptions{},
		`{"status":"success","eval":{"model":"m"},"samples":[{"id":1,"epoch":1,"scores":{"s":{"value":"C"},"t":{"value":{"u":1}}}}]}`)
}

func FuzzTREC(f *testing.F) {
	fuzzItems(f, "trec", "", ItemOptions{Qrels: "testdata/items/qrels.txt"},
		"q1 Q0 a 1 2.5 bm25\nq2 Q0 b 1 1e-3 bm25\n")
}

func FuzzPromptfoo(f *testing.F) {
	fuzzItems(f, "promptfoo", "", ItemOptions{},
		`{"results":{"results":[{"promptIdx":0,"provider":{"id":"m"},"vars":{"a":1},"score":1,"failureReason":0}]}}`)
}

func FuzzDockerAgent(f *testing.F) {
	fuzzItems(f, "docker-agent", "", ItemOptions{},
		`{"name":"r","results":[{"input_path":"a","relevance":1,"relevance_expected":2,"cost":0.5},{"title":"b","handoffs":true,"error":"e"}]}`)
}
