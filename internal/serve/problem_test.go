package serve

import (
	"encoding/json"
	"net/http/httptest"
	"testing"

	"github.com/spyhop-dev/spyhop/tool"
)

// Every problem has the status that the site answered with: that of the problem is ours.
func TestProblemUpstreamStatus(t *testing.T) {
	for _, c := range []struct {
		e        *tool.Error
		status   int
		upstream any
	}{
		{&tool.Error{Type: tool.HTTPError, Message: "gone", Status: 404}, 502, 404.0},
		{&tool.Error{Type: tool.Busy, Message: "quota", Status: 429}, 429, 0.0},
		{&tool.Error{Type: tool.Blocked, Message: "no"}, 403, 0.0},
	} {
		w := httptest.NewRecorder()
		refuse(w, httptest.NewRequest("GET", "/v1/tools/web_fetch", nil), c.e.HTTPStatus(), c.e)
		var got map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != c.status || got["upstream_status"] != c.upstream {
			t.Errorf("%s: %d %v %v", c.e.Type, w.Code, got["upstream_status"], err)
		}
	}
}
