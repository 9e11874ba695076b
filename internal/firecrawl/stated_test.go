package firecrawl

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract/about"
	"golang.org/x/net/html"
)

// What a page states as data is a product, a menu, a brand and a file; what it does not
// state is left out.
func TestStated(t *testing.T) {
	for name, c := range map[string]struct {
		kind, data, want string
	}{
		"an offer, and its price before": {"product", `<script type="application/ld+json">{"@type":"Product","name":"Kettle","brand":{"@type":"Brand","name":"Sund"},"sku":"K1","image":["https://a.example/k.jpg"],"offers":{"@type":"Offer","price":"24.90","priceCurrency":"EUR","availability":"https://schema.org/InStock","priceSpecification":{"@type":"UnitPriceSpecification","priceType":"https://schema.org/ListPrice","price":"30","priceCurrency":"EUR"}}}</script>`,
			`{"title":"Kettle","brand":"Sund","url":"https://a.example/k","variants":[{"sku":"K1","price":{"amount":24.9,"currency":"EUR"},"sale":{"originalPrice":{"amount":30,"currency":"EUR"}},"availability":{"inStock":true,"text":"InStock"},"images":[{"url":"https://a.example/k.jpg"}]}]}`},
		"variants": {"product", `<script type="application/ld+json">{"@type":"ProductGroup","name":"Shirt","hasVariant":[{"@type":"Product","sku":"S-r","color":"red","size":"M","offers":{"price":19,"priceCurrency":"USD","availability":"OutOfStock"}},{"@type":"Product","sku":"S-b","color":"blue"}]}</script>`,
			`{"title":"Shirt","url":"https://a.example/k","variants":[{"sku":"S-r","values":{"color":"red","size":"M"},"price":{"amount":19,"currency":"USD"},"availability":{"inStock":false,"text":"OutOfStock"}},{"sku":"S-b","values":{"color":"blue"}}]}`},
		"offers of an aggregate, in microdata": {"product", `<body itemscope itemtype="https://schema.org/WebPage"><div itemprop="mainEntity" itemscope itemtype="https://schema.org/Product"><b itemprop="name">Bulb</b><div itemprop="offers" itemscope itemtype="https://schema.org/AggregateOffer"><meta itemprop="priceCurrency" content="GBP"><p itemprop="offers" itemscope itemtype="https://schema.org/Offer"><b itemprop="price">1,299.00</b></p><p itemprop="offers" itemscope itemtype="https://schema.org/Offer"><b itemprop="price">1.299,50 €</b> <i itemprop="name">Two</i></p></div></div></body>`,
			`{"title":"Bulb","url":"https://a.example/k","variants":[{"price":{"amount":1299,"currency":"GBP","formatted":"1,299.00"}},{"title":"Two","price":{"amount":1299.5,"currency":"GBP","formatted":"1.299,50 €"}}]}`},
		"Open Graph": {"product", `<meta property="og:title" content="Pan"><meta property="product:price:amount" content="12"><meta property="product:price:currency" content="EUR"><meta property="product:availability" content="in stock">`,
			`{"title":"Pan","url":"https://a.example/k","variants":[{"price":{"amount":12,"currency":"EUR"},"availability":{"inStock":true,"text":"in stock"}}]}`},
		"no product": {"product", `<script type="application/ld+json">{"@type":"Article","name":"On pans"}</script><meta property="og:title" content="On pans">`, `null`},
		"a menu": {"menu", `<script type="application/ld+json">{"@type":"Restaurant","name":"Quay","hasMenu":{"@type":"Menu","hasMenuSection":[{"@type":"MenuSection","name":"Soups","hasMenuItem":{"@type":"MenuItem","name":"Leek","offers":{"price":"6.50","priceCurrency":"EUR"},"suitableForDiet":"https://schema.org/VeganDiet","nutrition":{"calories":"210 calories"}}}]}}</script>`,
			`{"isMenu":true,"confidence":1,"merchant":{"name":"Quay","type":"Restaurant"},"currency":"EUR","sections":[{"id":"1","name":"Soups","items":[{"id":"1.1","name":"Leek","images":[],"price":{"amount":6.5,"currency":"EUR"},"dietary":["Vegan"],"calories":210,"optionGroups":[],"identifiers":{},"sourceUrl":"https://a.example/k"}]}],"sourceUrl":"https://a.example/k"}`},
		"what other items describe, sections within each other": {"menu", `<script type="application/ld+json">{"@graph":[{"@type":"Menu","@id":"#m","hasMenuSection":{"@id":"#s"}},{"@type":"MenuSection","@id":"#s","name":"Soups","hasMenuSection":[{"@id":"#m"},{"@id":"#s"}],"hasMenuItem":{"@id":"#l"}},{"@type":"MenuItem","@id":"#l","name":"Leek"}]}</script>`,
			`{"isMenu":true,"confidence":1,"merchant":{"name":""},"sections":[{"id":"1","name":"Soups","items":[{"id":"1.1","name":"Leek","images":[],"dietary":[],"optionGroups":[],"identifiers":{},"sourceUrl":"https://a.example/k"}]}],"sourceUrl":"https://a.example/k"}`},
		"no menu":  {"menu", `<script type="application/ld+json">{"@type":"Restaurant","name":"Quay"}</script>`, `null`},
		"a brand":  {"branding", `<script type="application/ld+json">{"@type":"Organization","name":"Sund","logo":{"@type":"ImageObject","url":"https://a.example/l.svg"}}</script><meta property="og:image" content="https://a.example/o.jpg">`, `{"brandName":"Sund","logo":"https://a.example/l.svg","images":{"logo":"https://a.example/l.svg","ogImage":"https://a.example/o.jpg"}}`},
		"no brand": {"branding", ``, `null`},
		"a video":  {"video", `<script type="application/ld+json">{"@type":"VideoObject","contentUrl":"https://a.example/v.mp4"}</script>`, `"https://a.example/v.mp4"`},
		"a player": {"video", `<meta property="og:video:url" content="https://a.example/embed/1"><meta property="og:video:type" content="text/html">`, `null`},
		"sound":    {"audio", `<script type="application/ld+json">{"@type":"PodcastEpisode","associatedMedia":{"@type":"MediaObject","contentUrl":"https://a.example/e.mp3"}}</script>`, `"https://a.example/e.mp3"`},
	} {
		doc, err := html.Parse(strings.NewReader(c.data))
		if err != nil {
			t.Fatal(err)
		}
		_, stated := about.Read(doc, "https://a.example/k")
		var d Document
		if has := d.State(c.kind, stated.Graph, "https://a.example/k"); has != (c.want != "null") {
			t.Errorf("%s: %v", name, has)
		}
		got, err := json.Marshal(map[string]any{"product": d.Product, "menu": d.Menu, "branding": d.Branding, "video": d.Video, "audio": d.Audio}[c.kind])
		if err != nil || string(got) != c.want && c.want != "null" {
			t.Errorf("%s:\n%s, want\n%s", name, got, c.want)
		}
	}
	if new(Document).State("product", nil, "") {
		t.Error("a page of which nothing is known states something")
	}
}

func TestAmounts(t *testing.T) {
	for s, want := range map[string]float64{"12": 12, "1299.00": 1299, "1,299.00": 1299, "1.299,00 €": 1299, "€ 1.299": 1299, "1,299": 1299, "9,99": 9.99, "1.299.000": 1299000, "1 299,50": 1299.5, "0": 0} {
		if got, ok := amountOf(s); !ok || got != want {
			t.Errorf("%q: %v %v, want %v", s, got, ok, want)
		}
	}
	for _, s := range []string{"", "free", "from 9 to 12"} {
		if got, ok := amountOf(s); ok {
			t.Errorf("%q: %v", s, got)
		}
	}
}
