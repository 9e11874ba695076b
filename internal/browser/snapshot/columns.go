package snapshot

import (
	"bytes"
	"errors"
	"strconv"
)

// A page of 20,000 links has some ten million numbers in its columns. These types read
// them without a value of JSON for each, and rows without an allocation for each.

// Ints is a column of whole numbers.
type Ints []int

// IDs is a column of ids of nodes.
type IDs []int64

// IntRows is a column of rows of whole numbers.
type IntRows [][]int

// FloatRows is a column of rows of numbers.
type FloatRows [][]float64

// UnmarshalJSON reads a list of whole numbers.
func (c *Ints) UnmarshalJSON(data []byte) (err error) {
	*c, err = list(data, atoi)
	return err
}

// UnmarshalJSON reads a list of whole numbers.
func (c *IDs) UnmarshalJSON(data []byte) (err error) {
	*c, err = list(data, func(s []byte) (int64, error) { n, err := atoi(s); return int64(n), err })
	return err
}

// UnmarshalJSON reads a list of lists of whole numbers.
func (c *IntRows) UnmarshalJSON(data []byte) (err error) {
	*c, err = lists(data, atoi)
	return err
}

// UnmarshalJSON reads a list of lists of numbers.
func (c *FloatRows) UnmarshalJSON(data []byte) (err error) {
	*c, err = lists(data, func(s []byte) (float64, error) {
		if n, err := atoi(s); err == nil {
			return float64(n), nil
		}
		return strconv.ParseFloat(string(s), 64)
	})
	return err
}

var errColumn = errors.New("a column is not a list of numbers")

// list reads the numbers of a list; nil for null.
func list[T any](data []byte, number func([]byte) (T, error)) ([]T, error) {
	if string(data) == "null" {
		return nil, nil
	}
	out := make([]T, 0, bytes.Count(data, []byte{','})+1)
	out, rest, err := appendList(out, data, number)
	if err == nil && len(space(rest)) > 0 {
		err = errColumn
	}
	return out, err
}

// lists reads lists of numbers into a few arrays. Most boxes of a page have the styles of other
// ones: long rows that are equal are one.
func lists[T any](data []byte, number func([]byte) (T, error)) ([][]T, error) {
	if string(data) == "null" {
		return nil, nil
	}
	rest := space(data)
	if len(rest) == 0 || rest[0] != '[' {
		return nil, errColumn
	}
	const long, mostKnown, array = 60, 20_000, 4096
	rest = space(rest[1:])
	out := make([][]T, 0, bytes.Count(data, []byte{'['}))
	known := make(map[string][]T)
	var all []T
	for len(rest) > 0 && rest[0] != ']' {
		written := rest[:bytes.IndexByte(rest, ']')+1]
		row, ok := known[string(written)]
		if ok {
			rest = rest[len(written):]
		} else {
			if n := bytes.Count(written, []byte{','}) + 1; cap(all)-len(all) < n {
				all = make([]T, 0, max(n, array))
			}
			from := len(all)
			var err error
			if all, rest, err = appendList(all, rest, number); err != nil {
				return nil, err
			}
			row = all[from:len(all):len(all)]
			if len(written) >= long && len(known) < mostKnown {
				known[string(written)] = row
			}
		}
		out = append(out, row)
		if rest = space(rest); len(rest) > 0 && rest[0] == ',' {
			rest = space(rest[1:])
		}
	}
	if len(rest) == 0 || len(space(rest[1:])) > 0 {
		return nil, errColumn
	}
	return out, nil
}

// appendList reads one list, and returns what stands behind it.
func appendList[T any](out []T, data []byte, number func([]byte) (T, error)) ([]T, []byte, error) {
	data = space(data)
	if len(data) == 0 || data[0] != '[' {
		return nil, nil, errColumn
	}
	data = space(data[1:])
	for len(data) > 0 && data[0] != ']' {
		end := 0
		for end < len(data) && data[end] > ' ' && data[end] != ',' && data[end] != ']' {
			end++
		}
		n, err := number(data[:end])
		if err != nil {
			return nil, nil, errColumn
		}
		out = append(out, n)
		if data = space(data[end:]); len(data) > 0 && data[0] == ',' {
			data = space(data[1:])
		}
	}
	if len(data) == 0 {
		return nil, nil, errColumn
	}
	return out, data[1:], nil
}

// space is what stands behind white space.
func space(data []byte) []byte {
	for len(data) > 0 && (data[0] == ' ' || data[0] == '\n' || data[0] == '\t' || data[0] == '\r') {
		data = data[1:]
	}
	return data
}

// atoi reads a whole number of JSON.
func atoi(s []byte) (n int, err error) {
	digits := bytes.TrimPrefix(s, []byte{'-'})
	if len(digits) == 0 || len(digits) > 18 {
		return 0, errColumn
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, errColumn
		}
		n = 10*n + int(c-'0')
	}
	if len(digits) < len(s) {
		n = -n
	}
	return n, nil
}
