package live

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// The view Versions: what changed between two versions of a page that the caller has
// read.

// maxListed bounds the versions that are looked through.
const maxListed = 500

// pageVersions are the versions of one page, the newest first.
type pageVersions struct {
	URL, Title string
	All        []tool.Version
}

// versionsForm is what is compared.
type versionsForm struct {
	Pages    []pageVersions
	Page     *pageVersions
	From, To string
}

// versionsResult is what differs.
type versionsResult struct {
	From, To                tool.Version
	Added, Removed, Changed int
	Groups                  []changeGroup
	NotHere                 int
}

// changeGroup are the changes below one heading.
type changeGroup struct {
	Section string
	Changes []change
}

// change is a changed block as runs of text.
type change struct {
	Kind string // added, removed, changed
	Runs []run
}

// run is text that both versions have, or one of them.
type run struct {
	Kind string // "", ins, del
	Text string
}

func (h *Handler) versions(w http.ResponseWriter, r *http.Request) {
	q := query(r)
	f := versionsForm{From: q.Get("from"), To: q.Get("to")}
	for _, v := range h.o.Versions.Recent(r.Context(), maxListed) {
		i := slices.IndexFunc(f.Pages, func(p pageVersions) bool { return p.URL == v.URL })
		if i < 0 {
			i = len(f.Pages)
			f.Pages = append(f.Pages, pageVersions{URL: v.URL, Title: v.Title})
		}
		f.Pages[i].All = append(f.Pages[i].All, v)
	}
	for i := range f.Pages {
		if f.Pages[i].URL == q.Get("url") {
			f.Page = &f.Pages[i]
			if n := len(f.Page.All); n > 1 && f.From == "" && f.To == "" {
				f.From, f.To = f.Page.All[1].Hash, f.Page.All[0].Hash
			}
		}
	}
	p := h.layout(r, "Versions", "/versions")
	if f.From == "" || f.To == "" {
		h.write(w, r, http.StatusOK, p, "versions-form", f)
		return
	}
	h.writeLater(w, r, p, "versions-form", f, "Comparing", func(ctx context.Context) part {
		o := tool.Options{Given: true}
		from, err := h.o.Versions.Version(ctx, f.From, o)
		if err != nil {
			return failed(err)
		}
		to, err := h.o.Versions.Version(ctx, f.To, o)
		if err != nil {
			return failed(err)
		}
		return part{"versions-result", compared(from, to, h.o.Compare(from.Text, to.Text)), 0}
	})
}

// maxChanges bounds the changes that are shown.
const maxChanges = 400

func compared(from, to tool.Version, all []result.Change) versionsResult {
	out := versionsResult{From: from, To: to}
	for i, c := range all {
		kind := "changed"
		switch {
		case c.Old == "":
			kind = "added"
			out.Added++
		case c.New == "":
			kind = "removed"
			out.Removed++
		default:
			out.Changed++
		}
		if i >= maxChanges {
			out.NotHere++
			continue
		}
		if n := len(out.Groups); n == 0 || out.Groups[n-1].Section != c.Section {
			out.Groups = append(out.Groups, changeGroup{Section: c.Section})
		}
		g := &out.Groups[len(out.Groups)-1]
		g.Changes = append(g.Changes, change{kind, runsOf(c.Old, c.New)})
	}
	return out
}

// maxWords bounds the words of a block that are compared one by one; the table of the
// comparison has its square.
const maxWords = 600

// runsOf finds the words that two texts share in order (the longest common
// subsequence).
func runsOf(old, new string) []run {
	var out []run
	add := func(kind, s string) {
		if s == "" {
			return
		}
		if n := len(out); n > 0 && out[n-1].Kind == kind {
			out[n-1].Text += s
			return
		}
		out = append(out, run{kind, s})
	}
	a, b := wordsOf(old), wordsOf(new)
	if old == "" || new == "" || len(a) > maxWords || len(b) > maxWords {
		add("del", old)
		add("ins", new)
		return out
	}
	same := commonLengths(a, b)
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			add("", a[i])
			i, j = i+1, j+1
		case same[i+1][j] >= same[i][j+1]:
			add("del", a[i])
			i++
		default:
			add("ins", b[j])
			j++
		}
	}
	add("del", strings.Join(a[i:], ""))
	add("ins", strings.Join(b[j:], ""))
	return out
}

// wordsOf cuts text into words, each with the space that follows it; characters of
// scripts without spaces are words.
func wordsOf(s string) (out []string) {
	start := 0
	for i, r := range s {
		next := i + utf8.RuneLen(r)
		following, _ := utf8.DecodeRuneInString(s[min(next, len(s)):])
		ends := unicode.IsSpace(r) && !unicode.IsSpace(following) || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
		if ends {
			out = append(out, s[start:next])
			start = next
		}
	}
	if start < len(s) {
		out = append(out, s[start:])
	}
	return out
}

// commonLengths has at [i][j] how many words a from i on and b from j on have in common, in order.
func commonLengths(a, b []string) [][]int {
	same := make([][]int, len(a)+1)
	for i := range same {
		same[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				same[i][j] = same[i+1][j+1] + 1
			} else {
				same[i][j] = max(same[i+1][j], same[i][j+1])
			}
		}
	}
	return same
}
