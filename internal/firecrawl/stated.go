package firecrawl

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/about"
)

// The formats product, menu, branding, audio and video are what a page states of itself as
// data: JSON-LD, microdata, RDFa and Open Graph, in the form of mode=data of web_fetch.
// What a page does not state is left out, the availability of a variant too.

// price is an amount of money. Formatted is how the page writes it.
type price struct {
	Amount    float64 `json:"amount"`
	Currency  string  `json:"currency,omitempty"`
	Formatted string  `json:"formatted,omitempty"`
}

// availability says whether something can be bought. Text is the word of the page.
type availability struct {
	InStock bool   `json:"inStock"`
	Text    string `json:"text,omitempty"`
}

// image is a picture.
type image struct {
	URL string `json:"url"`
	Alt string `json:"alt,omitempty"`
}

// sale is what a variant has cost before.
type sale struct {
	OriginalPrice price `json:"originalPrice"`
}

// variant is a product as it can be bought.
type variant struct {
	ID           string            `json:"id,omitempty"`
	SKU          string            `json:"sku,omitempty"`
	Title        string            `json:"title,omitempty"`
	Values       map[string]string `json:"values,omitempty"`
	Price        *price            `json:"price,omitempty"`
	Sale         *sale             `json:"sale,omitempty"`
	Availability *availability     `json:"availability,omitempty"`
	Images       []image           `json:"images,omitempty"`
}

// Product is the product of a page.
type Product struct {
	Title       string    `json:"title"`
	Brand       string    `json:"brand,omitempty"`
	Category    string    `json:"category,omitempty"`
	URL         string    `json:"url"`
	Description string    `json:"description,omitempty"`
	Variants    []variant `json:"variants"`
}

// Menu is what a restaurant offers.
type Menu struct {
	IsMenu     bool          `json:"isMenu"`
	Confidence float64       `json:"confidence"`
	Merchant   merchant      `json:"merchant"`
	Currency   string        `json:"currency,omitempty"`
	Sections   []menuSection `json:"sections"`
	SourceURL  string        `json:"sourceUrl"`
}

// merchant is whose menu it is.
type merchant struct {
	Name string `json:"name"`
	Type string `json:"type,omitempty"`
}

// menuSection is a part of a menu. The IDs are positions: "1", "1.2".
type menuSection struct {
	ID          string     `json:"id"`
	Name        string     `json:"name"`
	Description string     `json:"description,omitempty"`
	Items       []menuItem `json:"items"`
}

// menuItem is something on a menu.
type menuItem struct {
	ID           string            `json:"id"`
	Name         string            `json:"name"`
	Description  string            `json:"description,omitempty"`
	Images       []image           `json:"images"`
	Price        *price            `json:"price,omitempty"`
	Availability *availability     `json:"availability,omitempty"`
	Dietary      []string          `json:"dietary"`
	Calories     float64           `json:"calories,omitempty"`
	OptionGroups []struct{}        `json:"optionGroups"`
	Identifiers  map[string]string `json:"identifiers"`
	URL          string            `json:"url,omitempty"`
	SourceURL    string            `json:"sourceUrl"`
}

// Branding is how a site calls and shows itself.
type Branding struct {
	BrandName string            `json:"brandName,omitempty"`
	Logo      string            `json:"logo,omitempty"`
	Images    map[string]string `json:"images,omitempty"`
}

// Stated is the data that a page states.
type Stated struct {
	items      []item
	properties map[string]string // of Open Graph, the first of each name
}

// item is a thing of schema.org: its members, texts and items, by name.
type item map[string]any

// NewStated reads the result of mode=data.
func NewStated(data []byte) (s Stated, err error) {
	var in struct {
		LinkedData []any          `json:"json_ld"`
		Microdata  []any          `json:"microdata"`
		RDFa       []any          `json:"rdfa"`
		Properties map[string]any `json:"properties"`
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return s, err
	}
	for _, v := range slices.Concat(in.LinkedData, in.Microdata, in.RDFa) {
		s.items = append(s.items, itemsOf(v)...)
	}
	s.properties = map[string]string{}
	for name, v := range in.Properties {
		s.properties[name] = textOf(v)
	}
	return s, nil
}

// mostItems bounds the items below one.
const mostItems = 2000

// itemsOf are an item and those below it, the outer ones first.
func itemsOf(v any) (out []item) {
	level := []any{v}
	for len(level) > 0 && len(out) < mostItems {
		var next []any
		for _, v := range level {
			switch v := v.(type) {
			case []any:
				next = append(next, v...)
			case map[string]any:
				out = append(out, v)
				for _, name := range slices.Sorted(maps.Keys(v)) {
					next = append(next, v[name])
				}
			}
		}
		level = next
	}
	return out
}

// is reports whether an item is of one of the types.
func (it item) is(types ...string) bool {
	return slices.ContainsFunc(it.all("@type"), func(v any) bool { return slices.Contains(types, textOf(v)) })
}

// all are the values of a member.
func (it item) all(name string) []any {
	switch v := it[name].(type) {
	case nil:
		return nil
	case []any:
		return v
	default:
		return []any{v}
	}
}

// items are the values of a member that are items.
func (it item) items(name string) (out []item) {
	for _, v := range it.all(name) {
		if m, ok := v.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

// text is the first text of the members, or the name of an item.
func (it item) text(names ...string) string {
	for _, name := range names {
		if s := textOf(it[name]); s != "" {
			return s
		}
	}
	return ""
}

func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	case []any:
		for _, one := range v {
			if s := textOf(one); s != "" {
				return s
			}
		}
	case map[string]any:
		return item(v).text("name", "url", "contentUrl", "@id")
	}
	return ""
}

// first is the first item of one of the types.
func (s Stated) first(types ...string) item {
	i := slices.IndexFunc(s.items, func(it item) bool { return it.is(types...) })
	if i < 0 {
		return nil
	}
	return s.items[i]
}

// amountOf reads a text that is one number, in any of the usual forms, for example "1.299,00 €".
func amountOf(s string) (amount float64, ok bool) {
	number, ok := about.Number(s)
	if !ok || digits(number) != digits(strings.TrimLeft(s, "0")) && digits(number) != digits(s) { // "10 to 20"
		return 0, false
	}
	amount, err := strconv.ParseFloat(number, 64)
	return amount, err == nil
}

func digits(s string) (n int) {
	for _, r := range s {
		if r >= '0' && r <= '9' {
			n++
		}
	}
	return n
}

func priceOf(amount, currency string) *price {
	n, ok := amountOf(amount)
	if !ok {
		return nil
	}
	p := &price{Amount: n, Currency: currency}
	if strings.Trim(amount, "0123456789.") != "" {
		p.Formatted = amount
	}
	return p
}

// price is that of an offer, and what it was before.
func (it item) price() (p *price, was *sale) {
	currency := it.text("priceCurrency")
	p = priceOf(it.text("price", "lowPrice"), currency)
	var before *price
	for _, spec := range it.items("priceSpecification") {
		own := priceOf(spec.text("price", "minPrice"), cmp.Or(spec.text("priceCurrency"), currency))
		switch kind := spec.text("priceType"); {
		case own == nil:
		case strings.Contains(kind, "ListPrice"), strings.Contains(kind, "Strikethrough"), strings.Contains(kind, "MSRP"), strings.Contains(kind, "SRP"):
			before = own
		case p == nil:
			p = own
		}
	}
	if p != nil && before != nil && before.Amount > p.Amount {
		was = &sale{*before}
	}
	return p, was
}

// inStock are the words of schema.org that say that something can be bought now.
var inStock = []string{"InStock", "InStoreOnly", "OnlineOnly", "LimitedAvailability", "MadeToOrder", "instock", "in stock", "available"}

func availabilityOf(s string) *availability {
	if s == "" {
		return nil
	}
	word := s[strings.LastIndexByte(s, '/')+1:]
	return &availability{InStock: slices.Contains(inStock, word), Text: word}
}

func (it item) images(names ...string) (out []image) {
	for _, name := range names {
		for _, v := range it.all(name) {
			one := image{URL: textOf(v)}
			if m, ok := v.(map[string]any); ok {
				one = image{URL: item(m).text("contentUrl", "url", "@id"), Alt: item(m).text("caption", "name")}
			}
			if one.URL != "" && !slices.Contains(out, one) {
				out = append(out, one)
			}
		}
	}
	return out
}

// variant fills a variant from an offer.
func (v *variant) fill(offer item) {
	v.Price, v.Sale = offer.price()
	v.Availability = availabilityOf(offer.text("availability"))
	v.ID, v.SKU = cmp.Or(v.ID, offer.text("@id")), cmp.Or(v.SKU, offer.text("sku", "mpn"))
	v.Title = cmp.Or(v.Title, offer.text("name"))
}

// variants are those of a product: its variants by name, or else its offers.
func (it item) variants() []variant {
	out := []variant{}
	for _, one := range it.items("hasVariant") {
		v := variant{ID: one.text("@id", "productID"), SKU: one.text("sku", "mpn"), Title: one.text("name"), Images: one.images("image")}
		for _, name := range []string{"color", "size", "material", "pattern"} {
			if s := one.text(name); s != "" {
				if v.Values == nil {
					v.Values = map[string]string{}
				}
				v.Values[name] = s
			}
		}
		if offers := one.offers(); len(offers) > 0 {
			v.fill(offers[0])
		}
		out = append(out, v)
	}
	if len(out) > 0 {
		return out
	}
	for _, offer := range it.offers() {
		v := variant{SKU: it.text("sku", "mpn"), Images: it.images("image")}
		v.fill(offer)
		out = append(out, v)
	}
	return out
}

// offers are those of a product; of several in one, each.
func (it item) offers() (out []item) {
	for _, o := range it.items("offers") {
		if own := o.items("offers"); o.is("AggregateOffer") && len(own) > 0 {
			for _, one := range own {
				if one.text("priceCurrency") == "" && o.text("priceCurrency") != "" {
					one["priceCurrency"] = o["priceCurrency"]
				}
				out = append(out, one)
			}
			continue
		}
		out = append(out, o)
	}
	return out
}

// Product is the product of the page; nil where it states none.
func (s Stated) Product(url string) *Product {
	it := s.first("ProductGroup")
	if it == nil {
		it = s.first("Product", "IndividualProduct", "ProductModel", "Vehicle", "Car", "Book")
	}
	shared := variant{Price: priceOf(s.properties["product:price:amount"], s.properties["product:price:currency"]), Availability: availabilityOf(s.properties["product:availability"])}
	if it == nil {
		title := s.properties["og:title"]
		if title == "" || shared.Price == nil {
			return nil
		}
		p := &Product{Title: title, Brand: s.properties["product:brand"], URL: cmp.Or(s.properties["og:url"], url), Description: s.properties["og:description"], Variants: []variant{shared}}
		return p
	}
	p := &Product{Title: it.text("name"), Brand: it.text("brand", "manufacturer"), Category: it.text("category"), URL: cmp.Or(it.text("url"), url), Description: it.text("description"), Variants: it.variants()}
	if len(p.Variants) == 0 && shared.Price != nil {
		p.Variants = append(p.Variants, shared)
	}
	if p.Title = cmp.Or(p.Title, s.properties["og:title"]); p.Title == "" {
		return nil
	}
	return p
}

// Menu is the menu of the page; nil where it states none.
func (s Stated) Menu(url string) *Menu {
	owner := s.first("Restaurant", "CafeOrCoffeeShop", "BarOrPub", "FoodEstablishment", "FastFoodRestaurant", "Bakery")
	menu := s.first("Menu")
	m := &Menu{IsMenu: true, Confidence: 1, Merchant: merchant{Name: owner.text("name"), Type: owner.text("@type")}, Sections: []menuSection{}, SourceURL: url}
	m.section("", menu, url)
	if menu == nil || len(m.Sections) == 0 {
		return nil
	}
	for _, section := range m.Sections {
		for _, it := range section.Items {
			if it.Price != nil && m.Currency == "" {
				m.Currency = it.Price.Currency
			}
		}
	}
	return m
}

// mostSections bounds the sections of a menu, in all levels.
const mostSections = 200

// section adds a section and those below it; id is "" for the menu.
func (m *Menu) section(id string, it item, url string) {
	if len(m.Sections) >= mostSections || strings.Count(id, ".") > 4 {
		return
	}
	own := menuSection{ID: id, Name: it.text("name"), Description: it.text("description"), Items: []menuItem{}}
	if own.ID == "" {
		own.ID = "0"
	}
	below := func(i int) string { return strings.TrimPrefix(id+"."+strconv.Itoa(i+1), ".") }
	for i, one := range it.items("hasMenuItem") {
		x := menuItem{ID: own.ID + "." + strconv.Itoa(i+1), Name: one.text("name"), Description: one.text("description"), Images: append([]image{}, one.images("image")...), Dietary: []string{}, OptionGroups: []struct{}{}, Identifiers: map[string]string{}, URL: one.text("url"), SourceURL: url}
		if offers := one.offers(); len(offers) > 0 {
			x.Price, _ = offers[0].price()
			x.Availability = availabilityOf(offers[0].text("availability"))
		}
		for _, diet := range one.all("suitableForDiet") {
			s := textOf(diet)
			x.Dietary = append(x.Dietary, strings.TrimSuffix(s[strings.LastIndexByte(s, '/')+1:], "Diet"))
		}
		for _, n := range one.items("nutrition") {
			x.Calories, _ = amountOf(n.text("calories"))
		}
		own.Items = append(own.Items, x)
	}
	if id != "" || len(own.Items) > 0 {
		m.Sections = append(m.Sections, own)
	}
	for i, one := range it.items("hasMenuSection") {
		m.section(below(i), one, url)
	}
}

// Branding is how the page's site calls itself; nil where the page does not say.
func (s Stated) Branding() *Branding {
	it := s.first("Organization", "Corporation", "LocalBusiness", "OnlineStore", "Brand", "NewsMediaOrganization")
	b := &Branding{BrandName: cmp.Or(it.text("name"), s.properties["og:site_name"]), Images: map[string]string{}}
	if logos := it.images("logo"); len(logos) > 0 {
		b.Logo, b.Images["logo"] = logos[0].URL, logos[0].URL
	}
	if og := s.properties["og:image"]; og != "" {
		b.Images["ogImage"] = og
	}
	if b.BrandName == "" && b.Logo == "" {
		return nil
	}
	return b
}

// Media is the URL of the video or audio file that the page names; "" where it names none.
func (s Stated) Media(kind string) string {
	types, property := []string{"VideoObject"}, "og:video"
	if kind == "audio" {
		types, property = []string{"AudioObject", "PodcastEpisode"}, "og:audio"
	}
	if it := s.first(types...); it != nil {
		if u := it.text("contentUrl"); u != "" {
			return u
		}
		for _, m := range it.items("associatedMedia") {
			if u := m.text("contentUrl"); u != "" {
				return u
			}
		}
	}
	u := cmp.Or(s.properties[property+":secure_url"], s.properties[property+":url"], s.properties[property])
	if kind := s.properties[property+":type"]; kind != "" && !strings.HasPrefix(kind, "video/") && !strings.HasPrefix(kind, "audio/") {
		return "" // a page that plays it
	}
	return u
}
