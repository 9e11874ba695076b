package serve

import (
	"context"
	"net/http"
	"strconv"

	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// POST /v1/extracts reads the same data from many pages in the background; GET
// /v1/extracts/{id} has its rows so far, from cursor on.

const (
	extractsPath = "/v1/extracts"
	// rowsAtOnce bounds the rows of a response.
	rowsAtOnce = 1000
)

func extractInput() tool.Schema {
	return tool.Object(
		tool.Array("urls", "pages, or patterns as example.com/products/*", tool.Text()).Require(),
		tool.Map("schema", "a JSON Schema; with an x-selector for each value no model is needed").Require(),
		tool.String("prompt", "what a model should know about the values"),
		tool.Boolean("crawl", "reads the pages that crawls from urls find").WithDefault(false),
		tool.Integer("max_pages", "100 for patterns and crawls").Clamp(1, mostRows),
	)
}

// servesFetch reports whether pages can be fetched here at all.
func (s *Server) servesFetch() bool {
	_, e := s.find("web_fetch")
	return e == nil
}

// startExtract answers POST.
func (s *Server) startExtract(w http.ResponseWriter, r *http.Request) {
	q, _, notices, err := bodyOf[result.DataRequest](r, extractInput())
	if err != nil {
		s.fail(w, r, tool.AsError(err))
		return
	}
	t, e := s.begin(r, "extract job", func(ctx context.Context, t *task) error {
		sum, err := s.o.Data(ctx, q, t.add)
		t.mu.Lock()
		defer t.mu.Unlock()
		t.value = sum
		return err
	})
	if e != nil {
		s.fail(w, r, e)
		return
	}
	out := map[string]any{"id": t.id, "state": "running", "url": extractsPath + "/" + t.id}
	if len(notices) > 0 {
		out["notices"] = notices
	}
	s.answerJSON(w, r, http.StatusAccepted, out)
}

// add keeps a row.
func (t *task) add(row result.DataRow) error {
	size := len(row.Data) + len(row.URL)
	for _, c := range row.Citations {
		size += len(c.Quote) + len(c.URL)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.bytes += size; t.bytes > mostRowBytes || len(t.rows) >= mostRows {
		return tool.NewError(tool.TooLarge, "the rows have more than 32 MB together", "extract fewer pages at a time")
	}
	t.rows = append(t.rows, row)
	return nil
}

// extract answers with the state of an extract and a part of its rows, or ends it.
func (s *Server) extract(w http.ResponseWriter, r *http.Request) {
	t, e := s.tasks.find(r, "extract job")
	if e != nil {
		refuse(w, r, http.StatusNotFound, e)
		return
	}
	if r.Method == http.MethodDelete {
		t.stop()
	}
	cursor, e := number(r, "cursor", 0, 0, 1<<62)
	if e != nil {
		s.fail(w, r, e)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	from := min(int(cursor), len(t.rows))
	to := min(from+rowsAtOnce, len(t.rows))
	out := map[string]any{"id": t.id, "state": t.state(), "rows": append([]any{}, t.rows[from:to]...)}
	if to < len(t.rows) || t.ended.IsZero() {
		out["next"] = extractsPath + "/" + t.id + "?cursor=" + strconv.Itoa(to)
	}
	if t.value != nil {
		out["summary"] = t.value
	}
	if t.err != nil {
		out["error"] = toProblem(t.err.HTTPStatus(), t.err)
	}
	s.answerJSON(w, r, http.StatusOK, out)
}

// extractRoutes are the paths.
func (s *Server) extractRoutes() []route {
	open := tool.Schema{Type: tool.TypeObject, Open: true}
	started := tool.Object(tool.String("id", "").Require(), tool.String("state", "").Require(), tool.String("url", "of its state").Require())
	state := responses("The state.", jsonBody(tool.Object(tool.String("id", "").Require(), tool.String("state", "").OneOf("running", "completed", "failed", "cancelled").Require(),
		tool.Array("rows", "url, version, data, evidence, citations, missing, error", open).Require(), tool.String("next", "where further rows are"), tool.Member("summary", "at the end", open), tool.Member("error", "why it failed", open))))
	server := []string{"server"}
	return []route{
		{path: extractsPath, post: endpoint{s.startExtract, operation{ID: "start_extract", Tags: server, Summary: "Starts to read the same data from many pages",
			Description: "Kept in memory for an hour after its end.", Body: object{"required": true, "content": jsonBody(extractInput())}, Responses: responsesAs("202", "It runs.", jsonBody(started))}}},
		{path: extractsPath + "/{id}",
			get:     endpoint{s.extract, operation{ID: "extract", Tags: server, Summary: "The state of an extract and its rows", Parameters: []object{jobID, inQuery("cursor", "integer", "as next has it")}, Responses: state}},
			deletes: endpoint{s.extract, operation{ID: "stop_extract", Tags: server, Summary: "Ends an extract; its rows stay", Parameters: []object{jobID}, Responses: state}}},
	}
}
