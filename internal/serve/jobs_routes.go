package serve

import "github.com/spyhop-dev/spyhop/tool"

var jobID = object{"name": "id", "in": "path", "required": true, "schema": object{"type": "string"}}

func inQuery(name, kind, description string) object {
	return object{"name": name, "in": "query", "required": false, "description": description, "schema": object{"type": kind}}
}

func lastEventHeader() object {
	return object{"name": "Last-Event-ID", "in": "header", "required": false, "description": "the id of the last event", "schema": object{"type": "string"}}
}

func jobOperation(name, summary, description string, responses object, parameters ...object) operation {
	return operation{ID: name, Tags: []string{"jobs"}, Summary: summary, Description: description, Parameters: parameters, Responses: responses}
}

// operations describes the paths of a kind of jobs.
func (k jobKind) operations() map[string]item {
	state := jsonBody(jobState())
	started := responses("", state)
	started["202"] = object{"description": "The state of the job. `Location` has its path.", "content": state}
	delete(started, "200")
	start := jobOperation("start_"+k.kind, "Starts a "+k.kind+" in the background, or goes on with one", "", started)
	start.Body = object{"required": true, "content": jsonBody(k.input())}
	ended := responses("The state of the job.", state)
	ended["204"] = object{"description": "The job is deleted."}
	told := responses("Events.", object{"text/event-stream": object{"schema": object{"type": "string"}}})
	told["204"] = object{"description": "The client has had all events of a job that has ended."}
	list := tool.Object(tool.Array(k.list, "", jobState()).Require())
	pages := tool.Object(
		tool.Array("pages", "in the order in which they were read", tool.Schema{Type: tool.TypeObject, Open: true}).Require(),
		tool.Integer("next", "the cursor of the next part").Require(),
		tool.Boolean("more", "whether there is more, or the job still runs").Require())
	one := k.path + "/{id}"
	return map[string]item{
		k.path: {
			"post": start,
			"get":  jobOperation("list_"+k.list, "The jobs of the caller, the latest first", "", responses("The jobs.", jsonBody(list)), inQuery("limit", "integer", "from 1 to 1000; 100 if left out")),
		},
		one: {
			"get": jobOperation(k.kind, "The state of a job", "", responses("The state of the job.", state), jobID),
			"delete": jobOperation("stop_"+k.kind, "Stops a job", "What it has read stays, and POST with `job` goes on with it.", ended, jobID,
				inQuery("drop", "boolean", "deletes the job with its pages")),
		},
		one + "/pages": {"get": jobOperation(k.kind+"_pages", "Pages of a job", "The first ones are there while the job runs. `Link` with rel=next has the next part.", responses("The pages.", jsonBody(pages)), jobID,
			inQuery("cursor", "integer", "`next` of the part before"), inQuery("limit", "integer", "from 1 to 1000; 100 if left out. Fewer come where they are long"), inQuery("content", "boolean", "false leaves the Markdown out"))},
		one + "/events": {"get": jobOperation(k.kind+"_events", "What happens to a job, as server-sent events", "`page`, `status`, `end`, `error`. A client that comes back with `Last-Event-ID` misses no page.", told, jobID,
			lastEventHeader(),
			inQuery("cursor", "string", "the same, for clients that cannot set headers"))},
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

// monitorOperations describes the paths of monitors.
func monitorOperations() map[string]item {
	monitor := tool.Object(
		tool.String("monitor", "its name in further calls").Require(),
		tool.String("every", "").Require(),
		tool.Integer("rounds", "").Require(),
		tool.Integer("pages", "that are there").Require(),
		tool.Integer("changes", "so far").Require())
	monitor.Open = true
	changes := tool.Object(
		tool.Array("changes", "", tool.Schema{Type: tool.TypeObject, Open: true}).Require(),
		tool.Integer("next", "the cursor of the next part").Require(),
		tool.Boolean("more", "whether there is more now").Require())
	started := responses("", jsonBody(monitor))
	started["202"] = object{"description": "The state of the monitor. `Location` has its path.", "content": jsonBody(monitor)}
	delete(started, "200")
	start := jobOperation("start_monitor", "Watches a site and reports changes", "", started)
	start.Body = object{"required": true, "content": jsonBody(monitorInput())}
	removed := responses("", nil)
	removed["204"] = object{"description": "The monitor is deleted."}
	delete(removed, "200")
	const one = monitorsPath + "/{id}"
	return map[string]item{
		monitorsPath: {"post": start, "get": jobOperation("list_monitors", "The monitors of the caller, the latest first", "",
			responses("The monitors.", jsonBody(tool.Object(tool.Array("monitors", "", monitor).Require()))))},
		one: {
			"get": jobOperation("monitor", "The state of a monitor, and what changed since a time", "With `since`, the answer has `added`, `changed` and `gone`.", responses("The state.", jsonBody(monitor)), jobID,
				inQuery("since", "string", "a time (RFC 3339), a date, or a duration before now")),
			"delete": jobOperation("remove_monitor", "Deletes a monitor with what it knows", "", removed, jobID),
		},
		one + "/pages": {"get": jobOperation("monitor_pages", "Changes of pages", "", responses("The changes.", jsonBody(changes)), jobID,
			inQuery("cursor", "integer", "`next` of the part before"), inQuery("limit", "integer", "from 1 to 1000; 100 if left out"), inQuery("since", "string", "a time, a date, or a duration before now"))},
		one + "/events": {"get": jobOperation("monitor_events", "Changes as server-sent events", "`change` and `status`.",
			responses("Events.", object{"text/event-stream": object{"schema": object{"type": "string"}}}), jobID, lastEventHeader(), inQuery("cursor", "string", "the same, for clients that cannot set headers"))},
	}
}
