package main

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/tool"
)

// request is what the flags ask for. --json, and the mode json, print the complete answer.
func (c *fetchCmd) request(s *session) (spyhop.FetchRequest, error) {
	q, err := c.fetchFlags.request()
	if err == nil {
		q.Header, err = headers(c.Header)
	}
	if err == nil {
		err = s.finishRequest(&q, c.Schema)
	}
	return q, err
}

// finishRequest reads the schema of a request, and moves the mode json to the session.
func (s *session) finishRequest(q *spyhop.FetchRequest, schema string) (err error) {
	if q.Mode == spyhop.ModeJSON {
		s.cli.JSON, q.Mode = true, spyhop.ModeMarkdown
	}
	if schema != "" {
		q.Schema, err = s.file(schema, maxSmall)
	}
	return err
}

// headers reads request headers as "Name: value"; nil for none.
func headers(given []string) (map[string]string, error) {
	if len(given) == 0 {
		return nil, nil
	}
	out := map[string]string{}
	for _, h := range given {
		name, value, ok := strings.Cut(h, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || name == "" || strings.ContainsAny(h, "\r\n\x00") {
			return nil, tool.NewError(tool.InvalidInput, fmt.Sprintf("--header %q is not a header", h), `use the form "Name: value"`)
		}
		switch http.CanonicalHeaderKey(name) {
		case "Authorization", "Cookie", "Proxy-Authorization":
			return nil, tool.NewError(tool.InvalidInput, "--header "+name+" would go to other hosts as well",
				"use --auth, --bearer or --cookie, which are bound to the URL")
		}
		out[name] = value
	}
	return out, nil
}
