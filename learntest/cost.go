package learntest

import (
	"fmt"
	"math"
	"time"
)

// A cost is what trainings take.
type cost struct {
	trainings int
	took      time.Duration // 0 if nobody knows
}

// times returns the cost of a share of the trainings.
func (c cost) times(share float64) cost {
	return cost{int(math.Ceil(float64(c.trainings) * share)), time.Duration(float64(c.took) * share)}
}

// String returns the cost in words, as in "200 trainings, about 2m0s".
func (c cost) String() string {
	if c.took == 0 {
		return fmt.Sprintf("%d trainings", c.trainings)
	}
	return fmt.Sprintf("%d trainings, about %s", c.trainings, span(c.took))
}

// duration returns seconds as a duration, which is a hundred years at most.
func duration(seconds float64) time.Duration {
	const most = 100 * 365 * 24 * time.Hour
	return time.Duration(min(seconds, most.Seconds()) * float64(time.Second))
}

// span returns a duration in words.
func span(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case 0 < d && d < time.Millisecond:
		return "less than 1ms"
	case d < 10*time.Second:
		return d.Round(time.Millisecond).String()
	case d < 2*day:
		return d.Round(time.Second).String()
	}
	return fmt.Sprintf("%.0f days", d.Hours()/day.Hours())
}
