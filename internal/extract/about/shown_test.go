package about

import "testing"

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
	} {
		d := read(parse(t, ld(`{"@type":"Product","name":"Brass cleat","offers":`+c.offers+`}`, "")))
		f := d.Facts(Page{URL: "https://x.example/p?variant=2", Title: "Brass cleat", Text: func() []byte { return []byte("Brass cleat\n" + c.shows) }})
		if got := f.String(); got != "product: name Brass cleat; price "+c.want {
			t.Errorf("%s: %s", c.shows, got)
		}
	}
}
