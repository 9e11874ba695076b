package serve

import (
	"context"
	"net/http"
	"time"

	"github.com/spyhop-dev/spyhop/internal/firecrawl"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// What Firecrawl's clients ask of a team: how much runs, and what it has cost. Here a
// principal is the team, and nothing costs credits or tokens of a plan.

const teamPath = firecrawlPath + "team/"

// endless is what is left where nothing is counted: no client shows more exactly.
const endless = 1 << 53

// running counts the jobs of the caller that run and that wait; latest is when the latest
// one ended that has read a page.
func (s *Server) runningJobs(ctx context.Context) (active, waiting int, latest *time.Time, err error) {
	if s.o.Jobs == nil {
		return 0, 0, nil, nil
	}
	all, err := s.o.Jobs.CrawlJobs(ctx)
	for _, j := range all {
		switch {
		case j.State == "running":
			active++
		case j.State == "queued":
			waiting++
		case firecrawl.Status(j) == firecrawl.Completed && (latest == nil || j.Updated.After(*latest)):
			latest = &j.Updated
		}
	}
	return active, waiting, latest, err
}

// concurrency answers GET /v2/concurrency-check.
func (s *Server) concurrency(ctx context.Context, r *http.Request) (any, error) {
	active, _, _, err := s.runningJobs(ctx)
	return map[string]any{"success": true, "data": map[string]any{"concurrency": active, "maxConcurrency": s.mostJobs()}}, err
}

// mostJobs is how many calls one principal may have at a time.
func (s *Server) mostJobs() int { return shared(int(s.quotas.most.Load())).each }

// queueStatus answers GET /v2/team/queue-status.
func (s *Server) queueStatus(ctx context.Context, r *http.Request) (any, error) {
	active, waiting, latest, err := s.runningJobs(ctx)
	return map[string]any{"success": true, "jobsInQueue": active + waiting, "activeJobsInQueue": active, "waitingJobsInQueue": waiting, "maxConcurrency": s.mostJobs(), "mostRecentSuccess": latest}, err
}

// teamRoutes are the paths.
func (s *Server) teamRoutes() []route {
	get := func(path string, do http.HandlerFunc) route {
		return route{path: path, get: endpoint{handler: do}}
	}
	all := []route{get(firecrawlPath+"concurrency-check", s.replies(s.concurrency)), get(teamPath+"queue-status", s.replies(s.queueStatus))}
	for name, left := range map[string]string{"credit-usage": "remainingCredits", "token-usage": "remainingTokens"} {
		all = append(all, get(teamPath+name, func(w http.ResponseWriter, r *http.Request) {
			s.answerJSON(w, r, http.StatusOK, map[string]any{"success": true, "data": map[string]any{left: endless, "billingPeriodStart": nil, "billingPeriodEnd": nil}})
		}), get(teamPath+name+"/historical", func(w http.ResponseWriter, r *http.Request) {
			s.answerJSON(w, r, http.StatusOK, map[string]any{"success": true, "periods": []struct{}{}})
		}))
	}
	return all
}

// unsupported are the paths of Firecrawl that this server does not have, with the reason.
func unsupportedPaths() []route {
	var all []route
	for _, one := range []struct{ path, what, why string }{
		{searchPath + "/research/github", "research.searchGithub", "it has ended; use developerSearch"},
		{searchPath + "/{id}/feedback", "searchFeedback", "nobody would read it"},
		{firecrawlPath + "feedback", "feedback", "nobody would read it"},
		{agentPath + "/{id}/snapshots/{snapshot}", "getAgentSnapshot", "a run keeps its result alone"},
		{agentPath + "/{id}/{part}", "getAgentTrace or getAgentThread", "the audit log of this server has the calls of a run, and listAgents the runs"},
	} {
		refuse := endpoint{handler: func(w http.ResponseWriter, r *http.Request) {
			refuse(w, r, http.StatusBadRequest, tool.NewError(tool.InvalidInput, text.Name(one.what)+" is unsupported: "+one.why, "docs/firecrawl.md lists what is supported"))
		}}
		all = append(all, route{path: one.path, get: refuse, post: refuse})
	}
	return all
}
