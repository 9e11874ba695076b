package e2e_test

import (
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/result"
)

// thing is a product or a job that we made. Was is the price before a sale, 0 for none.
type thing struct {
	Name, By, SKU, Place, Kind, Posted string
	Price, Was                         float64
	Colours                            []string
	N                                  int
}

// thingOf varies what real shops vary: every third is on sale, some have no number, some have
// several colours; prices go beyond a thousand.
func thingOf(n int) thing {
	t := thing{N: n, Name: fmt.Sprintf("Harbour lamp %c of %d candles", 'A'+n, 10*n+5), By: []string{"Sund & Co", "Quay Works", "Tide"}[n%3], SKU: fmt.Sprintf("HL-%03d", 7*n), Place: []string{"Bergen, Norway", "Remote", "Gdańsk"}[n%3],
		Kind: []string{"Full time", "Part time"}[n%2], Posted: fmt.Sprintf("2026-0%d-1%d", n%8+1, n%9), Price: float64(n*211) + 19.9}
	if n%3 == 2 {
		t.Was = t.Price + 50
	}
	if n%4 == 3 {
		t.SKU = ""
	}
	if n%2 == 0 {
		t.Colours = []string{"brass", "black"}
	}
	return t
}

// pricesOf writes prices as shops of a country write it.
func pricesOf(country string) func(float64) string {
	return func(p float64) string {
		cents := int(p*100 + .5)
		whole, rest := fmt.Sprint(cents/100), fmt.Sprintf("%02d", cents%100)
		group := func(mark string) string {
			if len(whole) > 3 {
				return whole[:len(whole)-3] + mark + whole[len(whole)-3:]
			}
			return whole
		}
		switch country {
		case "de":
			return group(".") + "," + rest + " €"
		case "fr":
			return group("\u202f") + "," + rest + " €"
		case "ch":
			return "CHF " + group("’") + "." + rest
		}
		return "$" + group(",") + "." + rest
	}
}

// platforms are the markups of shops and of boards of jobs as their standard themes write
// them, and the selectors that the first two pages suggest. Neither of these has a sale.
var platforms = []struct {
	name, country, page string
	selectors           map[string]string
}{
	{"Shopify Dawn", "en", `<div class="product__info-container"><p class="product__text caption-with-letter-spacing">{{.By}}</p><div class="product__title"><h1>{{.Name}}</h1></div>
		<div class="price price--large{{if .Was}} price--on-sale{{end}}"><div class="price__container"><div class="price__regular"><span class="visually-hidden">Regular price</span><span class="price-item price-item--regular">{{money .Price}} USD</span></div>
		<div class="price__sale"><span class="visually-hidden">Regular price</span><span><s class="price-item price-item--regular">{{if .Was}}{{money .Was}} USD{{end}}</s></span><span class="visually-hidden">Sale price</span><span class="price-item price-item--sale price-item--last">{{money .Price}} USD</span></div></div></div>
		{{if .SKU}}<p class="product__sku"><span class="visually-hidden">SKU:</span>{{.SKU}}</p>{{end}}{{range .Colours}}<label>{{.}}</label>{{end}}</div>`,
		map[string]string{"name": ".product__title h1", "price": ".price__regular .price-item--regular", "by": ".product__text"}},
	{"WooCommerce", "en", `<div class="summary entry-summary"><h1 class="product_title entry-title">{{.Name}}</h1><p class="price">{{if .Was}}<del aria-hidden="true"><span class="woocommerce-Price-amount amount"><bdi>{{money .Was}}</bdi></span></del> <ins><span class="woocommerce-Price-amount amount"><bdi>{{money .Price}}</bdi></span></ins>{{else}}<span class="woocommerce-Price-amount amount"><bdi>{{money .Price}}</bdi></span>{{end}}</p>
		<div class="product_meta">{{if .SKU}}<span class="sku_wrapper">SKU: <span class="sku">{{.SKU}}</span></span>{{end}} <span class="posted_in">Brand: <a href="/b" rel="tag">{{.By}}</a></span></div></div>`,
		map[string]string{"name": "h1.product_title", "price": "p.price .amount", "sku": ".product_meta .sku", "by": ".posted_in a"}},
	{"Magento Luma", "en", `<div class="product-info-main"><div class="page-title-wrapper product"><h1 class="page-title"><span class="base" data-ui-id="page-title-wrapper">{{.Name}}</span></h1></div><div class="product-info-price"><div class="price-box price-final_price">{{if .Was}}<span class="special-price"><span class="price-container"><span data-price-amount="{{.Price}}" data-price-type="finalPrice" class="price-wrapper"><span class="price">{{money .Price}}</span></span></span></span><span class="old-price"><span data-price-amount="{{.Was}}" data-price-type="oldPrice" class="price-wrapper"><span class="price">{{money .Was}}</span></span></span>{{else}}<span class="price-container"><span data-price-amount="{{.Price}}" data-price-type="finalPrice" class="price-wrapper"><span class="price">{{money .Price}}</span></span></span>{{end}}</div>
		{{if .SKU}}<div class="product attribute sku"><strong class="type">SKU</strong><div class="value" itemprop="sku">{{.SKU}}</div></div>{{end}}</div></div>`,
		map[string]string{"name": "h1.page-title .base", "price": ".price-box .price", "sku": "[itemprop=sku]"}},
	{"PrestaShop", "fr", `<h1 class="h1">{{.Name}}</h1><div class="product-prices">{{if .Was}}<div class="product-discount"><span class="regular-price">{{money .Was}}</span></div>{{end}}<div class="product-price h5 {{if .Was}}has-discount{{end}}"><div class="current-price"><span class="current-price-value" content="{{.Price}}">{{money .Price}}</span>{{if .Was}}<span class="discount discount-amount">-50,00 €</span>{{end}}</div></div></div>
		<div class="product-manufacturer"><label class="label">Marque</label> <span><a href="/b">{{.By}}</a></span></div>{{if .SKU}}<div class="product-reference"><label class="label">Référence </label><span>{{.SKU}}</span></div>{{end}}`,
		map[string]string{"name": "h1.h1", "price": ".current-price-value", "by": ".product-manufacturer a", "sku": ".product-reference span"}},
	{"BigCommerce Cornerstone", "en", `<section class="productView-details product-data"><div class="productView-product"><h1 class="productView-title">{{.Name}}</h1><h2 class="productView-brand"><a href="/b"><span>{{.By}}</span></a></h2><div class="productView-price"><div class="price-section price-section--withoutTax rrp-price--withoutTax" style="display: none;"><span>MSRP: </span><span data-product-rrp-price-without-tax class="price price--rrp"></span></div>
		<div class="price-section price-section--withoutTax non-sale-price--withoutTax"{{if not .Was}} style="display: none;"{{end}}><span>Was: </span><span data-product-non-sale-price-without-tax class="price price--non-sale">{{if .Was}}{{money .Was}}{{end}}</span></div><div class="price-section price-section--withoutTax"><span class="price-label">{{if .Was}}Now: {{end}}</span><span data-product-price-without-tax class="price price--withoutTax">{{money .Price}}</span></div></div>
		<dl class="productView-info">{{if .SKU}}<dt>SKU:</dt><dd data-product-sku>{{.SKU}}</dd>{{end}}</dl></div></section>`,
		map[string]string{"name": "h1.productView-title", "price": ".price--withoutTax", "by": ".productView-brand a", "sku": "[data-product-sku]"}},
	{"Shopware 6", "de", `<h1 class="product-detail-name">{{.Name}}</h1><div class="product-detail-price-container"><meta itemprop="price" content="{{.Price}}"><p class="product-detail-price{{if .Was}} with-list-price{{end}}">{{money .Price}}</p>{{if .Was}}<span class="product-detail-list-price-wrapper"><span class="list-price-price">{{money .Was}}</span><span class="list-price-percentage">(9% gespart)</span></span>{{end}}</div><div class="product-detail-tax-container"><p>Preise inkl. MwSt.</p></div>
		{{if .SKU}}<div class="product-detail-ordernumber-container"><span class="product-detail-ordernumber-label">Produktnummer:</span> <span class="product-detail-ordernumber">{{.SKU}}</span></div>{{end}}`,
		map[string]string{"name": "h1.product-detail-name", "price": "p.product-detail-price", "sku": ".product-detail-ordernumber"}},
	{"Odoo", "fr", `<div id="product_details"><h1 itemprop="name">{{.Name}}</h1><div itemprop="offers" class="product_price"><h3 class="css_editable_mode_hidden">{{if .Was}}<span class="text-muted me-1 h5 mb-0 oe_default_price" style="text-decoration: line-through;">{{money .Was}}</span>{{end}}<span class="oe_price"><span class="oe_currency_value">{{bare .Price}}</span> €</span></h3></div>{{range .Colours}}<label><input type="radio" name="c"> <span>{{.}}</span></label>{{end}}</div>`,
		map[string]string{"name": "#product_details h1", "price": ".oe_price .oe_currency_value"}},
	{"Squarespace", "en", `<section class="ProductItem-details"><h1 class="ProductItem-details-title">{{.Name}}</h1><div class="ProductItem-product-price"><div class="product-price">{{if .Was}}<span class="original-price">{{money .Was}}</span> {{money .Price}}{{else}}{{money .Price}}{{end}}</div></div></section>`,
		map[string]string{"name": "h1.ProductItem-details-title", "price": ".product-price"}},
	{"Wix Stores", "ch", `<article data-hook="product-page"><h1 data-hook="product-title">{{.Name}}</h1>{{if .SKU}}<div data-hook="sku">SKU: {{.SKU}}</div>{{end}}<div data-hook="product-price">{{if .Was}}<span data-hook="formatted-secondary-price">{{money .Was}}</span>{{end}}<span data-hook="formatted-primary-price">{{money .Price}}</span></div></article>`,
		map[string]string{"name": "[data-hook=product-title]", "price": "[data-hook=formatted-primary-price]"}},
	{"OpenCart", "en", `<div id="content"><h1>{{.Name}}</h1><ul class="list-unstyled"><li>Brand: <a href="/b">{{.By}}</a></li>{{if .SKU}}<li>Product Code: {{.SKU}}</li>{{end}}<li>Availability: In Stock</li></ul><ul class="list-unstyled">{{if .Was}}<li><span style="text-decoration: line-through;">{{money .Was}}</span></li>{{end}}<li><h2>{{money .Price}}</h2></li></ul></div>`,
		map[string]string{"name": "#content h1", "price": "#content ul h2", "by": "#content ul a"}},
	{"Greenhouse", "en", `<div id="app_body"><div id="header"><h1 class="app-title">{{.Name}}</h1><span class="company-name">at {{.By}}</span><div class="location">{{.Place}}</div></div><div id="content"><p>We look for keepers of lights who write down every storm.</p></div></div>`,
		map[string]string{"name": "h1.app-title", "place": "#header .location"}},
	{"Lever", "en", `<div class="posting-headline"><h2>{{.Name}}</h2><div class="posting-categories"><div class="sort-by-time posting-category medium-category-label width-full capitalize-labels location">{{.Place}}</div><div class="sort-by-commitment posting-category medium-category-label width-full commitment">{{.Kind}}</div></div></div>`,
		map[string]string{"name": ".posting-headline h2", "place": ".posting-category.location", "kind": ".posting-category.commitment"}},
	{"Workable", "en", `<header data-ui="job-header"><h1 data-ui="job-title">{{.Name}}</h1><div data-ui="job-location"><span>{{.Place}}</span></div><span data-ui="job-type">{{.Kind}}</span></header>`,
		map[string]string{"name": "[data-ui=job-title]", "place": "[data-ui=job-location]", "kind": "[data-ui=job-type]"}},
	{"WP Job Manager", "en", `<header><h1 class="entry-title">{{.Name}}</h1></header><div class="single_job_listing"><ul class="job-listing-meta meta"><li class="job-type">{{.Kind}}</li><li class="location"><a class="google_map_link" href="/m">{{.Place}}</a></li><li class="date-posted"><time datetime="{{.Posted}}">Posted some days ago</time></li></ul><div class="company"><p class="name"><strong>{{.By}}</strong></p></div></div>`,
		map[string]string{"name": "h1.entry-title", "place": "li.location", "kind": "li.job-type", "by": ".company strong", "posted": "li.date-posted time@datetime"}},
}

// TestLearnedFields: selectors that two pages of a platform suggest read the others without a
// model: at least 95 of 100 fields, and a site whose templates have changed is noticed each
// time, be it everything or one field that changes.
func TestLearnedFields(t *testing.T) {
	const each = 10
	change := "" // "": none; "all": every class, id and data attribute; else the field
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var platform, n int
		if _, err := fmt.Sscanf(r.URL.Path, "/%d/%d", &platform, &n); err != nil || platform >= len(platforms) {
			http.NotFound(w, r)
			return
		}
		p := platforms[platform]
		money := pricesOf(p.country)
		page := template.Must(template.New("").Funcs(template.FuncMap{"money": money, "bare": func(x float64) string { return strings.TrimSuffix(money(x), " €") }}).Parse(p.page))
		var b strings.Builder
		if err := page.Execute(&b, thingOf(n)); err != nil {
			t.Error(err)
		}
		html := b.String()
		if change == "all" {
			html = regexp.MustCompile(`\b(class|id|data-[a-z-]+|itemprop)="`).ReplaceAllString(html, `${0}new-`)
			html = strings.NewReplacer("<h1", "<div", "</h1>", "</div>", "<h2", "<div", "</h2>", "</div>").Replace(html)
		} else if last := regexp.MustCompile(`[\w-]+\]?(@\w+)?$`).FindString(p.selectors[change]); change != "" {
			last = strings.TrimSuffix(strings.Split(last, "@")[0], "]")
			html = strings.NewReplacer(last+" ", "moved ", last+`"`, `moved"`, "<"+last+">", "<em>", "</"+last+">", "</em>", "<"+last+" ", "<em ").Replace(html)
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprintf(w, `<!doctype html><title>%s</title><nav><a href="/">Home</a></nav><main>%s<p>A lamp for the harbour of the north, made by hand and tested in storms. Each has a light that does not go out, and a keeper who knows its history.</p></main><footer>Since 1890</footer>`, thingOf(n).Name, html)
	}))
	t.Cleanup(s.Close)
	model := &selectors{}
	client, err := spyhop.New(spyhop.Config{AllowPrivate: []string{strings.TrimPrefix(s.URL, "http://")}, HostRate: -1, LanguageModel: model, CacheTTL: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	right, fields, pages, changes, noticed := 0, 0, 0, 0, 0
	for i, p := range platforms {
		change = ""
		properties, reply := map[string]any{}, map[string]string{}
		for name, selector := range p.selectors {
			properties[name] = map[string]string{"type": map[bool]string{true: "number", false: "string"}[name == "price"]}
			reply["/properties/"+name] = selector
		}
		schema, _ := json.Marshal(map[string]any{"type": "object", "properties": properties})
		said, _ := json.Marshal(reply)
		model.reply = string(said)
		at := func(n int) string { return fmt.Sprintf("%s/%d/%d", s.URL, i, n) }
		learned, _, err := client.LearnSchema(t.Context(), []string{at(0), at(1)}, schema, "")
		if err != nil {
			t.Errorf("%s: %v", p.name, err)
			continue
		}
		before := model.asked.Load()
		var urls []string
		for n := 2; n < each; n++ {
			urls = append(urls, at(n))
		}
		run := func(rows func(spyhop.DataRow)) *result.DataSummary {
			sum, err := client.Data(t.Context(), spyhop.DataRequest{URLs: urls, Schema: learned}, func(r spyhop.DataRow) error { rows(r); return nil })
			if err != nil {
				t.Error(err)
			}
			return sum
		}
		if sum := run(func(r spyhop.DataRow) {
			pages++
			var n int
			_, _ = fmt.Sscanf(strings.TrimPrefix(r.URL, s.URL), fmt.Sprintf("/%d/%%d", i), &n)
			x := thingOf(n)
			var got map[string]any
			_ = json.Unmarshal(r.Data, &got) // what is not there counts as wrong
			for name := range p.selectors {
				want := map[string]any{"name": x.Name, "price": x.Price, "by": x.By, "sku": x.SKU, "place": x.Place, "kind": x.Kind, "posted": x.Posted}[name]
				if fields++; fmt.Sprint(got[name]) == fmt.Sprint(want) || want == "" && got[name] == nil {
					right++
				} else {
					t.Logf("%s %d: %s is %v, want %v", p.name, n, name, got[name], want)
				}
			}
		}); sum.Changed != nil {
			t.Errorf("%s: seems to have changed: %q", p.name, sum.Notices)
		}
		for _, change = range []string{"all", "price", "place"} {
			if change != "all" && p.selectors[change] == "" {
				continue
			}
			if changes++; len(run(func(spyhop.DataRow) {}).Changed) == 1 {
				noticed++
			} else {
				t.Logf("%s: the change of %s was not noticed", p.name, change)
			}
		}
		if n := model.asked.Load() - before; n > 0 {
			t.Errorf("%s: %d calls of the model", p.name, n)
		}
	}
	said := fmt.Sprintf("%d of %d fields of %d pages, %d of %d changes", right, fields, pages, noticed, changes)
	t.Log(said)
	if float64(right) < .95*float64(fields) || noticed != changes || pages < 100 || changes < 20 {
		t.Error(said)
	}
}
