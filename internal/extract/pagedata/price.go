package pagedata

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// chosen is the offer of the variant that the page's address chooses, or all offers.
func (c *collector) chosen(offers []*Item) []*Item {
	_, query, _ := strings.Cut(c.url, "?")
	for _, o := range offers {
		address := c.data.text(o, "url")
		if _, of, ok := strings.Cut(address, "?"); ok && of == query && sameAddress(address, c.url) {
			return []*Item{o}
		}
	}
	return offers
}

// offers are those of an item, or of its variants.
func (d *Data) offers(it *Item) []*Item {
	out := d.inner(it, "offers")
	if len(out) == 0 {
		for _, v := range d.inner(it, "hasVariant", "model") {
			out = append(out, d.inner(v, "offers")...)
		}
	}
	for _, o := range out {
		if more := d.inner(o, "offers"); len(more) > 0 && d.text(o, "lowPrice", "price") == "" {
			return more
		}
	}
	return out
}

// price is that of the offers: one, or from the lowest to the highest, for each currency and period.
func (c *collector) price(offers []*Item) {
	d := c.data
	var p prices
	for _, o := range offers {
		of := d.text(o, "priceCurrency")
		spec := d.priceSpecification(o)
		if of == "" {
			of = d.text(spec, "priceCurrency")
		}
		per := d.period(spec, d.text(o, "price"))
		if s := d.text(o, "price"); s != "" {
			p.add(s, of, per)
		} else if s := d.text(o, "lowPrice"); s != "" {
			p.add(s, of, "")
			p.add(d.text(o, "highPrice"), of, "")
		} else {
			p.add(d.text(spec, "price", "minPrice"), of, per)
		}
	}
	if len(p) == 0 {
		p.add(d.get("product:price:amount", "og:price:amount"), d.get("product:price:currency", "og:price:currency"), "")
	}
	if len(p) == 0 || len(p) > mostCurrencies {
		return
	}
	isShown := true
	var all []string
	for _, r := range p {
		all = append(all, r.String())
		isShown = isShown && c.shown.price(r.low) && c.shown.price(r.high)
	}
	c.put("price", strings.Join(all, " or "), isShown)
}

// priceSpecification is the one of an offer that says what is paid now: neither the price
// before a sale, nor that of a unit such as a kilogram, nor that of the delivery. If all
// are of these kinds, it is the first one that is not for the delivery.
func (d *Data) priceSpecification(offer *Item) *Item {
	var rest *Item
	for _, spec := range d.inner(offer, "priceSpecification") {
		kind := plainName(d.text(spec, "priceType"))
		switch {
		case spec.Is("DeliveryChargeSpecification", "PaymentChargeSpecification"):
		case kind != "" && kind != "SalePrice", spec.values("referenceQuantity", "unitCode") != nil:
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
	switch strings.ToLower(strings.TrimSpace(unit)) {
	case "mon", "month", "monthly", "p1m":
		return " a month"
	case "ann", "year", "annual", "yearly", "p1y":
		return " a year"
	case "wee", "week", "p1w":
		return " a week"
	case "day", "p1d":
		return " a day"
	case "night":
		return " a night"
	case "hur", "hour":
		return " an hour"
	}
	return ""
}

// period says for what time the price of a specification is, "" for a price that is paid
// once, and for a specification of another price than the one given, if one is.
func (d *Data) period(spec *Item, price string) string {
	of, _ := parseAmount(d.text(spec, "price"))
	if a, ok := parseAmount(price); spec == nil || ok && a != of {
		return ""
	}
	quantity := d.first(spec, "referenceQuantity")
	if n, ok := parseAmount(d.text(quantity, "value")); ok && n != 100 {
		return "" // of several
	}
	for _, unit := range [...]string{d.text(spec, "unitText"), d.text(spec, "unitCode"), d.text(quantity, "unitText"), d.text(quantity, "unitCode"), d.text(spec, "billingDuration")} {
		if per := periodOf(unit); per != "" {
			return per
		}
	}
	return ""
}

// priceRange is the lowest and the highest price in a currency, "" for one that is not
// stated.
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

// mostCurrencies is in how many currencies a price is told.
const mostCurrencies = 3

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
	if len(s) == 3 && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" || size == len(s) && unicode.Is(unicode.Sc, r) {
		return s
	}
	return ""
}
