package snapshot

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// TestColumns: a column is read as the standard reader reads it, or refused as it does.
func TestColumns(t *testing.T) {
	long := strings.Repeat(",34", 40)
	for _, data := range []string{
		`null`, `[]`, `[1]`, ` [ 1 , -2,3 ] `, `[0,-0,123456789012345678]`, `[1,2`, `[1 2]`, `[,]`, `[1,]`, `{}`, `"x"`, `[true]`, `[1.5]`, `[[1]]`, `[-]`, `1`,
		`[[]]`, `[[1,2],[],[3]]`, ` [ [ 1 ] , [ -2 , 3 ] ] `, `[[1],2]`, `[[1]`, `[[1.5,-2e3,1e+21,0.1]]`, `[[1],]`, `[[1,]]`, `[[1][2]]`, `[["1"]]`, `[[1e999]]`,
		`[[1` + long + `],[2],[1` + long + `],[1` + long + `,],[1` + long + `]]`, `[[1` + long + `],[1` + long + `]]`, `[[1` + long + `],[1` + long,
	} {
		same(t, data, new(Ints), new([]int))
		same(t, data, new(IDs), new([]int64))
		same(t, data, new(IntRows), new([][]int))
		same(t, data, new(FloatRows), new([][]float64))
	}
	var rows IntRows
	if err := json.Unmarshal([]byte(`[[1],[2]]`), &rows); err != nil {
		t.Fatal(err)
	}
	rows[0] = append(rows[0], math.MaxInt)
	if rows[1][0] != 2 {
		t.Error("a row that grows writes into the next one")
	}
	if err := json.Unmarshal([]byte(`[[1`+long+`],[1`+long+`]]`), &rows); err != nil || &rows[0][0] != &rows[1][0] {
		t.Error("equal long rows are not one", err)
	}
}

// same reads data into two values of the same form.
func same(t *testing.T, data string, ours, theirs any) {
	t.Helper()
	failed, want := json.Unmarshal([]byte(data), ours), json.Unmarshal([]byte(data), theirs)
	if (failed == nil) != (want == nil) {
		t.Errorf("%T of %s: %v, want %v", ours, data, failed, want)
		return
	}
	a, _ := json.Marshal(ours)
	b, _ := json.Marshal(theirs)
	if want == nil && string(a) != string(b) {
		t.Errorf("%T of %s: %s, want %s", ours, data, a, b)
	}
}
