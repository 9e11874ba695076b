package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// overHTTPCall makes a call about a page to the server at an address.
type overHTTPCall func(server, page string, timeout time.Duration) (*http.Response, error)

// overHTTP are the calls of the ways "serve" and "serve-late", by name. Those of the command
// line are "serve:NAME"; "serve" alone is "serve:fetch".
var overHTTP = map[string]overHTTPCall{
	"fetch":        fetchWith(nil),
	"text":         fetchWith(members{"mode": "text"}),
	"html":         fetchWith(members{"mode": "html"}),
	"raw":          fetchWith(members{"mode": "raw"}),
	"links":        fetchWith(members{"mode": "links"}),
	"outline":      fetchWith(members{"mode": "outline"}),
	"data":         fetchWith(members{"mode": "data"}),
	"all":          fetchWith(members{"max_length": 0}),
	"query":        fetchWith(members{"query": longQuery()}),
	"must_contain": fetchWith(members{"must_contain": "aaaaaaaaaaaaaaaab"}),
	"selector":     fetchWith(members{"selector": costlySelector}),
	"schema":       fetchWith(members{"schema": fields(45)}),
	"sections":     fetchWith(members{"section": []string{"Section 1", "Section 2", "Title", "a"}}),
	"prompt":       fetchWith(members{"prompt": "Which quick brown fox is it?"}), // without a model: passages
	"whole":        fetchWith(members{"whole": true, "max_length": 0, "images": true}),
	"since":        fetchWith(members{"since": "last", "fresh": true}),
	"urls":         fetchAll(4, nil),
	"twelve":       fetchAll(12, nil), // as many as a call may have
	"twelve-query": fetchAll(12, members{"query": longQuery()}),
	"twelve-all":   fetchAll(12, members{"max_length": 0}),
	"batch": func(server, page string, _ time.Duration) (*http.Response, error) {
		r, err := post(server+"/v2/batch/scrape", members{"urls": addresses(page, 12)}, nil)
		if err != nil {
			return nil, err
		}
		var job struct{ ID string }
		err = json.NewDecoder(r.Body).Decode(&job)
		r.Body.Close()
		for begun := time.Now(); err == nil && time.Since(begun) < time.Minute; time.Sleep(200 * time.Millisecond) {
			if r, err = http.Get(server + "/v2/batch/scrape/" + job.ID); err != nil {
				break
			}
			body, failed := io.ReadAll(r.Body)
			r.Body.Close()
			r.Body, err = io.NopCloser(bytes.NewReader(body)), failed
			if r.StatusCode != http.StatusOK || !bytes.Contains(body, []byte(`"status":"scraping"`)) {
				break
			}
		}
		return r, err
	},
	"map": func(server, page string, _ time.Duration) (*http.Response, error) {
		return post(server+"/v1/tools/web_map", members{"url": page, "query": "quick brown fox"}, nil)
	},
	"crawl":       crawlWith(""),
	"crawl-query": crawlWith(longQuery()),
	"scrape": func(server, page string, timeout time.Duration) (*http.Response, error) {
		return post(server+"/v2/scrape", members{"url": page, "timeout": timeout.Milliseconds(), "formats": []any{"markdown", "html", "links", members{"type": "highlights", "query": "quick brown fox"}}}, nil)
	},
	"mcp": func(server, page string, timeout time.Duration) (*http.Response, error) {
		meta := members{"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": members{}, "io.modelcontextprotocol/clientInfo": members{"name": "limits", "version": "1"}}
		arguments := members{"url": page, "render": "never", "timeout_ms": timeout.Milliseconds()}
		return post(server+"/mcp", members{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": members{"name": "web_fetch", "arguments": arguments, "_meta": meta}},
			map[string]string{"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "web_fetch", "Accept": "application/json, text/event-stream"})
	},
	"read": func(server, page string, _ time.Duration) (*http.Response, error) {
		return http.Get(server + "/read/" + page)
	},
}

type members = map[string]any

// costlySelector compares every element with its siblings.
const costlySelector = ":is(p,div,td,li):not(:has(b)) , p ~ p ~ p"

// longQuery has sixty words of up to a thousand letters.
func longQuery() string {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "a%d %s ", i, strings.Repeat(string(rune('a'+i%26)), 1+i*40))
	}
	return b.String() + "a b c quick brown fox"
}

// fetchWith is a call of web_fetch with further arguments, where nil leaves one out.
func fetchWith(more ...members) overHTTPCall {
	return func(server, page string, timeout time.Duration) (*http.Response, error) {
		body := members{"url": page, "render": "never", "timeout_ms": timeout.Milliseconds()}
		for _, m := range more {
			maps.Copy(body, m)
		}
		maps.DeleteFunc(body, func(_ string, value any) bool { return value == nil })
		return post(server+"/v1/tools/web_fetch", body, nil)
	}
}

// fetchAll is a call of web_fetch with so many addresses and further arguments.
func fetchAll(n int, more members) overHTTPCall {
	return func(server, page string, timeout time.Duration) (*http.Response, error) {
		return fetchWith(members{"urls": addresses(page, n), "url": nil}, more)(server, page, timeout)
	}
}

func addresses(page string, n int) (urls []string) {
	for i := range n {
		urls = append(urls, fmt.Sprintf("%s%d", page, i))
	}
	return urls
}

func crawlWith(query string) overHTTPCall {
	return func(server, page string, timeout time.Duration) (*http.Response, error) {
		body := members{"url": page, "render": "never", "max_pages": 4, "deadline_s": int(max(timeout, time.Second) / time.Second)}
		if query != "" {
			body["query"] = query[len(query)-min(len(query), 900):]
		}
		return post(server+"/v1/tools/web_crawl", body, nil)
	}
}

func post(url string, body members, header map[string]string) (*http.Response, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(string(raw)))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	if token := r.URL.User.Username(); token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
		r.URL.User = nil
	}
	for name, value := range header {
		r.Header.Set(name, value)
	}
	return http.DefaultClient.Do(r)
}

// overHTTPNames are the names of the calls.
func overHTTPNames() []string {
	var names []string
	for name := range overHTTP {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
