package uci

import (
	"strconv"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// product calls yield with every tuple of digits below the given bases, the last
// digit running fastest. The tuple is valid during the call.
func product(bases []int, yield func(digits []int32)) {
	digits := make([]int32, len(bases))
	for {
		yield(digits)
		j := len(bases) - 1
		for ; j >= 0; j-- {
			if digits[j]++; int(digits[j]) < bases[j] {
				break
			}
			digits[j] = 0
		}
		if j < 0 {
			return
		}
	}
}

func nominal(name string, values ...string) dataset.Column {
	return dataset.Column{Attribute: dataset.Attribute{
		Name: name, Kind: dataset.Nominal,
		Values: values,
	}}
}

func balanceScale(name string) (*dataset.Table, error) {
	cols := make([]dataset.Column, 5)
	for j, attr := range []string{"left-weight", "left-distance", "right-weight", "right-distance"} {
		cols[j].Name = attr
	}
	cols[4] = nominal("class", "L", "B", "R")
	product([]int{5, 5, 5, 5}, func(d []int32) {
		for j, x := range d {
			cols[j].Numbers = append(cols[j].Numbers, float64(x+1))
		}
		left, right := (d[0]+1)*(d[1]+1), (d[2]+1)*(d[3]+1)
		class := int32(1)
		if left > right {
			class = 0
		} else if left < right {
			class = 2
		}
		cols[4].Codes = append(cols[4].Codes, class)
	})
	return dataset.New(name, cols, 4, nil)
}

func monks1(name string) (*dataset.Table, error) {
	return monks(name, func(a []int32) bool { return a[1] == a[2] || a[5] == 1 })
}

func monks2(name string) (*dataset.Table, error) {
	return monks(name, func(a []int32) bool {
		ones := 0
		for _, x := range a[1:] {
			if x == 1 {
				ones++
			}
		}
		return ones == 2
	})
}

func monks3(name string) (*dataset.Table, error) {
	return monks(name, func(a []int32) bool {
		return a[5] == 3 && a[4] == 1 || a[5] != 4 &&
			a[2] != 3
	})
}

// monks labels all robots of the MONK's problems. The rule counts attributes and
// their values from 1.
func monks(name string, rule func(a []int32) bool) (*dataset.Table, error) {
	bases := []int{3, 3, 2, 3, 4, 2}
	cols := make([]dataset.Column, len(bases)+1)
	for j, base := range bases {
		cols[j] = nominal("a" + strconv.Itoa(j+1))
		for v := range base {
			cols[j].Values = append(cols[j].Values, strconv.Itoa(v+1))
		}
	}
	class := &cols[len(bases)]
	*class = nominal("class", "0", "1")
	a := make([]int32, len(bases)+1)
	product(bases, func(d []int32) {
		for j, x := range d {
			a[j+1] = x + 1
			cols[j].Codes = append(cols[j].Codes, x)
		}
		code := int32(0)
		if rule(a) {
			code = 1
		}
		class.Codes = append(class.Codes, code)
	})
	return dataset.New(name, cols, len(bases), nil)
}

// ticTacToe lists the boards on which x wins, then those on which o wins, then
// the draws, each in the order of their squares with x before o before blank.
func ticTacToe(name string) (*dataset.Table, error) {
	const x, o, blank = 0, 1, 2
	var cols [10]dataset.Column
	for j, square := range []string{
		"top-left", "top-middle", "top-right", "middle-left", "middle-middle",
		"middle-right", "bottom-left", "bottom-middle", "bottom-right",
	} {
		cols[j] = nominal(square+"-square", "b", "o", "x")
	}
	cols[9] = nominal("Class", "negative", "positive")
	code := [...]int32{x: 2, o: 1, blank: 0}
	list := func(accept func(board []int32) bool, class int32) {
		product([]int{3, 3, 3, 3, 3, 3, 3, 3, 3}, func(board []int32) {
			if !accept(board) {
				return
			}
			for j, mark := range board {
				cols[j].Codes = append(cols[j].Codes, code[mark])
			}
			cols[9].Codes = append(cols[9].Codes, class)
		})
	}
	// The winner moved last, and x first.
	list(func(b []int32) bool { return wins(b, x) && !wins(b, o) && count(b, x) == count(b, o)+1 }, 1)
	list(func(b []int32) bool { return wins(b, o) && !wins(b, x) && count(b, x) == count(b, o) }, 0)
	list(func(b []int32) bool {
		return !wins(b, o) && !wins(b, x) && count(b, x) == 5 &&
			count(b, o) == 4
	}, 0)
	return dataset.New(name, cols[:], 9, nil)
}

func wins(board []int32, mark int32) bool {
	for _, line := range [][3]int{
		{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6},
	} {
		if board[line[0]] == mark && board[line[1]] == mark && board[line[2]] == mark {
			return true
		}
	}
	return false
}

func count(board []int32, mark int32) int {
	n := 0
	for _, m := range board {
		if m == mark {
			n++
		}
	}
	return n
}
