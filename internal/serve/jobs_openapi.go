package serve

import "github.com/spyhop-dev/spyhop/tool"

// operations describes the paths of a kind of jobs.
func (k jobKind) operations() map[string]item {
	id := object{"name": "id", "in": "path", "required": true, "schema": object{"type": "string"}}
	query := func(name, kind, description string) object {
		return object{"name": name, "in": "query", "required": false, "description": description, "schema": object{"type": kind}}
	}
	op := func(name, summary, description string, responses object, parameters ...object) operation {
		return operation{ID: name, Tags: []string{"jobs"}, Summary: summary, Description: description, Parameters: parameters, Responses: responses}
	}
	state := jsonBody(jobState())
	started := responses("", state)
	started["202"] = object{"description": "The state of the job. `Location` has its path.", "content": state}
	delete(started, "200")
	start := op("start_"+k.kind, "Starts a "+k.kind+" in the background, or goes on with one", "", started)
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
			"get":  op("list_"+k.list, "The jobs of the caller, the latest first", "", responses("The jobs.", jsonBody(list)), query("limit", "integer", "from 1 to 1000; 100 if left out")),
		},
		one: {
			"get": op(k.kind, "The state of a job", "", responses("The state of the job.", state), id),
			"delete": op("stop_"+k.kind, "Stops a job", "What it has read stays, and POST with `job` goes on with it.", ended, id,
				query("drop", "boolean", "deletes the job with its pages")),
		},
		one + "/pages": {"get": op(k.kind+"_pages", "Pages of a job", "The first ones are there while the job runs. `Link` with rel=next has the next part.", responses("The pages.", jsonBody(pages)), id,
			query("cursor", "integer", "`next` of the part before"), query("limit", "integer", "from 1 to 1000; 100 if left out. Fewer come where they are long"), query("content", "boolean", "false leaves the Markdown out"))},
		one + "/events": {"get": op(k.kind+"_events", "What happens to a job, as server-sent events", "`page`, `status`, `end`, `error`. A client that comes back with `Last-Event-ID` misses no page.", told, id,
			object{"name": "Last-Event-ID", "in": "header", "required": false, "description": "the id of the last event", "schema": object{"type": "string"}},
			query("cursor", "string", "the same, for clients that cannot set headers"))},
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
		tool.Integer("failed", "pages that could not be read").Require(),
		tool.Integer("refused", "by robots.txt, Content-Signal or the policy").Require(),
		tool.Integer("near_duplicates", "").Require(),
		tool.Integer("left", "addresses that are queued").Require(),
		tool.Integer("max_pages", "how many pages are read at most"),
		tool.String("webhook_secret", "in the answer to POST with a webhook: what its receiver checks signatures with"),
		tool.Array("notices", "", tool.Text()))
	s.Open = true
	return s
}
