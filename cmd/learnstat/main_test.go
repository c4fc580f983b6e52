package main

import (
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/print"
	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/scripttest"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false,
	"rewrite the expected output of the scripts and of the documentation")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"learnstat": func() {
		os.Exit(checkedRun(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}})
}

// imported is where results of other tools are.
var imported = filepath.Join("..", "..", "learntest", "record", "imports", "testdata")

// TestScripts runs the scripts in copies of the result files in testdata. It is not parallel to
// other tests, as calls change the working directory.
func TestScripts(t *testing.T) {
	testdata, err := filepath.Abs("testdata")
	require.NoError(t, err)
	imported, err := filepath.Abs(imported)
	require.NoError(t, err)
	files, err := scriptFiles(testdata, imported)
	require.NoError(t, err)
	program := scripttest.Program{
		Name: "learnstat",
		Run: func(args []string, stdout, stderr io.Writer) int {
			return checkedRun(args, strings.NewReader(""), stdout, stderr)
		},
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join(testdata, "script"),
		RequireExplicitExec: true,
		UpdateScripts:       *update,
		Setup: func(env *testscript.Env) error {
			return copyNamed(env.WorkDir, filepath.Join(testdata, "script"), files)
		},
		Condition: scripttest.Condition,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"call": program.Call, "status": program.Status, "feed": feed,
			"edit": edit, "cat": cat,
		},
	})
}

// scriptFiles returns the files of scripts, by their paths in the directory of a script: results in
// testdata, and results of other tools.
func scriptFiles(testdata, imported string) (map[string]string, error) {
	files := make(map[string]string)
	err := filepath.WalkDir(imported, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			relative, _ := filepath.Rel(imported, path)
			files[filepath.Join("tools", relative)] = path
		}
		return err
	})
	found, _ := filepath.Glob(filepath.Join(testdata, "*.txt"))
	for _, path := range append(found, filepath.Join(imported, "weka", "experiment.csv"),
		filepath.Join(imported, "sklearn", "bayes.csv"), filepath.Join(imported, "sklearn", "tree.csv")) {
		files[filepath.Base(path)] = path
	}
	return files, err
}

// copyNamed copies the files whose names stand in the script of a directory, since most scripts
// name a few of many; of a file in tools/, that is tools/.
func copyNamed(dir, scripts string, files map[string]string) error {
	name, ok := strings.CutPrefix(filepath.Base(dir), "script-")
	if !ok {
		return fmt.Errorf("%s is the directory of no script", dir)
	}
	script, err := os.ReadFile(filepath.Join(scripts, name+".txtar"))
	if err != nil {
		return err
	}
	for to, from := range files {
		mention := to
		if first, _, ok := strings.Cut(filepath.ToSlash(to), "/"); ok {
			mention = first + "/"
		}
		if !strings.Contains(string(script), mention) {
			continue
		}
		data, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		to = filepath.Join(dir, to)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(to, data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// edit changes the lines of a file that match a regular expression, of which
// there must be one or more:
//
//	edit drop FILE REGEXP
//	edit double FILE REGEXP
//	edit replace FILE REGEXP TEXT
//	edit cut FILE REGEXP    ends the file behind the first match, inside its line
//	edit fail FILE REGEXP   makes the trial of the line one that has failed
//
// In TEXT, \n ends a line.
// The checksums are left out, as in a file of another tool; with "edit keep
// replace ..." and so on they stay.
func edit(ts *testscript.TestScript, neg bool, args []string) {
	keep := len(args) > 0 && args[0] == "keep"
	if keep {
		args = args[1:]
	}
	if neg || len(args) < 3 {
		ts.Fatalf("usage: edit drop|double|replace|cut|fail FILE REGEXP [TEXT]")
	}
	re := regexp.MustCompile(args[2])
	text := ts.ReadFile(args[1])
	var b strings.Builder
	matches := 0
	for line := range strings.Lines(text) {
		if !keep && strings.HasPrefix(line, "Checksum:") {
			continue
		}
		at := re.FindStringIndex(line)
		if at == nil {
			b.WriteString(line)
			continue
		}
		matches++
		switch args[0] {
		case "drop":
		case "double":
			b.WriteString(line + line)
		case "replace":
			b.WriteString(re.ReplaceAllString(line, strings.ReplaceAll(args[3], `\n`, "\n")))
		case "fail":
			f := strings.Fields(line)
			at := slices.Index(f, "train-n") - 1
			line = strings.Join(slices.Concat(f[:2], []string{"1", "failed"}, f[at:]), " ")
			b.WriteString("error: panic: index out of range\n" + line + "\nerror:\n")
		case "cut":
			b.WriteString(line[:at[1]])
		default:
			ts.Fatalf("edit %s is unknown", args[0])
		}
		if args[0] == "cut" {
			break
		}
	}
	if matches == 0 {
		ts.Fatalf("no line of %s matches %s", args[1], args[2])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(b.String()), 0o666))
}

// checkedRun is run for the scripts. Of every report, the JSON form is validated, too, and lines of
// the default form are not wide. Slow tests make the JSON form by a command line of its own.
func checkedRun(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a, err := answerTo(args, stdin, terminal(stdout))
	faults, invalid := reportFaults(a.report)
	if citest.Has(citest.Slow) && faults == nil && invalid == nil {
		if text, ok := jsonOf(args); ok {
			faults, invalid = validateJSON([]byte(text))
		}
	}
	if faults != nil || invalid != nil {
		fmt.Fprintf(stderr, "the JSON form is not as %s has it: %v %q\n", schemaName(), invalid, faults)
		return 99
	}
	status := a.write(stdout, stderr, err)
	if _, ok := stdout.(*os.File); ok { // it may be a terminal
		return status
	}
	if wide := wideLines(args, a.text); wide != nil {
		fmt.Fprintf(stderr, "lines are too wide: %q\n", wide)
		return 98
	}
	return status
}

// learnstat returns the parts of an answer.
func learnstat(args []string, stdin io.Reader, o print.Options) (status int, text string,
	messages []string, err error,
) {
	a, err := answerTo(args, stdin, o)
	return a.status, a.text, a.messages, err
}
