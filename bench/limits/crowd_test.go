package main

import "testing"

func TestOutcome(t *testing.T) {
	for _, c := range []struct {
		name   string
		status int
		over   string
		body   string
		why    string
		ok     bool
	}{
		{"an answer", 200, "fetch", `{"success":true,"markdown":"a"}`, "", true},
		{"success without success", 200, "fetch", `{"success":false}`, "", false},
		{"a refusal", 422, "fetch", `{"error_type":"NoContent","error_message":"no readable content"}`, "over REST: NoContent, no readable content", true},
		{"a refusal without a reason", 422, "fetch", `{"error_type":"NoContent"}`, "over REST: NoContent, ", false},
		{"half of an answer", 200, "fetch", `{"success":true,`, "", false},
		{"an answer over MCP", 200, "mcp", `{"result":{"content":[{"type":"text","text":"Contents of"}]}}`, "", true},
		{"a refusal over MCP", 200, "mcp", `{"result":{"isError":true,"content":[{"type":"text","text":"Failed to fetch http://a/of-bob-1-/: no readable content\nTry"}]}}`, "over MCP: no readable content", true},
		{"no text over MCP", 200, "mcp", `{"result":{"content":[]}}`, "", false},
		{"an error of the protocol", 200, "mcp", `{"error":{"code":-32602,"message":"a"}}`, "", false},
	} {
		if why, ok := outcome(c.status, c.over, []byte(c.body)); why != c.why || ok != c.ok {
			t.Errorf("%s: %q, %t; want %q, %t", c.name, why, ok, c.why, c.ok)
		}
	}
}
