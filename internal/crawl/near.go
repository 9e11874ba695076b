package crawl

import (
	"context"
	"math"
	"net/url"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/meaning"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// Where there are embeddings, a page is promising too when what links call it means what the
// query asks. Each page is compared twice at most: by its URL, and by the first link that
// names it. Similarities differ from model to model (package meaning has published ranges), so
// that they count by how far they are above the usual one. On paper, with those ranges and
// normal noise, a page that is related is 3.1 to 3.5 deviations above where one in twenty is,
// with E5, BGE v1.5 and text-embedding-3-large alike, and counts whole; of the others, 2 to 5
// of a hundred are more than one above. Where none is related, one in six is, and counts a third.
const (
	weightMeant      = .8   // of a page that is far above
	meantLeast       = 1    // standard deviations above the usual one: nothing below
	meantMost        = 3    // and everything from here on
	embedBatch       = 63   // texts of a request, beside the query
	embedAtFirst     = 8    // requests for what the map names
	embedPage        = 2    // and for what a page links to
	maxEmbedded      = 2000 // texts of a run
	maxEmbeddedBytes = 300  // of a text
	embedShare       = 8    // a request gets this part of the time that is left
)

// nearness compares pages with a query by embeddings.
type nearness struct {
	query           string
	left            []*prospect // whose texts have no vector yet
	asked           int
	n, sum, squares float64 // of all similarities
}

// likeness is what is known of the meaning of one page.
type likeness struct {
	text     string // what it is called, until it has a vector
	named    bool   // by a link or the map, not by the URL alone
	waits    bool
	has      bool
	toAnswer float64 // the similarity to the query
}

// describe keeps what a page is called until it is compared.
func (n *nearness) describe(p *prospect, called ...string) {
	if n == nil || p.read || p.like.named {
		return
	}
	s := strings.TrimSpace(strings.Join(called, " "))
	if p.like.named = s != ""; s == "" {
		if p.like.waits || p.like.has {
			return
		}
		s = pathText(p.url)
	}
	p.like.text = text.CutBytes(s, maxEmbeddedBytes)
	if !p.like.waits {
		p.like.waits = true
		n.left = append(n.left, p)
	}
}

// pathText is the path of a URL as words.
func pathText(address string) string {
	_, path, _ := strings.Cut(address, "://")
	_, path, _ = strings.Cut(path, "/")
	if plain, err := url.PathUnescape(path); err == nil {
		path = strings.ToValidUTF8(plain, " ")
	}
	return strings.TrimSpace(strings.NewReplacer("/", " ", "-", " ", "_", " ", ".html", " ").Replace(path))
}

// batch takes pages that are to be compared; the first text is the query.
func (n *nearness) batch() (texts []string, of []*prospect) {
	texts = []string{n.query}
	for len(n.left) > 0 && len(of) < embedBatch && n.asked < maxEmbedded {
		p := n.left[0]
		n.left, p.like.waits = n.left[1:], false
		if p.read || p.like.text == "" {
			continue
		}
		texts, of = append(texts, p.like.text), append(of, p)
		p.like.text = ""
		n.asked++
	}
	return texts, of
}

// take takes the vectors of a batch.
func (n *nearness) take(of []*prospect, vectors []meaning.Vector) {
	for i, p := range of {
		if p.like.has {
			n.n, n.sum, n.squares = n.n-1, n.sum-p.like.toAnswer, n.squares-p.like.toAnswer*p.like.toAnswer
		}
		x := meaning.Similarity(vectors[0], vectors[i+1])
		p.like.has, p.like.toAnswer = true, x
		n.n, n.sum, n.squares = n.n+1, n.sum+x, n.squares+x*x
	}
}

// of is how far a page is above the usual one, from 0 to 1.
func (n *nearness) of(p *prospect) float64 {
	if n == nil || !p.like.has {
		return 0
	}
	mean := n.sum / n.n
	deviation := math.Sqrt(max(n.squares/n.n-mean*mean, 0))
	if above := p.like.toAnswer - mean; deviation > 1e-3 && above >= meantLeast*deviation {
		return min(above/(meantMost*deviation), 1)
	}
	return 0
}

// embed compares pages with the query, in at most so many requests. After a failure the
// crawl goes on by words alone.
func (r *run) embed(ctx context.Context, requests int) {
	for range requests {
		r.mu.Lock()
		if r.focus == nil || r.focus.near == nil {
			r.mu.Unlock()
			return
		}
		texts, of := r.focus.near.batch()
		r.mu.Unlock()
		if len(of) == 0 {
			return
		}
		part, stop := deadline.Share(ctx, embedShare)
		vectors, err := r.Web.Embed(part, texts)
		stop()
		if ctx.Err() != nil {
			return
		}
		failed := err != nil || len(vectors) != len(texts)
		r.mu.Lock()
		if near := r.focus.near; failed {
			r.focus.near = nil
		} else if near != nil {
			near.take(of, vectors)
			r.focus.touched = append(r.focus.touched, of...)
		}
		r.mu.Unlock()
		if failed {
			r.say(notice{Code: noticeWords})
		}
	}
}
