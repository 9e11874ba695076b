package firecrawl

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/about"
)

// The formats product, menu, branding, audio and video are what a page states of itself as
// data: JSON-LD, microdata, RDFa and Open Graph.
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

// product is the product of a page.
type product struct {
	Title       string    `json:"title"`
	Brand       string    `json:"brand,omitempty"`
	Category    string    `json:"category,omitempty"`
	URL         string    `json:"url"`
	Description string    `json:"description,omitempty"`
	Variants    []variant `json:"variants"`
}

// menu is what a restaurant offers.
type menu struct {
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

// branding is how a site calls and shows itself.
type branding struct {
	BrandName string            `json:"brandName,omitempty"`
	Logo      string            `json:"logo,omitempty"`
	Images    map[string]string `json:"images,omitempty"`
}

// page is what a page states, at the URL.
type page struct {
	*about.Graph
	url string
}

// State fills the format of a kind (product, menu, branding, video, audio) with what the page
// at a URL states, an [*about.Graph]. It reports whether the page states anything of it.
func (d *Document) State(kind string, stated any, url string) bool {
	g, ok := stated.(*about.Graph)
	if !ok {
		return false
	}
	p := page{g, url}
	switch kind {
	case "product":
		d.Product = p.product()
		return d.Product != nil
	case "menu":
		d.Menu = p.menu()
		return d.Menu != nil
	case "branding":
		d.Branding = p.branding()
		return d.Branding != nil
	case "video":
		d.Video = p.media(kind)
		return d.Video != ""
	}
	d.Audio = p.media(kind)
	return d.Audio != ""
}

// first is the first item of one of the types: the outer ones come before those within them.
func (p page) first(types ...string) *about.Item {
	for level := p.Items; len(level) > 0; {
		if i := slices.IndexFunc(level, func(it *about.Item) bool { return it.Is(types...) }); i >= 0 {
			return level[i]
		}
		var next []*about.Item
		for _, it := range level {
			for _, m := range it.Members {
				for _, v := range m.Values {
					if v.Item != nil {
						next = append(next, v.Item)
					}
				}
			}
		}
		level = next
	}
	return nil
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

// price is that of an offer, and what it was before; currency is that of offers that name none.
func (p page) price(offer *about.Item, currency string) (now *price, was *sale) {
	currency = cmp.Or(p.Text(offer, "priceCurrency"), currency)
	now = priceOf(p.Text(offer, "price", "lowPrice"), currency)
	var before *price
	for _, spec := range p.Inner(offer, "priceSpecification") {
		own := priceOf(p.Text(spec, "price", "minPrice"), cmp.Or(p.Text(spec, "priceCurrency"), currency))
		switch kind := p.Text(spec, "priceType"); {
		case own == nil:
		case strings.Contains(kind, "ListPrice"), strings.Contains(kind, "Strikethrough"), strings.Contains(kind, "MSRP"), strings.Contains(kind, "SRP"):
			before = own
		case now == nil:
			now = own
		}
	}
	if now != nil && before != nil && before.Amount > now.Amount {
		was = &sale{*before}
	}
	return now, was
}

// inStock are the words of schema.org that say that something can be bought now.
var inStock = []string{"InStock", "InStoreOnly", "OnlineOnly", "LimitedAvailability", "MadeToOrder", "instock", "in stock", "available"}

func availabilityOf(s string) *availability {
	if s == "" {
		return nil
	}
	return &availability{InStock: slices.Contains(inStock, lastWord(s)), Text: lastWord(s)}
}

// lastWord is the name at the end of a URL of schema.org, or all of a word.
func lastWord(s string) string { return s[strings.LastIndexByte(s, '/')+1:] }

// images are the pictures of a member of an item.
func (p page) images(it *about.Item, name string) (out []image) {
	for _, v := range it.Values(name) {
		one := image{URL: v.String()}
		if v.Item != nil {
			one = image{URL: cmp.Or(p.Text(v.Item, "contentUrl", "url"), v.Item.ID), Alt: p.Text(v.Item, "caption", "name")}
		}
		if one.URL != "" && !slices.Contains(out, one) {
			out = append(out, one)
		}
	}
	return out
}

// offer is one, and the currency of those around it.
type offer struct {
	*about.Item
	currency string
}

// offers are those of an item; of several in one, each.
func (p page) offers(it *about.Item) (out []offer) {
	for _, o := range p.Inner(it, "offers") {
		own := p.Inner(o, "offers")
		if len(own) == 0 {
			out = append(out, offer{Item: o})
		}
		for _, one := range own {
			out = append(out, offer{one, p.Text(o, "priceCurrency")})
		}
	}
	return out
}

// fill fills a variant from an offer.
func (p page) fill(v variant, o offer) variant {
	v.Price, v.Sale = p.price(o.Item, o.currency)
	v.Availability = availabilityOf(p.Text(o.Item, "availability"))
	v.ID, v.SKU = cmp.Or(v.ID, o.ID), cmp.Or(v.SKU, p.Text(o.Item, "sku", "mpn"))
	v.Title = cmp.Or(v.Title, p.Text(o.Item, "name"))
	return v
}

// variants are those of a product: its variants by name, or else its offers.
func (p page) variants(it *about.Item) []variant {
	out := []variant{}
	for _, one := range p.Inner(it, "hasVariant") {
		v := variant{ID: cmp.Or(one.ID, p.Text(one, "productID")), SKU: p.Text(one, "sku", "mpn"), Title: p.Text(one, "name"), Images: p.images(one, "image")}
		for _, name := range []string{"color", "size", "material", "pattern"} {
			if s := p.Text(one, name); s != "" {
				if v.Values == nil {
					v.Values = map[string]string{}
				}
				v.Values[name] = s
			}
		}
		if offers := p.offers(one); len(offers) > 0 {
			v = p.fill(v, offers[0])
		}
		out = append(out, v)
	}
	if len(out) > 0 {
		return out
	}
	for _, o := range p.offers(it) {
		out = append(out, p.fill(variant{SKU: p.Text(it, "sku", "mpn"), Images: p.images(it, "image")}, o))
	}
	return out
}

// product is the product of the page; nil where it states none.
func (s page) product() *product {
	it := s.first("ProductGroup")
	if it == nil {
		it = s.first("Product", "IndividualProduct", "ProductModel", "Vehicle", "Car", "Book")
	}
	shared := variant{Price: priceOf(s.Property("product:price:amount"), s.Property("product:price:currency")), Availability: availabilityOf(s.Property("product:availability"))}
	if it == nil {
		if s.Property("og:title") == "" || shared.Price == nil {
			return nil
		}
		return &product{Title: s.Property("og:title"), Brand: s.Property("product:brand"), URL: cmp.Or(s.Property("og:url"), s.url), Description: s.Property("og:description"), Variants: []variant{shared}}
	}
	p := &product{Title: cmp.Or(s.Text(it, "name"), s.Property("og:title")), Brand: s.Text(it, "brand", "manufacturer"), Category: s.Text(it, "category"), URL: cmp.Or(s.Text(it, "url"), s.url), Description: s.Text(it, "description"), Variants: s.variants(it)}
	if len(p.Variants) == 0 && shared.Price != nil {
		p.Variants = append(p.Variants, shared)
	}
	if p.Title == "" {
		return nil
	}
	return p
}

// menu is the menu of the page; nil where it states none.
func (p page) menu() *menu {
	owner, top := p.first("Restaurant", "CafeOrCoffeeShop", "BarOrPub", "FoodEstablishment", "FastFoodRestaurant", "Bakery"), p.first("Menu")
	m := &menu{IsMenu: true, Confidence: 1, Merchant: merchant{Name: p.Text(owner, "name")}, SourceURL: p.url}
	if owner != nil {
		m.Merchant.Type = owner.Types[0]
	}
	p.section(m, "", top, map[*about.Item]bool{nil: true})
	if len(m.Sections) == 0 {
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

// section adds a section and those below it, each once: items may name each other. id is ""
// for the menu.
func (p page) section(m *menu, id string, it *about.Item, had map[*about.Item]bool) {
	if had[it] {
		return
	}
	had[it] = true
	own := menuSection{ID: cmp.Or(id, "0"), Name: p.Text(it, "name"), Description: p.Text(it, "description"), Items: []menuItem{}}
	for i, one := range p.Inner(it, "hasMenuItem") {
		x := menuItem{ID: own.ID + "." + strconv.Itoa(i+1), Name: p.Text(one, "name"), Description: p.Text(one, "description"), Images: append([]image{}, p.images(one, "image")...), Dietary: []string{}, OptionGroups: []struct{}{}, Identifiers: map[string]string{}, URL: p.Text(one, "url"), SourceURL: p.url}
		if offers := p.offers(one); len(offers) > 0 {
			x.Price, _ = p.price(offers[0].Item, offers[0].currency)
			x.Availability = availabilityOf(p.Text(offers[0].Item, "availability"))
		}
		for _, diet := range one.Values("suitableForDiet") {
			x.Dietary = append(x.Dietary, strings.TrimSuffix(lastWord(diet.String()), "Diet"))
		}
		for _, n := range p.Inner(one, "nutrition") {
			x.Calories, _ = amountOf(p.Text(n, "calories"))
		}
		own.Items = append(own.Items, x)
	}
	if id != "" || len(own.Items) > 0 {
		m.Sections = append(m.Sections, own)
	}
	for i, one := range p.Inner(it, "hasMenuSection") {
		p.section(m, strings.TrimPrefix(id+"."+strconv.Itoa(i+1), "."), one, had)
	}
}

// branding is how the site of the page calls itself; nil where the page does not say.
func (p page) branding() *branding {
	it := p.first("Organization", "Corporation", "LocalBusiness", "OnlineStore", "Brand", "NewsMediaOrganization")
	b := &branding{BrandName: cmp.Or(p.Text(it, "name"), p.Property("og:site_name")), Images: map[string]string{}}
	if logos := p.images(it, "logo"); len(logos) > 0 {
		b.Logo, b.Images["logo"] = logos[0].URL, logos[0].URL
	}
	if og := p.Property("og:image"); og != "" {
		b.Images["ogImage"] = og
	}
	if b.BrandName == "" && b.Logo == "" {
		return nil
	}
	return b
}

// media is the URL of the video or audio file that the page names; "" where it names none.
func (p page) media(kind string) string {
	types, property := []string{"VideoObject"}, "og:video"
	if kind == "audio" {
		types, property = []string{"AudioObject", "PodcastEpisode"}, "og:audio"
	}
	it := p.first(types...)
	for _, of := range append([]*about.Item{it}, p.Inner(it, "associatedMedia")...) {
		if u := p.Text(of, "contentUrl"); u != "" {
			return u
		}
	}
	if kind := p.Property(property + ":type"); kind != "" && !strings.HasPrefix(kind, "video/") && !strings.HasPrefix(kind, "audio/") {
		return "" // a page that plays it
	}
	return p.Property(property+":secure_url", property+":url", property)
}
