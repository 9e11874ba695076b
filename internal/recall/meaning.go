package recall

import (
	"cmp"
	"context"
	"slices"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/meaning"
	"github.com/spyhop-dev/spyhop/internal/passage"
	"github.com/spyhop-dev/spyhop/internal/store"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
)

// Meaning ranks by embeddings beside words.
type Meaning struct {
	// Model names what makes the vectors: those of another model are made again.
	Model string
	// Embed returns the vector of each text.
	Embed func(ctx context.Context, texts []string) ([]meaning.Vector, error)
}

// maxEmbedded bounds the pages that one search gives vectors to.
const maxEmbedded = 60

// byMeaning adds the pages that are near to a query to those that its words found, in one
// order by both. notice is what the caller has to know; the words' order stays where
// vectors cannot be had.
func (r *Recall) byMeaning(ctx context.Context, found []*ranked, q Query) (out []*ranked, notice string) {
	part, stop := deadline.Share(ctx, 2) // a server that hangs leaves time for the answer
	defer stop()
	asked, err := r.Meaning.Embed(part, []string{q.Text})
	if err != nil {
		return found, "Pages were found by words alone, because the server of WEB_EMBED_MODEL did not answer: " + text.Cause(err)
	}
	var hits []store.Hit
	var near []float64
	var chunks []int // the nearest of each hit
	var bare []store.Hit
	add := func(h store.Hit, vectors []meaning.Vector) {
		best, chunk := 0.0, 0
		for i, v := range vectors {
			if x := meaning.Similarity(asked[0], v); x > best {
				best, chunk = x, i
			}
		}
		hits, near, chunks = append(hits, h), append(near, best), append(chunks, chunk)
	}
	known := map[string]bool{} // of several versions the last one counts
	err = r.Store.Vectors(ctx, r.Meaning.Model, store.Search{Site: q.Site, Job: q.Job, Since: q.Since}, func(h store.Hit, data []byte) {
		if known[h.URL] {
			return
		}
		known[h.URL] = true
		if data == nil {
			bare = append(bare, h)
			return
		}
		add(h, meaning.Decode(data))
	})
	if err != nil {
		return found, "Pages were found by words alone, because their vectors cannot be read: " + text.Cause(err)
	}
	left := len(bare)
	for _, h := range bare[:min(len(bare), maxEmbedded)] {
		vectors, ok := r.embed(part, h)
		if !ok {
			break
		}
		left--
		add(h, vectors)
	}
	if left > 0 {
		notice = "Found by words alone: " + text.Count(left, "page") + " without vectors; the same call goes on there."
	}
	return r.fuse(ctx, found, hits, chunks, meaning.Outstanding(near)), notice
}

// embed gives a version its vectors; not ok where that cannot be done now.
func (r *Recall) embed(ctx context.Context, h store.Hit) (vectors []meaning.Vector, ok bool) {
	v, ok := r.Store.Open(ctx, h)
	if !ok {
		return nil, ctx.Err() == nil // evicted, or not for this caller
	}
	var texts []string
	for _, c := range meaning.Chunks(v.Content) {
		texts = append(texts, v.Content[c.From:c.To])
	}
	if len(texts) > 0 {
		var err error
		if vectors, err = r.Meaning.Embed(ctx, texts); err != nil {
			return nil, false
		}
	}
	return vectors, r.Store.PutVectors(ctx, h, r.Meaning.Model, meaning.Encode(vectors)) == nil
}

// fuse makes one order of that by words and that by meaning.
func (r *Recall) fuse(ctx context.Context, found []*ranked, hits []store.Hit, chunks, near []int) []*ranked {
	of := map[string]*ranked{}
	for i, p := range found {
		p.page.Score = meaning.Fused(i)
		of[p.page.URL] = p
	}
	for rank, i := range near[:min(len(near), candidates)] {
		p := of[hits[i].URL]
		if p == nil {
			v, s, ok := r.open(ctx, hits[i])
			if !ok {
				continue
			}
			p = &ranked{page: result.RecalledPage{URL: v.URL, Title: v.Title, Version: v.Hash, Seen: v.LastSeen, Login: v.Credentials != ""}, hops: v.Hops, hit: hits[i], stored: s}
			if len(v.Content) > mostKept {
				p.stored = nil
			}
			of[p.page.URL] = p
			found = append(found, p)
		}
		p.page.Score += meaning.Fused(rank)
		if p.hit.Hash == hits[i].Hash {
			p.chunk = chunks[i] + 1
		}
	}
	slices.SortStableFunc(found, func(a, b *ranked) int { return cmp.Compare(b.page.Score, a.page.Score) })
	return found
}

// nearest is the passage of a page that is nearest to a query, given its chunk.
func nearest(s *passage.Stored, md string, chunk int) []result.Passage {
	all := meaning.Chunks(md)
	if chunk >= len(all) {
		return nil
	}
	return s.Within(all[chunk].From, all[chunk].To, maxPassages)
}
