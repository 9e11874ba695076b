package extract

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/wcxb"
)

// cards are n products of a shop.
func cards(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `<li class="product-card"><h3><a href="/p/%d">Brass lantern no. %d</a></h3><p>A lantern with a wick that burns for %d hours, and a glass that stands up to wind.</p><span class="price">$%d.50</span></li>`, i, i, i+3, i+20)
	}
	return b.String()
}

// posts are n posts of a thread of XenForo.
func posts(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `<article class="message message--post" data-author="sailor%d" id="post-%d"><div class="message-name"><a class="username">sailor%d</a></div><div class="message-body"><div class="bbWrapper">I have sailed past the lighthouse %d times, and each time the horn was louder than the engine of my boat.</div></div></article>`, i, i, i, i+2)
	}
	return b.String()
}

const story = `<article><h1>The last ferry</h1>` +
	`<p>The ferry left the quay at dawn, with forty passengers and a cargo of brass lamps that nobody had asked for, and it did not come back that day.</p>` +
	`<p>People on the shore heard the horn twice, once at noon and once when the light of the tower was lit, and nobody has heard it since that evening.</p>` +
	`<p>The harbour master wrote down the hour, closed the book, and went home along the wall in the dark, as he had done for thirty years or more.</p>`

// A page that says, or shows, that it does not have all of its content is not complete,
// and says what is missing.
func TestMissing(t *testing.T) {
	shop := func(around string) []byte {
		return site("Lanterns", `<main><h1>Lanterns</h1>`+around+`<ul class="product-list">`+cards(24)+`</ul></main>`)
	}
	thread := func(around string, n int) []byte {
		return []byte(`<html id="XF" data-app="public"><head><title>Fog horns</title></head><body><div class="p-body-main"><h1 class="p-title-value">Fog horns</h1>` + around + `<div class="block-body js-replyNewMessageContainer">` + posts(n) + `</div></div></body></html>`)
	}
	empty := []page.Sign{{Kind: page.MissingResults}}
	for _, c := range []struct {
		name    string
		body    []byte
		verdict page.Verdict
		want    []page.Sign
	}{
		{"a list, whole", shop(""), page.Complete, nil},
		{"a list that counts itself", shop(`<p class="count">Showing 1-24 of 310 products</p>`), page.Partial, []page.Sign{{Kind: page.MissingRecords, From: 1, To: 24, Of: 310, Noun: "products"}}},
		{"a list that has all of what it counts", shop(`<p class="count">Showing 1-24 of 24 products</p>`), page.Complete, nil},
		{"a list with a next page", shop(`<a href="/lanterns?page=2">Next</a>`), page.Partial, []page.Sign{{Kind: page.MissingPages, URL: "https://shop.example/lanterns?page=2"}}},
		{"a list that counts itself and has a next page", shop(`<p>1-24 of 310 results</p><a href="/lanterns?page=2">2</a>`), page.Partial,
			[]page.Sign{{Kind: page.MissingRecords, From: 1, To: 24, Of: 310, Noun: "results", URL: "https://shop.example/lanterns?page=2"}}},
		{"a list with a button", shop(`<button>Load more</button>`), page.Partial, []page.Sign{{Kind: page.MissingButton}}},
		{"a list with an advertisement", shop(`<h2>Load more, pay less</h2>`), page.Complete, nil},
		{"a list with a button that names its records", shop(`<button>Load more lanterns</button>`), page.Partial, []page.Sign{{Kind: page.MissingButton}}},
		{"an age gate", []byte(`<html><head><title>Age check</title></head><body><h1>Are you over 18?</h1><p>Rum is sold to adults only.</p><button>Yes</button></body></html>`), page.Thin, []page.Sign{{Kind: page.MissingGate}}},
		{"a counted article", []byte(`<html><head><title>Fog</title></head><body><h1>Fog</h1><p>You have reached your article limit for this month.</p></body></html>`), page.Thin, []page.Sign{{Kind: page.MissingPaid}}},
		{"a list with filters that open", shop(`<button>Show more</button><button>Show more filters</button>`), page.Complete, nil},
		{"a list without results", site("Lanterns", `<main><h1>Lanterns</h1><form><label>Brass</label><label>Copper</label></form><p>No products were found matching your selection.</p></main>`), page.Thin, empty},
		{"a list without results, beside others", shop(`<p>0 products</p><h2>You may also like</h2>`), page.Thin, empty},
		{"an empty cart", site("Your cart", `<main><h1>Your cart</h1><p>Your cart is empty.</p><a href="/lanterns">Go on shopping</a></main>`), page.Thin, empty},
		{"an empty cart beside a list", []byte(strings.Replace(string(shop("")), "<body>", `<body><div class="drawer"><p>Your cart is empty</p></div>`, 1)), page.Complete, nil},
		{"a German search without results", site("Suche", `<main><h1>Suche</h1><p>Für „Messinglampe“ wurden keine Ergebnisse gefunden.</p></main>`), page.Thin, empty},
		{"a French list without results", site("Lampes", `<main><h1>Lampes</h1><p>Aucun produit ne correspond à votre sélection.</p></main>`), page.Thin, empty},
		{"a Spanish list without results", site("Lámparas", `<main><h1>Lámparas</h1><p>No se encontraron productos que concuerden con la selección.</p></main>`), page.Thin, empty},
		{"a Portuguese list without results", site("Lanternas", `<main><h1>Lanternas</h1><p>Nenhum produto corresponde à sua seleção.</p></main>`), page.Thin, empty},
		{"an Italian list without results", site("Lanterne", `<main><h1>Lanterne</h1><p>Nessun prodotto corrisponde alla tua selezione.</p></main>`), page.Thin, empty},
		{"a Dutch list without results", site("Lampen", `<main><h1>Lampen</h1><p>Geen producten gevonden die aan je zoekcriteria voldoen.</p></main>`), page.Thin, empty},
		{"a Polish list without results", site("Lampy", `<main><h1>Lampy</h1><p>Nie znaleziono produktów, których szukasz.</p></main>`), page.Thin, empty},
		{"a Russian list without results", site("Фонари", `<main><h1>Фонари</h1><p>Товаров, соответствующих вашему запросу, не найдено.</p></main>`), page.Thin, empty},
		{"a Japanese list without results", site("ランタン", `<main><h1>ランタン</h1><p>該当する商品はありません。</p></main>`), page.Thin, empty},
		{"a Chinese search without results", site("搜索", `<main><h1>搜索</h1><p>没有找到符合条件的商品。</p></main>`), page.Thin, empty},
		{"an article about lists without results", site("The last ferry", story+`<p>No results found.</p></article>`), page.Complete, nil},
		{"a list whose rows are grey boxes", site("Lanterns", `<main><h1>Lanterns</h1><p>Choose a metal to see its lanterns, with the price and the hours that each of them burns.</p><ul class="filter"><li>Brass</li><li>Copper</li><li>Iron</li><li>Steel</li><li>Tin</li><li>Zinc</li></ul><div class="list">`+
			strings.Repeat(`<div class="skeleton-row"><div class="skeleton-name"></div><div class="skeleton-price"></div></div>`, 8)+`</div></main><link rel="preload" as="script" href="/list.js">`), page.Thin, []page.Sign{{Kind: page.MissingScripts}}},
		{"a thread, whole", thread("", 6), page.Complete, nil},
		{"one page of a thread", thread(`<div>Page 1 of 7</div><a href="/lanterns/page-2">Next</a>`, 6), page.Partial, []page.Sign{{Kind: page.MissingPages, From: 1, To: 1, Of: 7, URL: "https://shop.example/lanterns/page-2"}}},
		{"a thread whose replies come later", thread(`<x-post comment-count="13"></x-post>`, 1), page.Partial, []page.Sign{{Kind: page.MissingReplies, Of: 13}}},
		{"a thread with its replies", thread(`<x-post comment-count="6"></x-post>`, 6), page.Complete, nil},
		{"an article", site("The last ferry", story+`<p><a href="/next">Read more</a></p></article><section><h2>Related articles</h2><ul><li><a href="/a">The lighthouse</a>…</li></ul><a href="/more">More articles</a><a href="/a?page=2">2</a></section>`), page.Complete, nil},
		{"a paywall", site("The last ferry", story+`</article><div class="wall"><p>Subscribe to continue reading.</p><p>Already a subscriber? Sign in.</p></div>`), page.Thin, []page.Sign{{Kind: page.MissingPaid}}},
		{"an article about paywalls", site("The last ferry", story+`<p>Papers write "subscribe to continue reading" below the third paragraph of a text, and those who are not subscribers have to guess how the story ended, which annoys all of them a great deal and sells few papers.</p><p>That is all there is to say about it, and it was said long before by people who knew more of papers than the author of these lines does.</p></article>`), page.Complete, nil},
		{"more rows than are read", site("Lanterns", `<main><h1>Lanterns</h1>`+strings.Repeat(`<p>A lantern with a wick that burns for hours.</p>`, 20_100)+`</main>`), page.Partial, []page.Sign{{Kind: page.MissingNodes}}},
		{"markup that breaks off", []byte(strings.TrimSuffix(string(site("The last ferry", story+"</article>")), "</body></html>") + `<p class="`), page.Partial, []page.Sign{{Kind: page.MissingEnd}}},
		{"a manual about lists", site("Pagination", `<main class="docs"><h1>Pagination</h1><p>The component writes how many results there are, and the numbers of the pages below the list.</p><pre><code>Showing 1-25 of 250 results</code></pre><p>Call it with the number of results and the length of a page, and it writes this line in the language of the reader.</p></main>`), page.Complete, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := HTML(c.body, Options{URL: "https://shop.example/lanterns"})
			if err != nil {
				t.Fatal(err)
			}
			if p.Verdict != c.verdict || fmt.Sprint(p.Missing) != fmt.Sprint(c.want) {
				t.Errorf("%s %s: %+v, want %s: %+v", p.Type, p.Verdict, p.Missing, c.verdict, c.want)
			}
		})
	}
}

// TestSignsOfRealPages counts the signs of the pages of WCXB. With -v it names the pages.
func TestSignsOfRealPages(t *testing.T) {
	if os.Getenv("SPYHOP_WCXB") == "" {
		t.Skip("SPYHOP_WCXB names no folder with pages")
	}
	pages := wcxb.Pages(t, 1)
	count := map[page.SignKind]int{}
	missing := 0
	for i, w := range pages {
		p, err := HTML(w.HTML, Options{URL: w.URL})
		if err != nil {
			continue
		}
		for _, s := range p.Missing {
			count[s.Kind]++
			t.Logf("%d %s %s %+v", i, p.Type, w.URL, s)
		}
		if len(p.Missing) > 0 {
			missing++
		}
	}
	t.Log(len(pages), "pages,", missing, "with a sign:", count)
	if 4*missing > len(pages) {
		t.Errorf("%d of %d pages have a sign that content is missing", missing, len(pages))
	}
}

// The content of a shell is its data, which also says what kind of page it is.
//
// Fixed bug: the data of a product, written out as prose, was taken for an article.
func TestTypeOfData(t *testing.T) {
	body := `<html><head><title>Brass lamp</title><script type="application/ld+json">{"@type":"Product","name":"Brass lamp","description":"` +
		strings.Repeat("The lamp is made of brass and burns for nine hours in the wind and in the rain. ", 20) +
		`","offers":{"@type":"Offer","price":"20.50","priceCurrency":"USD"}}</script></head><body><div id="root"></div><script src="/app.js"></script></body></html>`
	p, err := HTML([]byte(body), Options{URL: "https://shop.example/brass-lamp"})
	if err != nil || !p.FromData || p.Type != page.Product {
		t.Errorf("%v, from data %v, %s", err, p.FromData, p.Type)
	}
}
