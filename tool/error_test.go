package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestErrorTable is the table of errors: exit status, HTTP status, and whether
// a retry can help without and with the status 429.
func TestErrorTable(t *testing.T) {
	for _, c := range []struct {
		t          ErrorType
		exit, http int
		retry      bool
		retry429   bool
	}{
		{InvalidURL, 2, 400, false, false},
		{InvalidInput, 2, 400, false, false},
		{Blocked, 3, 403, false, false},
		{HTTPError, 4, 502, false, true},
		{Timeout, 5, 504, true, true},
		{ConnectionError, 5, 502, true, true},
		{TLSError, 5, 502, false, false},
		{TooLarge, 6, 413, false, false},
		{UnsupportedContent, 6, 415, false, false},
		{ParseError, 6, 422, false, false},
		{NoContent, 6, 422, false, false},
		{SearchError, 1, 502, false, false},
		{BrowserError, 1, 503, true, true},
		{BrowserMissing, 7, 503, false, false},
		{ModelError, 1, 502, false, true},
		{Busy, 1, 503, true, true},
		{Cancelled, 130, 499, false, false},
		{Internal, 1, 500, false, false},
	} {
		if !c.t.Valid() {
			t.Errorf("%s is not of the closed set", c.t)
		}
		if c.t.ExitCode() != c.exit || c.t.HTTPStatus() != c.http {
			t.Errorf("%s: exit %d, HTTP %d; want %d, %d", c.t, c.t.ExitCode(), c.t.HTTPStatus(), c.exit, c.http)
		}
		if c.t.RetryPossible(0) != c.retry || c.t.RetryPossible(429) != c.retry429 {
			t.Errorf("%s: retry %v, with 429 %v", c.t, c.t.RetryPossible(0), c.t.RetryPossible(429))
		}
	}
	if ErrorType("Oops").Valid() || ErrorType("Oops").ExitCode() != 1 {
		t.Error("an unknown type is of the closed set")
	}
	for status, want := range map[int]bool{400: false, 404: false, 408: true, 425: true, 429: true, 500: true, 503: true, 599: true, 600: false} {
		if got := HTTPError.RetryPossible(status); got != want {
			t.Errorf("HTTP %d: retry %v", status, got)
		}
	}
}

func TestErrorJSON(t *testing.T) {
	asked := &Error{Type: HTTPError, Message: "HTTP 404", Status: 404}
	if got, err := asked.MarshalJSON(); err != nil || !strings.HasSuffix(string(got), `"upstream_status":404}`) {
		t.Errorf("got %s, %v", got, err)
	}
	if n := (&Error{Type: Busy, Status: 429}).UpstreamStatus(); n != 0 {
		t.Errorf("a quota of this program is not a site's status: %d", n)
	}
	e := &Error{Type: Blocked, Message: "a <b> & c", Hint: "use another", Status: 3}
	const want = `{"error":true,"error_type":"Blocked","error_message":"a <b> & c","retry_possible":false,"hint":"use another"}`
	got, err := e.MarshalJSON()
	if err != nil || string(got) != want {
		t.Fatalf("got %s, %v", got, err)
	}
	var back Error
	if err := json.Unmarshal(got, &back); err != nil || back.Type != Blocked || back.Hint != e.Hint {
		t.Errorf("back: %+v, %v", back, err)
	}
	if err := json.Unmarshal([]byte(`{"error":true,"error_type":"Oops"}`), &back); err == nil {
		t.Error("an unknown type was read")
	}
	if e.Text() != "a <b> & c\nuse another" || (&Error{Message: "m"}).Text() != "m" {
		t.Errorf("text %q", e.Text())
	}
}

func TestAsError(t *testing.T) {
	inner := NewError(Timeout, "late", "")
	if got := AsError(fmt.Errorf("outer: %w", inner)); got != inner {
		t.Errorf("wrapped: %+v", got)
	}
	if AsError(nil) != nil {
		t.Error("nil became an error")
	}
	cause := errors.New("password=x")
	e := AsError(cause)
	if e.Type != Internal || !errors.Is(e, cause) || e.Message == AsError(cause).Message {
		t.Errorf("internal: %+v", e)
	}
}
