package about

import "testing"

// Sentences of shops, and whether they say what the page's data states.
func TestSentencesOfStock(t *testing.T) {
	const inStock, outOfStock = false, true
	for _, c := range []struct {
		out  bool // the data states that it is out of stock
		says string
		want bool
	}{
		{inStock, "Currently not in stock.", false},
		{inStock, "This lamp is no longer in stock.", false},
		{inStock, "Back in stock on 3 May", false},
		{inStock, "In stock soon", false},
		{inStock, "Soon in stock", false},
		{inStock, "In stock: 12", true},
		{inStock, "Only 2 left in stock", true},
		{inStock, "Notify me when in stock", false},
		{inStock, "In stock again next week", false},
		{inStock, "Never in stock", false},
		{inStock, "In stock and ready to ship", true},
		{inStock, "E-Mail, sobald auf Lager", false},
		{inStock, "Nur noch 2 auf Lager", true},
		{inStock, "Derzeit leider nicht mehr auf Lager", false},
		{inStock, "Bald wieder lieferbar", false},
		{inStock, "Sofort lieferbar", true},
		{inStock, "Ce produit n'est plus en stock", false},
		{inStock, "Bientôt en stock", false},
		{inStock, "Produit en stock", true},
		{inStock, "Ya no está disponible", false},
		{inStock, "Próximamente disponible", false},
		{inStock, "Disponible en 24 horas", true},
		{inStock, "Non più disponibile", false},
		{inStock, "Presto disponibile", false},
		{inStock, "Niet meer op voorraad", false},
		{inStock, "Binnenkort weer op voorraad", false},
		{inStock, "Não está em estoque", false},
		{inStock, "Slut i lager", false},
		{inStock, "Finns i lager", true},
		{inStock, "Snart på lager igjen", false},
		{inStock, "Není na skladě", false},
		{inStock, "在庫なし", false},
		{inStock, "在庫あり", true},
		{inStock, "暂时没有货", false},
		{outOfStock, "Sold out", true},
		{outOfStock, "Not sold out yet", false},
		{outOfStock, "Almost sold out", false},
		{outOfStock, "Currently in stock", false},
		{outOfStock, "This item is not available", true},
		{outOfStock, "Fast ausverkauft", false},
		{outOfStock, "Leider ausverkauft", true},
		{outOfStock, "Momentan nicht lieferbar", true},
		{outOfStock, "Presque épuisé", false},
		{outOfStock, "Rupture de stock", true},
		{outOfStock, "Casi agotado", false},
		{outOfStock, "Agotado", true},
		{outOfStock, "No disponible", true},
		{outOfStock, "Quasi esaurito", false},
		{outOfStock, "Bijna uitverkocht", false},
		{outOfStock, "Quase esgotado", false},
		{outOfStock, "在庫なし", true},
	} {
		data, want := "InStock", "in stock"
		if c.out {
			data, want = "OutOfStock", "out of stock"
		}
		d := read(parse(t, ld(`{"@type":"Product","name":"Brass cleat","offers":{"price":"5","availability":"`+data+`"}}`, "")))
		f := d.Facts(Page{URL: "https://x.example/", Title: "Brass cleat", Text: func() []byte { return []byte("Brass cleat\n$5\n" + c.says) }})
		got := f.String() == "product: name Brass cleat; price 5; availability "+want
		if got != c.want {
			t.Errorf("%q: %v", c.says, got)
		}
	}
}

// What is paid again and again is not told as a price that is paid once, and a variant that
// the address chooses has its own price.
func TestPrices(t *testing.T) {
	const mark = " (from the page's data)"
	for _, c := range []struct{ offers, shows, want string }{
		{`{"price":"12","priceCurrency":"USD","priceSpecification":{"price":"12.00","unitText":"MONTH"}}`, "$12 / month", "12 USD a month"},
		{`{"priceSpecification":{"price":"12","priceCurrency":"USD","referenceQuantity":{"value":1,"unitCode":"MON"}}}`, "$12 / month", "12 USD a month"},
		{`[{"priceCurrency":"USD","priceSpecification":{"price":"12","billingDuration":"P1M"}},{"priceCurrency":"USD","priceSpecification":{"price":"120","billingDuration":"P1Y"}}]`, "$12 a month, $120 a year", "12 USD a month or 120 USD a year"},
		{`{"price":"30","priceCurrency":"USD","priceSpecification":{"price":"12","unitText":"month"}}`, "$30", "30 USD"},
		{`{"priceSpecification":{"price":"36","priceCurrency":"USD","referenceQuantity":{"value":3,"unitCode":"MON"}}}`, "$36 for 3 months", "36 USD"},
		{`[{"price":"30","priceCurrency":"USD","url":"https://x.example/p?variant=1"},{"price":"35","priceCurrency":"USD","url":"https://x.example/p?variant=2"}]`, "$35", "35 USD"},
		{`[{"price":"30","priceCurrency":"USD","url":"https://x.example/p?variant=1"},{"price":"35","priceCurrency":"USD","url":"https://x.example/p?variant=3"}]`, "$35", "30 to 35 USD" + mark},
		{`{"price":"1299.00","priceCurrency":"NOK"}`, "1 299,-", "1299 NOK"},
		{`{"price":"99","priceCurrency":"EUR"}`, "99,– €", "99 EUR"},
		{`{"price":"99","priceCurrency":"EUR"}`, "pages 99, 100", "99 EUR" + mark},
		{`{"price":"350","priceCurrency":"ISK"}`, "350 ISK", "350 ISK"},
		{`{"price":"99","priceCurrency":"USD"}`, "Was $99.00, now $79.00", "99 USD" + mark},
		{`{"price":"99","priceCurrency":"EUR"}`, "79,00 € statt 99,00 €", "99 EUR" + mark},
		{`{"price":"79","priceCurrency":"USD"}`, "$79.00 (RRP: $99.00)", "79 USD"},
	} {
		d := read(parse(t, ld(`{"@type":"Product","name":"Brass cleat","offers":`+c.offers+`}`, "")))
		f := d.Facts(Page{URL: "https://x.example/p?variant=2", Title: "Brass cleat", Text: func() []byte { return []byte("Brass cleat\n" + c.shows) }})
		if got := f.String(); got != "product: name Brass cleat; price "+c.want {
			t.Errorf("%s: %s", c.shows, got)
		}
	}
}
