package about

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/result"
)

// offers are those of an item, or of its variants: the one that the URL of the page
// chooses, or all.
func (c *collector) offers() []*Item {
	all := c.Inner(c.item, "offers")
	for _, v := range c.Inner(c.item, "hasVariant", "model") {
		all = append(all, c.Inner(v, "offers")...)
	}
	for _, o := range all {
		if more := c.Inner(o, "offers"); len(more) > 0 && c.Text(o, "lowPrice", "price") == "" {
			all = more
		}
		if u := c.Text(o, "url"); strings.Contains(u, "?") && u == c.page.URL {
			return []*Item{o}
		}
	}
	if c.Cut && len(all) > 1 {
		return nil // others may be missing
	}
	return all
}

// price is that of the offers: one, or from the lowest to the highest, for each currency
// and period.
func price(c *collector, f fact) {
	var p prices
	for _, o := range c.offers() {
		spec := c.priceSpecification(o)
		currency := c.Text(o, "priceCurrency")
		if currency == "" {
			currency = c.Text(spec, "priceCurrency")
		}
		low := c.Text(o, "price", "lowPrice")
		per := c.period(spec, low)
		if low == "" {
			low = c.Text(spec, "price", "minPrice")
		}
		p.add(low, currency, per)
		if c.Text(o, "price") == "" {
			p.add(c.Text(o, "highPrice"), currency, per)
		}
	}
	if len(p) == 0 {
		p.add(c.Property("product:price:amount", "og:price:amount"), c.Property("product:price:currency", "og:price:currency"), "")
	}
	if len(p) > maxCurrencies {
		return
	}
	isShown := true
	var all []string
	for _, r := range p {
		all = append(all, r.String())
		isShown = isShown && c.shown.price(r.low) && c.shown.price(r.high)
	}
	c.put(f.name, strings.Join(all, " or "), isShown)
}

// availability is that of all offers, or nothing where they differ.
func availability(c *collector, f fact) {
	found := ""
	for _, o := range c.offers() {
		a := spaced(plainName(c.Text(o, "availability")))
		if a != "" && found != "" && a != found {
			return
		}
		if a != "" {
			found = a
		}
	}
	if found == "" {
		found = spaced(plainName(c.Property("product:availability", "og:availability")))
	}
	switch found {
	case "instock":
		found = "in stock"
	case "oos", "outofstock":
		found = "out of stock"
	case "in stock", "out of stock", "sold out", "pre order", "back order", "limited availability", "discontinued", "in store only", "online only":
	default:
		return
	}
	c.put(f.name, found, false) // "not in stock", "in stock soon": what a page shows has too many forms
}

// priceSpecification is the one of an offer that says what is paid now: neither the price
// before a sale, nor that of a unit such as a kilogram, nor that of the delivery.
func (c *collector) priceSpecification(offer *Item) *Item {
	var rest *Item
	for _, spec := range c.Inner(offer, "priceSpecification") {
		kind := plainName(c.Text(spec, "priceType"))
		switch {
		case spec.Is("DeliveryChargeSpecification", "PaymentChargeSpecification"):
		case kind != "" && kind != "SalePrice", spec.Values("referenceQuantity", "unitCode") != nil:
			if rest == nil {
				rest = spec
			}
		default:
			return spec
		}
	}
	return rest
}

// periodOf is what a code or a word for a period says of a price, "" for another text.
func periodOf(unit string) string {
	if per := periods()[strings.ToLower(strings.TrimSpace(unit))]; per != "" {
		return " " + per
	}
	return ""
}

// period says for what time the price of a specification is, "" for a price that is paid
// once, and for a specification of another price than the one given, if one is.
func (c *collector) period(spec *Item, price string) string {
	of, _ := parseAmount(c.Text(spec, "price"))
	if a, ok := parseAmount(price); spec == nil || ok && a != of {
		return ""
	}
	quantity := c.first(spec, "referenceQuantity")
	if n, ok := parseAmount(c.Text(quantity, "value")); ok && n != hundred {
		return "" // of several
	}
	for _, it := range [...]*Item{spec, quantity} {
		for _, m := range [...]string{"unitText", "unitCode", "billingDuration"} {
			if per := periodOf(c.Text(it, m)); per != "" {
				return per
			}
		}
	}
	return ""
}

// priceRange is the lowest and the highest price in a currency.
type priceRange struct {
	low, high     amount
	currency, per string
}

// String writes "12 EUR", "12 to 18.50 EUR" or "12 EUR a month".
func (r priceRange) String() string {
	s := r.low.String()
	if r.high != r.low {
		s += " to " + r.high.String()
	}
	if r.currency != "" {
		s += " " + r.currency
	}
	return s + r.per
}

// prices are those of an item by currency and period, in the order of the page.
type prices []priceRange

// add notes a price, unless it is none, 0 or less.
func (p *prices) add(s, currency, per string) {
	a, ok := parseAmount(s)
	if !ok || a == 0 || strings.HasPrefix(strings.TrimSpace(s), "-") {
		return
	}
	currency = currencyName(currency)
	for i := range *p {
		if r := &(*p)[i]; r.currency == currency && r.per == per {
			r.low, r.high = min(r.low, a), max(r.high, a)
			return
		}
	}
	*p = append(*p, priceRange{a, a, currency, per})
}

// currencyName is a code in capitals or a sign, "" for another text.
func currencyName(s string) string {
	s = strings.ToUpper(strings.TrimSpace(s))
	r, size := utf8.DecodeRuneInString(s)
	if len(s) == len("EUR") && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" || size == len(s) && unicode.Is(unicode.Sc, r) {
		return s
	}
	return ""
}

// PriceOf returns a function that reports whether a line shows the price among the facts
// of a page; nil if there is none.
func PriceOf(f *result.Facts) func(line []byte) bool {
	if f == nil {
		return nil
	}
	var prices []amount
	for _, fact := range f.Values {
		if fact.Name != "price" {
			continue
		}
		for word := range strings.FieldsSeq(fact.Value) { // "19.99 to 84.99 USD"
			if a, ok := parseAmount(word); ok {
				prices = append(prices, a)
			}
		}
	}
	if len(prices) == 0 {
		return nil
	}
	return func(line []byte) bool { return slices.ContainsFunc(prices, newShown(line).price) }
}
