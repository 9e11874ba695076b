package firecrawl

import (
	"encoding/json"
	"testing"
)

// What a page states as data is a product, a menu, a brand and a file; what it does not
// state is left out.
func TestStated(t *testing.T) {
	for name, c := range map[string]struct {
		data, want string
		of         func(Stated) any
	}{
		"an offer, and its price before": {
			`{"json_ld":[{"@type":"Product","name":"Kettle","brand":{"@type":"Brand","name":"Sund"},"sku":"K1","image":["https://a.example/k.jpg"],"offers":{"@type":"Offer","price":"24.90","priceCurrency":"EUR","availability":"https://schema.org/InStock","priceSpecification":{"@type":"UnitPriceSpecification","priceType":"https://schema.org/ListPrice","price":"30","priceCurrency":"EUR"}}}]}`,
			`{"title":"Kettle","brand":"Sund","url":"https://a.example/k","variants":[{"sku":"K1","price":{"amount":24.9,"currency":"EUR"},"sale":{"originalPrice":{"amount":30,"currency":"EUR"}},"availability":{"inStock":true,"text":"InStock"},"images":[{"url":"https://a.example/k.jpg"}]}]}`,
			func(s Stated) any { return s.Product("https://a.example/k") }},
		"variants": {
			`{"json_ld":[{"@type":"ProductGroup","name":"Shirt","hasVariant":[{"@type":"Product","sku":"S-r","color":"red","size":"M","offers":{"price":19,"priceCurrency":"USD","availability":"OutOfStock"}},{"@type":"Product","sku":"S-b","color":"blue"}]}]}`,
			`{"title":"Shirt","url":"u","variants":[{"sku":"S-r","values":{"color":"red","size":"M"},"price":{"amount":19,"currency":"USD"},"availability":{"inStock":false,"text":"OutOfStock"}},{"sku":"S-b","values":{"color":"blue"}}]}`,
			func(s Stated) any { return s.Product("u") }},
		"offers of an aggregate, in microdata": {
			`{"microdata":[{"@type":"WebPage","mainEntity":{"@type":"Product","name":"Bulb","offers":{"@type":"AggregateOffer","priceCurrency":"GBP","offers":[{"price":"1,299.00"},{"price":"1.299,50 €","name":"Two"}]}}}]}`,
			`{"title":"Bulb","url":"u","variants":[{"price":{"amount":1299,"currency":"GBP","formatted":"1,299.00"}},{"title":"Two","price":{"amount":1299.5,"currency":"GBP","formatted":"1.299,50 €"}}]}`,
			func(s Stated) any { return s.Product("u") }},
		"Open Graph": {
			`{"properties":{"og:title":"Pan","product:price:amount":"12","product:price:currency":"EUR","product:availability":"in stock"}}`,
			`{"title":"Pan","url":"u","variants":[{"price":{"amount":12,"currency":"EUR"},"availability":{"inStock":true,"text":"in stock"}}]}`,
			func(s Stated) any { return s.Product("u") }},
		"no product": {`{"json_ld":[{"@type":"Article","name":"On pans"}],"properties":{"og:title":"On pans"}}`, `null`, func(s Stated) any { return s.Product("u") }},
		"a menu": {
			`{"json_ld":[{"@type":"Restaurant","name":"Quay","hasMenu":{"@type":"Menu","hasMenuSection":[{"@type":"MenuSection","name":"Soups","hasMenuItem":{"@type":"MenuItem","name":"Leek","offers":{"price":"6.50","priceCurrency":"EUR"},"suitableForDiet":"https://schema.org/VeganDiet","nutrition":{"calories":"210 calories"}}}]}}]}`,
			`{"isMenu":true,"confidence":1,"merchant":{"name":"Quay","type":"Restaurant"},"currency":"EUR","sections":[{"id":"1","name":"Soups","items":[{"id":"1.1","name":"Leek","images":[],"price":{"amount":6.5,"currency":"EUR"},"dietary":["Vegan"],"calories":210,"optionGroups":[],"identifiers":{},"sourceUrl":"u"}]}],"sourceUrl":"u"}`,
			func(s Stated) any { return s.Menu("u") }},
		"no menu":  {`{"json_ld":[{"@type":"Restaurant","name":"Quay"}]}`, `null`, func(s Stated) any { return s.Menu("u") }},
		"a brand":  {`{"json_ld":[{"@type":"Organization","name":"Sund","logo":{"@type":"ImageObject","url":"https://a.example/l.svg"}}],"properties":{"og:image":"https://a.example/o.jpg"}}`, `{"brandName":"Sund","logo":"https://a.example/l.svg","images":{"logo":"https://a.example/l.svg","ogImage":"https://a.example/o.jpg"}}`, func(s Stated) any { return s.Branding() }},
		"no brand": {`{}`, `null`, func(s Stated) any { return s.Branding() }},
		"a video":  {`{"json_ld":[{"@type":"VideoObject","contentUrl":"https://a.example/v.mp4"}]}`, `"https://a.example/v.mp4"`, func(s Stated) any { return s.Media("video") }},
		"a player": {`{"properties":{"og:video:url":"https://a.example/embed/1","og:video:type":"text/html"}}`, `""`, func(s Stated) any { return s.Media("video") }},
		"sound":    {`{"json_ld":[{"@type":"PodcastEpisode","associatedMedia":{"@type":"MediaObject","contentUrl":"https://a.example/e.mp3"}}]}`, `"https://a.example/e.mp3"`, func(s Stated) any { return s.Media("audio") }},
	} {
		s, err := NewStated([]byte(c.data))
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := json.Marshal(c.of(s)); string(got) != c.want {
			t.Errorf("%s:\n%s, want\n%s", name, got, c.want)
		}
	}
	if _, err := NewStated([]byte("{")); err == nil {
		t.Error("half an object is read")
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
