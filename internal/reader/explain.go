package reader

import (
	"math"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/result"
)

// Explained says how the content of a page was chosen.
func Explained(p *page.Page, blocks []extract.Judgement) *result.Explanation {
	x := &result.Explanation{URL: p.URL, Title: p.Meta.Title, PageType: p.Type, Verdict: p.Verdict, VerdictReason: VerdictReason(p), Method: string(p.Method), Blocks: make([]result.Judgement, len(blocks))}
	for i, b := range blocks {
		j := result.Judgement{Text: b.Text, Path: b.Path, Words: b.Words, Score: b.Score, Kept: b.Kept, Unit: b.Unit, Why: b.Why}
		for _, r := range b.Reasons {
			reason := result.Reason{Feature: r.Feature, Words: r.Words, Effect: r.Effect}
			if !math.IsNaN(r.Value) {
				reason.Value = &r.Value
			}
			j.Reasons = append(j.Reasons, reason)
		}
		x.Blocks[i] = j
	}
	for _, kind := range page.HiddenKinds() {
		for _, o := range p.Omissions {
			if o.Kind == kind && o.Count > 0 {
				if x.HiddenRemoved == nil {
					x.HiddenRemoved = make(map[string]int)
				}
				x.HiddenRemoved[string(kind)] = o.Count
			}
		}
	}
	return x
}
