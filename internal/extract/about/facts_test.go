package about

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
)

func parse(t testing.TB, s string) *html.Node {
	t.Helper()
	doc, err := dom.Parse([]byte(s), &page.Page{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// read returns the graph of a page.
func read(doc *html.Node) *Graph {
	_, stated := Read(doc, "https://x.example/")
	return stated.Graph
}

// Each case is a page and its items as JSON, with their source before them.
func TestItems(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"a product", `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Cleat","offers":{"@type":"Offer","price":24.90,"priceCurrency":"EUR"}}</script>`,
			`json-ld {"@type":"Product","name":"Cleat","offers":{"@type":"Offer","price":"24.90","priceCurrency":"EUR"}}`},
		{"a graph with names", `<script type="application/ld+json">{"@graph":[{"@type":["Thing","schema:Boat"],"@id":"#b","schema:name":["A","B"]}]}</script>`,
			`json-ld {"@id":"#b","@type":["Thing","Boat"],"name":["A","B"]}`},
		{"broken JSON", `<script type="application/ld+json">{"@type":"Product","name":"Cleat","offers":{"price":</script><p>`, `json-ld {"@type":"Product","name":"Cleat","offers":{}}`},
		{"references and markup", `<script type="application/ld+json">{"@type":"Product","name":"Rope &amp;amp; cleat","n":null,"ok":true,"x":{"@value":"5"}}</script>`,
			`json-ld {"@type":"Product","name":"Rope & cleat","ok":"true","x":"5"}`},
		{"microdata", `<div itemscope itemtype="https://schema.org/Product" itemid="urn:1"><h1 itemprop="name">Cleat <b>150</b></h1><a itemprop="url" href="/c">x</a>
			<div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><meta itemprop="priceCurrency" content="EUR"><span itemprop="price" content="24.90">24,90</span><link itemprop="availability" href="https://schema.org/InStock"></div></div>`,
			`microdata {"@id":"urn:1","@type":"Product","name":"Cleat 150","url":"/c","offers":{"@type":"Offer","priceCurrency":"EUR","price":"24.90","availability":"https://schema.org/InStock"}}`},
		{"RDFa", `<div vocab="https://schema.org/" typeof="Recipe"><h1 property="name">Soup</h1><time property="datePublished" datetime="2024-05-01">May</time><p property="author" typeof="Person"><span property="name">Ida</span></p></div>`,
			`rdfa {"@type":"Recipe","name":"Soup","datePublished":"2024-05-01","author":{"@type":"Person","name":"Ida"}}`},
		{"Open Graph", `<meta property="og:type" content="product"><meta name="twitter:card" content="summary"><meta name="description" content="no"><p>`, "og:type=product twitter:card=summary"},
		{"nothing", `<p>Text</p><script>var a = {"@type":"Product"}</script>`, ""},
	} {
		d := read(parse(t, c.in))
		var got []string
		for _, it := range d.Items {
			raw, err := json.Marshal(it)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(it.Source)+" "+strings.ReplaceAll(string(raw), `\u0026`, "&"))
		}
		for _, p := range d.Properties {
			got = append(got, p.Name+"="+p.Content)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, s, c.want)
		}
		if d.Empty() != (c.want == "") {
			t.Errorf("%s: Empty is %v", c.name, d.Empty())
		}
	}
}

// ld is a page with one item as JSON-LD.
func ld(item, body string) string {
	return `<title>Brass cleat</title><script type="application/ld+json">` + item + `</script>` + body
}

// Each case is a page, what it shows, and its facts. What it does not show has a mark.
func TestFacts(t *testing.T) {
	product := func(offer string) string {
		return `{"@type":"Product","name":"Brass cleat","brand":{"@type":"Brand","name":"Harbour"},"offers":` + offer + `}`
	}
	const mark = " (from the page's data)"
	for _, c := range []struct {
		name, in, shows, want string
		several               bool
	}{
		{"shown", ld(product(`{"price":"1299.00","priceCurrency":"EUR","availability":"https://schema.org/InStock"}`), ""), "Brass cleat\nHarbour\n1.299,00 €\nIn stock",
			"product: name Brass cleat; brand Harbour; price 1299 EUR; availability in stock (from the page's data)", false},
		{"only in the data", ld(product(`{"price":24.9,"priceCurrency":"EUR","availability":"InStock"}`), ""), "Brass cleat\n24 reviews, 90 of them good",
			"product: name Brass cleat; brand Harbour" + mark + "; price 24.90 EUR" + mark + "; availability in stock" + mark, false},
		{"another price is shown", ld(product(`{"price":"24.90","priceCurrency":"EUR"}`), ""), "Brass cleat by Harbour\n€ 29.90", "product: name Brass cleat; brand Harbour; price 24.90 EUR" + mark, false},
		{"a number that is not a price", ld(product(`{"price":"20","priceCurrency":"USD"}`), ""), "Brass cleat by Harbour\n20 reviews", "product: name Brass cleat; brand Harbour; price 20 USD" + mark, false},
		{"cents that stand raised", ld(product(`{"price":"39.99","priceCurrency":"USD"}`), ""), "Brass cleat by Harbour\n$39 99", "product: name Brass cleat; brand Harbour; price 39.99 USD", false},
		{"a range", ld(product(`{"@type":"AggregateOffer","lowPrice":"10","highPrice":"20.50","priceCurrency":"GBP"}`), ""), "Brass cleat by Harbour from £10 to £20.50", "product: name Brass cleat; brand Harbour; price 10 to 20.50 GBP", false},
		{"several offers", ld(product(`[{"price":"10","priceCurrency":"SEK"},{"price":"12","priceCurrency":"SEK"}]`), ""), "Brass cleat by Harbour 10 kr 12 kr", "product: name Brass cleat; brand Harbour; price 10 to 12 SEK", false},
		{"two currencies", ld(product(`[{"price":"10","priceCurrency":"SEK","availability":"InStock"},{"price":"1","priceCurrency":"EUR"}]`), ""), "Brass cleat by Harbour", "product: name Brass cleat; brand Harbour; price 10 SEK or 1 EUR (from the page's data); availability in stock" + mark, false},
		{"rating", ld(`{"@type":"Product","name":"Brass cleat","offers":{"price":"5","priceCurrency":"USD"},"aggregateRating":{"ratingValue":"4.50","bestRating":5,"reviewCount":"1204"}}`, ""), "Brass cleat $5 4.5 (1,204)", "product: name Brass cleat; price 5 USD; rating 4.5 of 5 from 1204", false},
		{"stars of a company", ld(`{"@type":"Product","name":"Brass cleat","aggregateRating":{"ratingValue":"5","reviewCount":"9"}}`, ""), "Brass cleat", "", false},
		{"Open Graph alone", `<title>Cleat</title><meta property="og:type" content="product"><meta property="og:title" content="Cleat"><meta property="product:price:amount" content="7.50"><meta property="product:price:currency" content="CHF">`,
			"Cleat CHF 7.50", "product: name Cleat; price 7.50 CHF", false},
		{"one of many", ld(`[{"@type":"Product","name":"A","offers":{"price":"1","priceCurrency":"EUR"}},{"@type":"Product","name":"B","offers":{"price":"2","priceCurrency":"EUR"}}]`, ""), "A 1 € B 2 €", "", false},
		{"of many the one with the title", ld(`[{"@type":"Product","name":"A","offers":{"price":"1","priceCurrency":"EUR"}},{"@type":"Product","name":"Brass cleat","offers":{"price":"2","priceCurrency":"EUR"}}]`, ""), "Brass cleat 2 €", "product: name Brass cleat; price 2 EUR", false},
		{"one on a list", ld(`{"@type":"Product","name":"A","offers":{"price":"1","priceCurrency":"EUR"}}`, ""), "A 1 €", "", true},
		{"article", ld(`{"@graph":[{"@type":"NewsArticle","headline":"Brass cleat","author":{"@id":"#a"},"datePublished":"2024-05-01T09:30:00+02:00","dateModified":"2024-05-03","publisher":{"@id":"https://x.example/#org"}},{"@type":"Person","@id":"#a","name":"Ida Sund"}]}`, ""),
			"Brass cleat\nBy Ida Sund, 1 May 2024", "article: title Brass cleat; author Ida Sund; published 2024-05-01 09:30 +02:00; modified 2024-05-03" + mark, false},
		{"an article whose headline is a description", ld(`{"@type":"Article","headline":"Kind of a fitting","name":"Brass cleat"}`, ""), "Brass cleat\nA cleat.", "article: title Brass cleat", false},
		{"few pieces", ld(`{"@type":"Product","name":"Brass cleat","offers":{"price":"2","priceCurrency":"EUR","availability":"https://schema.org/LimitedAvailability"}}`, ""), "Brass cleat, only today, 2 €", "product: name Brass cleat; price 2 EUR; availability limited availability" + mark, false},
		{"values that are none", ld(`{"@type":"Product","name":"Brass cleat","brand":true,"offers":[{"price":"-5","priceCurrency":"EUR"},{"price":7,"priceCurrency":"EUR"}]}`, ""), "Brass cleat 7 € 5 €", "product: name Brass cleat; price 7 EUR", false},
		{"more offers than are read", ld(`{"@type":"Product","name":"Brass cleat","offers":[`+strings.Repeat(`{"price":"2","priceCurrency":"EUR","availability":"InStock"},`, 2*maxItems)+`{"price":"90"}]}`, ""), "Brass cleat 2 €, in stock", "", false},
		{"event", ld(`{"@type":"MusicEvent","name":"Regatta","startDate":"2025-07-04T19:00","location":{"@type":"Place","name":"Pier 3","address":{"addressLocality":"Bergen"}},"eventStatus":"https://schema.org/EventCancelled"}`, ""),
			"Regatta on 04.07.2025 at Pier 3, Bergen. Cancelled", "event: name Regatta; start 2025-07-04 19:00; place Pier 3, Bergen; status cancelled", false},
		{"event without a date", ld(`{"@type":"Event","name":"We plan events"}`, ""), "We plan events", "", false},
		{"recipe", ld(`{"@type":"Recipe","name":"Fish soup","recipeYield":"4 servings","prepTime":"PT20M","totalTime":"PT1H5M","author":"Ida","nutrition":{"calories":"300 kcal"}}`, ""),
			"Fish soup\n4 servings, 20 minutes, 1 h 5 min\nIda", "recipe: name Fish soup; author Ida; yield 4 servings; preparation 20 min; total time 1 h 5 min; calories 300 kcal" + mark, false},
		{"job", ld(`{"@type":"JobPosting","title":"Pilot","hiringOrganization":{"name":"Port"},"jobLocation":{"address":{"addressLocality":"Oslo"}},"employmentType":["FULL_TIME"],"baseSalary":{"currency":"NOK","value":{"minValue":500000,"maxValue":600000,"unitText":"YEAR"}},"datePosted":"2024-01-02"}`, ""),
			"Pilot at Port, Oslo. Full-time. NOK 500 000 to 600,000. 2024-01-02", "job: title Pilot; employer Port; place Oslo; salary 500000 to 600000 NOK a year; employment full time; posted 2024-01-02", false},
		{"video of the page", ld(`{"@type":"VideoObject","name":"Brass cleat","duration":"PT3M5S","uploadDate":"2024-01-02"}`, ""), "Brass cleat 3:05", "video: name Brass cleat; duration 3 min 5 s; uploaded 2024-01-02" + mark, false},
		{"video beside", ld(`{"@type":"VideoObject","name":"An advertisement","duration":"PT3M5S"}`, ""), "Brass cleat 3:05", "", false},
		{"times with a zone", ld(`{"@type":"Event","name":"Regatta","startDate":"2025-07-04T23:30:00Z","endDate":"2025-07-05T02:00:00.000-0500"}`, ""), "Regatta, 5 July 2025", "event: name Regatta; start 2025-07-04 23:30 UTC" + mark + "; end 2025-07-05 02:00 -05:00", false},
		{"durations with fractions and empty parts", ld(`{"@type":"Recipe","name":"Brass cleat","prepTime":"P0Y0M0DT0H35M0.000S","cookTime":"PT1.5H","totalTime":"P1M"}`, ""), "Brass cleat", "recipe: name Brass cleat; preparation 35 min" + mark + "; cooking 1 h 30 min" + mark, false},
		{"a job in a list", ld(`{"@type":"JobPosting","title":"Brass cleat","baseSalary":{"currency":"USD","value":{"value":"17.50","unitText":"HOUR"}}}`, ""), "Brass cleat, $17.50. Not remote", "job: title Brass cleat; salary 17.50 USD an hour", true},
		{"software", ld(`{"@type":"SoftwareApplication","name":"Brass cleat","offers":{"price":"2.99","priceCurrency":"USD"}}`, ""), "Brass cleat $2.99", "product: name Brass cleat; price 2.99 USD", false},
		{"software in an article", ld(`[{"@type":"SoftwareApplication","name":"Cleats 3","offers":{"price":"2.99","priceCurrency":"USD"}},{"@type":"Article","headline":"Brass cleat"}]`, ""), "Brass cleat", "article: title Brass cleat", false},
		{"question", ld(`{"@type":"QAPage","mainEntity":{"@type":"Question","name":"Brass cleat?","upvoteCount":-1,"answerCount":2,"acceptedAnswer":{"@type":"Answer","author":{"name":"Ola"}}}}`, ""), "Brass cleat?\n1 vote\n2 answers\nOla", "question: title Brass cleat?; votes -1; answers 2; accepted answer by Ola", false},
		{"questions of a company", ld(`{"@type":"FAQPage","mainEntity":[{"@type":"Question","name":"Brass cleat"}]}`, ""), "Brass cleat", "", false},
		{"hidden characters", ld(`{"@type":"Product","name":"Brass`+"\\u200b"+` cleat","offers":{"price":"5"}}`, ""), "Brass cleat $5", "product: name Brass cleat; price 5", false},
	} {
		doc := parse(t, c.in)
		d := read(doc)
		title := "Brass cleat"
		if n := doc.FirstChild; n != nil && strings.Contains(c.in, "<title>Cleat<") {
			title = "Cleat"
		}
		f := d.Facts(Page{URL: "https://x.example/", Title: title, Several: c.several, Text: func() []byte { return []byte(c.shows) }})
		if got := f.String(); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestNumber(t *testing.T) {
	for in, want := range map[string]string{
		"$1,299.00": "1299.00", "1.299,00 €": "1299.00", "1 299,5 kr": "1299.5", "1,299": "1299", "0.125": "0.125", "4.5 of 5": "4.5", "12'345.60": "12345.60",
		"- 5 °C": "-5", "-$3.20": "-3.20", "page-3": "3", "1.2.3": "123", "20 30": "20", "1,234,567": "1234567", "007": "7", "none": "",
	} {
		if got, _ := Number(in); got != want {
			t.Errorf("Number(%q) = %q, want %q", in, got, want)
		}
	}
}

// Data of any size ends within bounds, and says so.
func TestGraphBounds(t *testing.T) {
	for name, in := range map[string]string{
		"items":      `<script type="application/ld+json">[` + strings.Repeat(`{"@type":"Product","name":"x"},`, 3*maxItems) + `0]</script>`,
		"levels":     `<script type="application/ld+json">` + strings.Repeat(`{"a":`, 90) + "1" + strings.Repeat("}", 90) + `</script>`,
		"text":       `<script type="application/ld+json">{"@type":"Product","name":"` + strings.Repeat("x ", maxText) + `"}</script>`,
		"properties": strings.Repeat(`<meta property="og:image" content="x">`, 2*maxProperties),
		"members":    `<div itemscope>` + strings.Repeat(`<p itemprop="a">`+strings.Repeat("<i>", 20)+"x</p>", maxValues+10) + `</div>`,
		"nested":     `<div itemscope>` + strings.Repeat(`<span itemprop="a">`, 400) + strings.Repeat("<b></b>", 2_000) + "x",
	} {
		d := read(parse(t, in))
		if !d.Cut {
			t.Errorf("%s: nothing was cut", name)
		}
		raw, err := json.Marshal(d.Items)
		if err != nil || len(raw) > 4*maxAllText {
			t.Errorf("%s: %d bytes, %v", name, len(raw), err)
		}
	}
}

func FuzzFacts(f *testing.F) {
	f.Add(ld(`{"@type":"Product","name":"Brass cleat","offers":{"price":"1.299,00","priceCurrency":"EUR"}}`, `<p>€ 1 299.00 on 3 May 2024`)) // amounts
	f.Add(ld(`{"@graph":[{"@id":"#a","@type":"Person"},{"@type":"Article","author":{"@id":"#a"},"datePublished":"2024-05-01T1"}]}`, "2024")) // references, dates
	f.Add(`<div itemscope itemtype="x/Recipe"><p itemprop="totalTime" content="P1DT2H">` + "\x00")                                           // microdata
	f.Add(`<div typeof="JobPosting"><p property="baseSalary">1,2,3`)                                                                         // RDFa
	f.Fuzz(func(t *testing.T, in string) {
		doc, err := dom.Parse([]byte(strings.ToValidUTF8(in, "")), &page.Page{}, nil)
		if err != nil {
			return
		}
		d := read(doc)
		if _, err := json.Marshal(d.Items); err != nil {
			t.Error(err)
		}
		facts := d.Facts(Page{Title: "Brass cleat", Text: func() []byte { return []byte(dom.NodeText(doc, 1<<16)) }})
		if facts != nil && (len(facts.Values) == 0 || strings.Contains(facts.String(), "\n")) {
			t.Errorf("facts %q", facts)
		}
		if n, ok := Number(in); ok {
			if err := json.Unmarshal([]byte(n), new(json.Number)); err != nil {
				t.Errorf("Number(%q) = %q", in, n)
			}
		}
	})
}

func ExampleGraph_Facts() {
	doc, err := dom.Parse([]byte(`<title>Cleat</title><script type="application/ld+json">
		{"@type":"Product","name":"Cleat","offers":{"price":"24.90","priceCurrency":"EUR"}}</script><h1>Cleat</h1>`), &page.Page{}, nil)
	if err != nil {
		return
	}
	_, stated := Read(doc, "https://example.com/cleat")
	facts := stated.Graph.Facts(Page{Title: "Cleat", Text: func() []byte { return []byte("Cleat") }})
	fmt.Println(facts)
	// Output: product: name Cleat; price 24.90 EUR (from the page's data)
}
