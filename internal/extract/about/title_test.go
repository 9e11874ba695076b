package about

import "testing"

// What a page writes where its title stands, and is not its title.
func TestTitleOfPage(t *testing.T) {
	const faq = `<script type="application/ld+json">{"@type":"FAQPage","mainEntity":[{"@type":"Question","name":"Which shirt fits?","datePublished":"2020-01-02","acceptedAnswer":{"@type":"Answer","text":"x"}}]}</script>`
	for _, c := range []struct{ name, url, source, want string }{
		{"a heading in capitals", "https://coffeelab.example/x/1", `<title>Best Coffee Makers: Buying Tips | Coffee Lab</title><h1>BEST COFFEE MAKERS: BUYING TIPS</h1>`, "Best Coffee Makers: Buying Tips"},
		{"a page in capitals", "https://a.example/x/1", `<title>THE NEW RULES</title><h1>THE NEW RULES</h1>`, "THE NEW RULES"},
		{"abbreviations, and a page without capitals", "https://a.example/x/1", `<title>ibm pc dos</title><h1>IBM PC DOS</h1>`, "IBM PC DOS"},
		{"an abbreviation", "https://a.example/x/1", `<title>NASA | A</title><h1>NASA</h1>`, "NASA"},
		{"two lines of a heading", "https://a.example/x/1", `<title>Bershka Faux jacket - black</title><h1><span class=b>Bershka</span><span>Faux jacket - black</span></h1>`, "Bershka Faux jacket - black"},
		{"a button in the heading", "https://a.example/tokio/", `<title>tokio - Rust</title><h1>Crate <span>tokio</span>&nbsp;<button>Copy item path</button></h1>`, "Crate tokio"},
		{"a heading that is a button", "https://a.example/x/1", `<title>Menu of the week</title><h1><button>Menu of the week</button></h1>`, "Menu of the week"},
		{"a file's name", "https://a.example/guide", `<title>README | the-guide</title><meta property=og:site_name content="the-guide"><h1>README</h1>`, "the-guide"},
		{"the only question of an FAQ", "https://a.example/tops", `<title>Tops for Men</title>` + faq + `<h1>Tops</h1><h1>Tops and Shirts</h1>`, "Tops for Men"},
	} {
		if m, _ := metaOf(t, c.source, c.url); m.Title != c.want || m.Published != "" {
			t.Errorf("%s: %q, %q, want %q", c.name, m.Title, m.Published, c.want)
		}
	}
}

// A thread's date is that of its opening post, and not the time of day above it.
func TestDateOfThread(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"Simple Machines", `<title>How to bake?</title><h1><a href=/>A Forum</a></h1><div class=user><time datetime="2026-03-05T12:16:19Z">March 05, 2026</time></div>
			<h2 class=display_title><span>How to bake?</span></h2><p>Started by Ann Bee, June 04, 2024, 11:23:55 AM</p><p>x</p>`, "2024-06-04"},
		{"Reddit", `<title>How to bake? : r/x</title><shreddit-post created-timestamp="2026-03-03T09:47:05.754000+0000"><h1>How to bake?</h1></shreddit-post>`, "2026-03-03"},
		{"a time of day and no thread", `<title>How to bake</title><h1>A Forum</h1><time datetime="2026-03-05">March 05, 2026</time><h2>How to bake</h2><p>x</p>`, "2026-03-05"},
	} {
		if m, _ := metaOf(t, c.source, "https://a.example/index.php"); len(m.Published) < 10 || m.Published[:10] != c.want {
			t.Errorf("%s: %q, want %q", c.name, m.Published, c.want)
		}
	}
}
