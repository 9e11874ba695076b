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

type usage struct {
	Credits     *int64  `json:"remainingCredits,omitempty"`
	Tokens      *int64  `json:"remainingTokens,omitempty"`
	PeriodStart *string `json:"billingPeriodStart"`
	PeriodEnd   *string `json:"billingPeriodEnd"`
}

// running counts the jobs of the caller that run and that wait; latest is when the latest
// one ended that has read a page.
func (s *Server) runningJobs(ctx context.Context) (active, waiting int, latest *time.Time, err error) {
	if s.o.Jobs == nil {
		return 0, 0, nil, nil
	}
	all, err := s.o.Jobs.List(ctx)
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
func (s *Server) concurrency(w http.ResponseWriter, r *http.Request) {
	s.reply(w, r, func(ctx context.Context) (any, error) {
		active, _, _, err := s.runningJobs(ctx)
		return map[string]any{"success": true, "data": map[string]any{"concurrency": active, "maxConcurrency": s.mostJobs()}}, err
	})
}

// mostJobs is how many calls one principal may have at a time.
func (s *Server) mostJobs() int { return shared(int(s.quotas.most.Load())).each }

// queueStatus answers GET /v2/team/queue-status.
func (s *Server) queueStatus(w http.ResponseWriter, r *http.Request) {
	s.reply(w, r, func(ctx context.Context) (any, error) {
		active, waiting, latest, err := s.runningJobs(ctx)
		return map[string]any{"success": true, "jobsInQueue": active + waiting, "activeJobsInQueue": active, "waitingJobsInQueue": waiting, "maxConcurrency": s.mostJobs(), "mostRecentSuccess": latest}, err
	})
}

// usageOf answers GET /v2/team/credit-usage and token-usage, and what they were before.
func (s *Server) usageOf(u usage, name string) []route {
	path := teamPath + name
	return []route{
		{path: path, get: endpoint{handler: func(w http.ResponseWriter, r *http.Request) {
			s.answerJSON(w, r, http.StatusOK, map[string]any{"success": true, "data": u})
		}}},
		{path: path + "/historical", get: endpoint{handler: func(w http.ResponseWriter, r *http.Request) {
			s.answerJSON(w, r, http.StatusOK, map[string]any{"success": true, "periods": []struct{}{}})
		}}},
	}
}

// teamRoutes are the paths.
func (s *Server) teamRoutes() []route {
	left := int64(endless)
	all := append(s.usageOf(usage{Credits: &left}, "credit-usage"), s.usageOf(usage{Tokens: &left}, "token-usage")...)
	return append(all, route{path: firecrawlPath + "concurrency-check", get: endpoint{handler: s.concurrency}}, route{path: teamPath + "queue-status", get: endpoint{handler: s.queueStatus}})
}

// unsupported are the paths of Firecrawl that this server does not have, with the reason.
func unsupportedPaths() []route {
	var all []route
	for _, one := range []struct{ path, what, why string }{
		{searchPath + "/research/github", "research.searchGithub", "it has ended; use developerSearch"},
		{searchPath + "/{id}/feedback", "searchFeedback", "nobody would read it"},
		{firecrawlPath + "feedback", "feedback", "nobody would read it"},
		{agentPath + "/{id}/snapshots/{snapshot}", "getAgentSnapshot", "a run keeps its result alone"},
		{agentPath + "/{id}/{part}", "getAgentTrace or getAgentThread", "the audit log of this server has the calls of a run, and each run is independent"},
	} {
		refuse := endpoint{handler: func(w http.ResponseWriter, r *http.Request) {
			refuse(w, r, http.StatusBadRequest, tool.NewError(tool.InvalidInput, text.Name(one.what)+" is unsupported: "+one.why, "docs/firecrawl.md lists what is supported"))
		}}
		all = append(all, route{path: one.path, get: refuse, post: refuse})
	}
	return all
}
