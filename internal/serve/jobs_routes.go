package serve

import (
	"net/http"

	"github.com/spyhop-dev/spyhop/tool"
)

var jobID = object{"name": "id", "in": "path", "required": true, "schema": object{"type": "string"}}

func inQuery(name, kind, description string) object {
	return object{"name": name, "in": "query", "required": false, "description": description, "schema": object{"type": kind}}
}

// jobEndpoint is a method of jobs or monitors.
func jobEndpoint(do http.HandlerFunc, name, summary, description string, responses object, parameters ...object) endpoint {
	return endpoint{do, operation{ID: name, Tags: []string{"jobs"}, Summary: summary, Description: description, Parameters: parameters, Responses: responses}}
}

// starts is a jobEndpoint of POST, which answers with 202.
func starts(do http.HandlerFunc, name, summary, answer string, input, state tool.Schema) endpoint {
	e := jobEndpoint(do, name, summary, "", responsesAs("202", answer, jsonBody(state)))
	e.Body = object{"required": true, "content": jsonBody(input)}
	return e
}

// The parameters that several operations have.
var (
	cursorParameter = inQuery("cursor", "integer", "`next` of the part before")
	eventParameters = []object{jobID, {"name": "Last-Event-ID", "in": "header", "required": false, "description": "the id of the last event", "schema": object{"type": "string"}},
		inQuery("cursor", "string", "the same, for clients that cannot set headers")}
)

func eventResponses() object {
	return responses("Events.", object{"text/event-stream": object{"schema": object{"type": "string"}}})
}

// partForm is the schema of a part of a list.
func partForm(member, description, more string) tool.Schema {
	return tool.Object(
		tool.Array(member, description, tool.Schema{Type: tool.TypeObject, Open: true}).Require(),
		tool.Integer("next", "the cursor of the next part").Require(),
		tool.Boolean("more", more).Require())
}

// jobRoutes are the paths of a kind of jobs.
func (s *Server) jobRoutes(k jobKind) []route {
	state := responses("The state of the job.", jsonBody(jobState()))
	ended := responses("The state of the job.", jsonBody(jobState()))
	ended["204"] = object{"description": "The job is deleted."}
	told := eventResponses()
	told["204"] = object{"description": "The client has had all events of a job that has ended."}
	list := responses("The jobs.", jsonBody(tool.Object(tool.Array(k.list, "", jobState()).Require())))
	pages := responses("The pages.", jsonBody(partForm("pages", "in the order in which they were read", "whether there is more, or the job still runs")))
	one := k.path + "/{id}"
	return []route{
		{path: k.path,
			post: starts(s.replies(k.of(s.startJob)), "start_"+k.kind, "Starts a "+k.kind+" in the background, or goes on with one", "The state of the job. `Location` has its path.", k.input(), jobState()),
			get:  jobEndpoint(s.replies(k.of(s.listJobs)), "list_"+k.list, "The jobs of the caller, the latest first", "", list, inQuery("limit", "integer", "from 1 to 1000; 100 if left out"))},
		{path: one,
			get: jobEndpoint(s.replies(k.of(s.oneJob)), k.kind, "The state of a job", "", state, jobID),
			deletes: jobEndpoint(s.replies(k.of(s.oneJob)), "stop_"+k.kind, "Stops a job", "What it has read stays, and POST with `job` goes on with it.", ended, jobID,
				inQuery("drop", "boolean", "deletes the job with its pages"))},
		{path: one + "/pages", get: jobEndpoint(s.repliesPages(k.of(s.jobPages)), k.kind+"_pages", "Pages of a job", "The first ones are there while the job runs. `Link` with rel=next has the next part.", pages, jobID,
			cursorParameter, inQuery("limit", "integer", "from 1 to 1000; 100 if left out. Fewer come where they are long"), inQuery("content", "boolean", "false leaves the Markdown out"))},
		{path: one + "/events", get: jobEndpoint(func(w http.ResponseWriter, r *http.Request) { s.jobEvents(w, r, k) }, k.kind+"_events", "What happens to a job, as server-sent events",
			"`page`, `status`, `end`, `error`. A client that comes back with `Last-Event-ID` misses no page.", told, eventParameters...)},
	}
}

// jobState is the schema of result.Crawl, as far as programs need to know it.
func jobState() tool.Schema {
	s := tool.Object(
		tool.String("job", "its name in further calls").Require(),
		tool.String("kind", "").OneOf(kindCrawl, kindBatch).Require(),
		tool.String("state", "").OneOf("queued", "running", "stopped", "done").Require(),
		tool.String("stopped", "why it does not run any more"),
		tool.Integer("read", "pages").Require(),
		tool.Integer("failures", "pages that could not be read").Require(),
		tool.Array("failed", "the first 100 of them", tool.Object(tool.String("url", "").Require(), tool.String("error_type", "").Require(), tool.String("reason", "").Require())).Require(),
		tool.Array("scope", "the URLs that the crawl stays below, as globs", tool.Text()),
		tool.Integer("refused", "by robots.txt, Content-Signal or the policy").Require(),
		tool.Integer("near_duplicates", "").Require(),
		tool.Integer("left", "addresses that are queued").Require(),
		tool.Integer("max_pages", "how many pages are read at most"),
		tool.String("webhook_secret", "in the answer to POST with a webhook: what its receiver checks signatures with"),
		tool.Array("notices", "", tool.Text()))
	s.Open = true
	return s
}

// monitorRoutes are the paths of monitors.
func (s *Server) monitorRoutes() []route {
	monitor := tool.Object(
		tool.String("monitor", "its name in further calls").Require(),
		tool.String("every", "").Require(),
		tool.Integer("rounds", "").Require(),
		tool.Integer("pages", "that are there").Require(),
		tool.Integer("changes", "so far").Require())
	monitor.Open = true
	const one = monitorsPath + "/{id}"
	return []route{
		{path: monitorsPath,
			post: starts(s.replies(s.addMonitor), "start_monitor", "Watches a site and reports changes", "The state of the monitor. `Location` has its path.", monitorInput(), monitor),
			get: jobEndpoint(s.replies(s.listMonitors), "list_monitors", "The monitors of the caller, the latest first", "",
				responses("The monitors.", jsonBody(tool.Object(tool.Array("monitors", "", monitor).Require()))))},
		{path: one,
			get: jobEndpoint(s.replies(s.oneMonitor), "monitor", "The state of a monitor, and what changed since a time", "With `since`, the answer has `added`, `changed` and `gone`.", responses("The state.", jsonBody(monitor)), jobID,
				inQuery("since", "string", "a time (RFC 3339), a date, or a duration before now")),
			deletes: jobEndpoint(s.replies(s.oneMonitor), "remove_monitor", "Deletes a monitor with what it knows", "", responsesAs("204", "The monitor is deleted.", nil), jobID)},
		{path: one + "/pages", get: jobEndpoint(s.replies(s.monitorPages), "monitor_pages", "Changes of pages", "", responses("The changes.", jsonBody(partForm("changes", "", "whether there is more now"))), jobID,
			cursorParameter, inQuery("limit", "integer", "from 1 to 1000; 100 if left out"), inQuery("since", "string", "a time, a date, or a duration before now"))},
		{path: one + "/events", get: jobEndpoint(s.monitorEvents, "monitor_events", "Changes as server-sent events", "`change` and `status`.", eventResponses(), eventParameters...)},
	}
}
