package browser

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
)

// TestJournalIsCleaned: no line of the console or the network holds a character that a
// person cannot see, percent-encoded in an address or as it is.
func TestJournalIsCleaned(t *testing.T) {
	const tags = "\U000E0049\U000E0067\U000E006E"
	const encoded = "%F3%A0%81%89%F3%A0%81%A7"
	journal := &tab{inflight: map[network.RequestID]bool{}}
	hear := func(method string, params any) {
		data, err := json.Marshal(params)
		if err != nil {
			t.Fatal(err)
		}
		heard[method](journal, data)
	}
	type object = map[string]any
	hear(runtime.ConsoleAPICalled.Method, object{"type": "log", "args": []object{{"type": "string", "value": "fog" + tags + "\nlog: \u202eforged\x1b[2J" + strings.Repeat("\u200b", 3*journalBytes)}}})
	hear(runtime.ExceptionThrown.Method, object{"exceptionDetails": object{"text": "fog" + tags}})
	hear(network.RequestWillBeSent.Method, object{"requestId": "1", "request": object{"method": "GET", "url": "https://a.example/fog" + encoded}})
	hear(network.ResponseReceived.Method, object{"requestId": "1", "response": object{"status": 200, "url": "https://a.example/"}, "type": "Script"})
	hear(network.ResponseReceived.Method, object{"requestId": "2", "response": object{"status": 200, "url": "https://a.example/fog" + encoded + tags}, "type": "Script"})
	lines := append(journal.journal.console.lines, journal.journal.network.lines...)
	if len(lines) != 4 {
		t.Fatalf("%q", lines)
	}
	for _, l := range lines {
		if !strings.Contains(l, "fog") || strings.Contains(l, "%F3%A0") || len(l) > journalBytes || strings.ContainsAny(l, tags+"\n\x1b\u202e\u200b") {
			t.Errorf("%q", l)
		}
	}
}
