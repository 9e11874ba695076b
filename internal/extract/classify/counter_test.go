package classify

import (
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/page"
)

func TestCounter(t *testing.T) {
	records := func(from, to, of int, noun string) page.Sign {
		return page.Sign{Kind: page.MissingRecords, From: from, To: to, Of: of, Noun: noun}
	}
	none := page.Sign{}
	for line, want := range map[string]page.Sign{
		"1–25 of 250 results":                       records(1, 25, 250, "results"),
		"Showing 1-12 of 96 products":               records(1, 12, 96, "products"),
		"Items 1-24 of 123":                         records(1, 24, 123, "items"),
		"Comments Showing 1-50 of 4,718 (4718 new)": records(1, 50, 4718, "comments"),
		"Displaying 1 - 15 of 190 news articles":    records(1, 15, 190, "news"),
		"26 to 50 of about 1.234 Treffern":          records(26, 50, 1234, "treffern"),
		"1 bis 20 von 310 Ergebnissen":              records(1, 20, 310, "ergebnissen"),
		"Showing 24 of 514 results":                 records(0, 24, 514, "results"),
		"You've viewed 48 of 158 products":          records(0, 48, 158, "products"),
		"100 of 139 loaded":                         records(0, 100, 139, ""),
		"showing 30 out of 438 conferences":         records(0, 30, 438, "conferences"),
		"3 of 11 comments":                          records(0, 3, 11, "comments"),
		"16 posts • Page 2 of 7":                    {Kind: page.MissingPages, From: 2, To: 2, Of: 7},
		"Page 1/20":                                 {Kind: page.MissingPages, From: 1, To: 1, Of: 20},
		"Seite 3 von 12":                            {Kind: page.MissingPages, From: 3, To: 3, Of: 12},

		"1-25 of 25 results":                          none, // all of them
		"16 posts • Page 1 of 1":                      none,
		"Rated 4.9 out of 26048 reviews":              none, // a mark
		"Rated 4 out of 5":                            none,
		"4.7 of 5 stars":                              none,
		"Post #1 of 7":                                none, // its own number
		"Picture 1 of 4":                              none,
		"Step 1 of 2":                                 none,
		"8 out of 10 executives think so":             none,
		"80 of 96 reviewers recommended":              none,
		"of 1 of":                                     none,
		"1-1-1-1 of of of":                            none,
		"99999999999999 of 99999999999999999 results": none,
	} {
		got, ok := verdictData().counter(line, false, true)
		if got != want || ok != (want != none) {
			t.Errorf("%q: %+v %v, want %+v", line, got, ok, want)
		}
	}
	for _, line := range []string{"Opening hours 9-12 of 24", "Chapters 1-3 of 12"} { // of an article
		if got, ok := verdictData().counter(line, true, false); ok {
			t.Errorf("%q: %+v", line, got)
		}
	}
	if got, ok := verdictData().counter("Page 1 of 4", false, false); ok { // of a carousel
		t.Errorf("%+v", got)
	}
}

func TestNextPage(t *testing.T) {
	for _, c := range []struct {
		here, link, text, head string
		kind                   page.Type
		next                   bool
	}{
		{"https://forum.example/threads/horns.12/", "https://forum.example/threads/horns.12/page-2", "2", "", page.Forum, true},
		{"https://forum.example/viewtopic.php?t=9", "https://forum.example/viewtopic.php?t=9&sid=a1&start=15", "2", "", page.Forum, true},
		{"https://forum.example/viewtopic.php?t=9", "https://forum.example/viewtopic.php?t=8&start=15", "2", "", page.Forum, false}, // another thread
		{"https://forum.example/viewtopic.php?t=9&start=15", "https://forum.example/viewtopic.php?t=9&start=30", "Next", "", page.Forum, true},
		{"https://forum.example/viewtopic.php?t=9&start=15", "https://forum.example/viewtopic.php?t=9", "1", "", page.Forum, false}, // back
		{"https://shop.example/boots", "https://shop.example/boots?page=2", "Next »", "", page.Collection, true},
		{"https://shop.example/boots", "https://shop.example/boots?page=1", "1", "", page.Collection, false}, // itself
		{"https://shop.example/boots", "https://shop.example/boots?page=1", "2", "", page.Collection, true},  // counted from 0
		{"https://shop.example/boots", "https://shop.example/boots?page=1", "Older posts", "", page.Listing, true},
		{"https://shop.example/boots", "https://shop.example/boots?page=2", "Go to page 2", "", page.Listing, true},
		{"https://shop.example/boots?page=3", "https://shop.example/boots?page=4", "›", "", page.Listing, true},
		{"https://shop.example/boots", "https://shop.example/shoes?page=2", "2", "", page.Collection, false},
		{"https://shop.example/boots", "https://shop.example/boots?page=2", "Ads", "", page.Collection, false},
		{"https://blog.example/tag/sea", "https://blog.example/tag/sea/page/2/", "Next page", "", page.Listing, true},
		{"https://forum.example/showthread.php?t=9", "https://forum.example/showthread.php?t=9&p=10465217", "#2", "", page.Forum, false}, // a post
		{"https://forum.example/showthread.php?t=9", "https://forum.example/showthread.php?t=9&p=10465217", "Next", "", page.Forum, false},
		{"https://blog.example/news", "https://blog.example/news?offset=1762241520670", "Older", "", page.Listing, true},
		// Of an article, lists of other articles and pages of comments.
		{"https://blog.example/fog", "https://blog.example/fog?page=2", "Next", "", page.Article, false},
		{"https://blog.example/fog", "", "", "https://blog.example/fog/2", page.Article, false},
		{"https://blog.example/fog", "", "", "https://blog.example/fog?page=2", page.Article, true},
		{"https://blog.example/fog", "", "", "https://blog.example/tag/sea/page/2", page.Article, false},
		{"https://blog.example/fog", "", "", "https://blog.example/fog/comment-page-2", page.Article, false},
		{"https://docs.example/ch04-01", "", "", "https://docs.example/ch04-02", page.Documentation, false}, // a chapter
		{"https://shop.example/sofas-1/", "", "", "https://shop.example/sofas/?page=2", page.Collection, true},
		{"https://shop.example/sofas/", "", "", "https://other.example/sofas/?page=2", page.Collection, false},
	} {
		r := Read{URL: c.here, Type: c.kind, Next: c.head}
		if c.link != "" {
			r.Links = []page.Link{{URL: c.link, Text: c.text}}
		}
		want := ""
		if c.next {
			want = c.link + c.head
		}
		if got := r.next(verdictData()); got != want {
			t.Errorf("%+v: %q", c, got)
		}
	}
	// The nearest page.
	r := Read{URL: "https://a.example/l", Type: page.Listing, Links: []page.Link{{URL: "https://a.example/l?page=9", Text: "9"}, {URL: "https://a.example/l?page=2", Text: "2"}}}
	if got := r.next(verdictData()); got != "https://a.example/l?page=2" {
		t.Errorf("%q", got)
	}
}

func TestBreaksOff(t *testing.T) {
	for body, want := range map[string]bool{
		"<p>whole</p></body></html>\n":  false,
		"<p>without end tags":           false,
		"<p>1 < 2":                      false,
		"":                              false,
		"<p>text <a href=\"https://exa": true,
		"<p>text </di":                  true,
		"<p>text <!-- a comm":           true,
		"<p>text <":                     true,
		"<p>text <script>let a = 1 > 2": true,
		"<p>text <script>a</script>":    false,
	} {
		if got := BreaksOff([]byte(body)); got != want {
			t.Errorf("%q: %v", body, got)
		}
	}
}

// A tag is found wherever the parts that are searched meet.
func TestEndsInScript(t *testing.T) {
	for n := range 10 {
		for _, pad := range []int{0, 4<<10 - 12, 8<<10 - 12, 60_000} {
			rest := strings.Repeat(".", pad+n)
			for body, want := range map[string]bool{
				"</script><script>" + rest: true, "<script></script>" + rest: false, "script /script <scrip" + rest: false,
				"<script>" + rest + "script>": true, "": false,
			} {
				if got := endsInScript([]byte(body)); got != want {
					t.Errorf("%.20q and %d bytes: %v", body, len(rest), got)
				}
			}
		}
	}
}
