package corpus

import (
	"context"
	"fmt"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/egress"
)

// Each case through the default policy, with the case's own answers from the
// DNS.
func TestCorpus(t *testing.T) {
	results, err := Run(t.Context(), egress.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	wrong, seen := 0, map[string]bool{}
	for _, r := range results {
		if !r.Right() {
			wrong++
			t.Errorf("%s: %.120q (%s): want allowed=%v, got %v by %q: %s", r.ID, r.URL, r.Why, r.Allow, r.Decision.Allowed, r.Decision.Rule, r.Decision.Reason)
		}
		if !r.Decision.Allowed && (r.Decision.Rule == egress.RuleNone || r.Decision.Reason == "") {
			t.Errorf("%s: a refusal without rule or reason: %+v", r.ID, r.Decision)
		}
		if seen[r.ID] || r.ID == "" || r.Why == "" || r.Kind() == r.ID {
			t.Errorf("%s: not a case of its own", r.ID)
		}
		seen[r.ID] = true
	}
	t.Logf("%d rows right, %d wrong", len(results)-wrong, wrong)
	if len(results) < 400 {
		t.Errorf("only %d rows", len(results))
	}
}

// A guard that lets too much through is caught.
func TestRunCatches(t *testing.T) {
	e, err := egress.ParseException("127.0.0.0/8")
	if err != nil {
		t.Fatal(err)
	}
	results, err := Run(t.Context(), egress.Policy{Private: []egress.Exception{e}, HTTP: egress.HTTPRefuse})
	if err != nil {
		t.Fatal(err)
	}
	through, refused := 0, 0
	for _, r := range results {
		switch {
		case r.Right():
		case r.Allow:
			refused++
		default:
			through++
		}
	}
	if through < 5 || refused < 5 {
		t.Errorf("%d let through, %d refused", through, refused)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, egress.Policy{}); err == nil {
		t.Error("a cancelled run goes on")
	}
}

func ExampleRun() {
	results, err := Run(context.Background(), egress.Policy{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(results[0].URL, results[0].Decision.Rule, results[0].Right())
	// Output: http://127.0.0.1/ address true
}
