package examples

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the files of made-up data")

// TestDataAreMadeUp shows how the files in testdata came about. Nobody's data are in them.
func TestDataAreMadeUp(t *testing.T) {
	for name, text := range map[string]string{"messages.csv": madeUpMessages(), "visits.csv": madeUpVisits(), "demand.csv": madeUpDemand()} {
		path := filepath.Join("testdata", name)
		if *update {
			require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		}
		is, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, text, string(is), "go test -run TestDataAreMadeUp -update writes %s", path)
	}
}

// madeUpMessages returns messages of a few words of their topic and some of any.
func madeUpMessages() string {
	r := rand.New(rand.NewPCG(1, 1))
	topics := []string{"billing", "fault", "question"}
	of := [][]string{
		strings.Fields("invoice payment refund charged card twice receipt amount price monthly"),
		strings.Fields("crash error broken screen frozen restart login fails slow message"),
		strings.Fields("how where can find settings change language export guide possible"),
	}
	any := strings.Fields("please hello again today since yesterday account help thanks still team with the my and this")
	var b strings.Builder
	b.WriteString("text,topic\n")
	for i := range 240 {
		k := i % 3
		var words []string
		for range 6 + r.IntN(6) {
			from := any
			switch r.IntN(5) {
			case 0:
				from = of[k]
			case 1:
				from = of[r.IntN(3)]
			}
			words = append(words, from[r.IntN(len(from))])
		}
		fmt.Fprintf(&b, "%s,%s\n", strings.Join(words, " "), topics[k])
	}
	return b.String()
}

// madeUpVisits returns visits of patients that are alike in age and pressure, and ill or not
// each time.
func madeUpVisits() string {
	r := rand.New(rand.NewPCG(2, 2))
	var b strings.Builder
	b.WriteString("patient,age,pressure,ill\n")
	for p := range 200 {
		age := 30 + r.IntN(60)
		pressure := 110 + 40*r.Float64()
		ill := r.Float64() < 1/(1+math.Exp(-float64(age-60)/12))
		for range 4 {
			taken := ""
			if r.IntN(10) > 0 {
				taken = fmt.Sprintf("%.0f", pressure+r.NormFloat64())
			}
			fmt.Fprintf(&b, "p%03d,%d,%s,%t\n", p+1, age, taken, ill != (r.IntN(20) == 0))
		}
	}
	return b.String()
}

// madeUpDemand returns a year of days: a weekly pattern, more where it is cold, and noise.
func madeUpDemand() string {
	r := rand.New(rand.NewPCG(3, 3))
	week := []float64{100, 104, 103, 101, 96, 70, 62}
	var b strings.Builder
	b.WriteString("date,week_ago,temperature_forecast,demand\n")
	var demand []float64
	cold := 0.0
	for d := range 372 {
		cold = float64(0.8*cold) + r.NormFloat64()
		demand = append(demand, week[d%7]+float64(3*cold)+float64(2*r.NormFloat64()))
		if d >= 7 {
			fmt.Fprintf(&b, "day %d,%.1f,%.1f,%.1f\n", d, demand[d-7], 12-float64(2*cold)+r.NormFloat64(), demand[d])
		}
	}
	return b.String()
}
