package e2e_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/result"
)

// shops are real product pages of WCXB, several of one site: selectors as a person writes
// them who sees the skeletons of the first pages, and what the other pages say. Where no
// price is given, the page says none in its data to compare with.
var shops = []struct {
	site, learn     string // the pages that are learned from
	name, price, by string // selectors; "": the schema has no such field
	others          []shopPage
}{
	{"steam", "3072 3074", "#appHubAppName", "", "#developers_list a", []shopPage{{"3071", "Dota 2", 0, "Valve"}, {"3075", "Apex Legends™", 0, "Respawn"}, {"3043", "Counter-Strike 2", 0, "Valve"},
		{"3052", "Red Dead Redemption 2", 59.99, "Rockstar Games"}, {"3076", "Rust", 39.99, "Facepunch Studios"}, {"3054", "Forza Horizon 5", 59.99, "Playground Games"}}},
	{"ebay", "3020 3019", "h1.x-item-title__mainTitle", ".x-price-primary", "", []shopPage{{"0614", "2024 U.S. Mint Limited Edition Silver Proof Set Collectible OGP COA", 394.99, ""},
		{"3017", "24-Teiliges - und Schwammset für Pro B402HW B402CN Staubsaugerzubehö8198", -1, ""}, {"3021", "next 3 pack ladies top black, white & green size 6", -1, ""},
		{"2888", "1958 Ford P-350 P-500 P-600 Parcel Delivery truck sales brochure 8 pg ORIGINAL", 18, ""}, {"2991", "LuK 628318200 Kupplungssatz Kupplungskit Kupplungsset für Iveco Daily V 11-14", -1, ""}}},
	{"ifixit", "2981 3022", "h1[data-testid=product-title]", "[data-testid=price]", "", []shopPage{{"2982", "Jimmy", 7.95, ""}, {"3023", "Moray Driver Kit - 32 Precision Bits", 19.95, ""}, {"0621", "Pro Tech Toolkit", 74.95, ""}}},
	{"irobot", "4211 4213", "h1.product-name", "", "", []shopPage{{"4212", "Roomba Combo® j7+ Robot Vacuum and Mop", -1, ""}}},
	{"newegg", "2890 2889", "h1.product-title", "", "", []shopPage{{"0627", "EVGA GeForce GTX TITAN Z 12G-P4-3992-KR 12GB SC GAMING, Fastest NVIDIA GPU Graphics Card", -1, ""}}},
	{"amazon", "0612", "#productTitle", "", "", []shopPage{{"0613", "Atomic Habits: An Easy & Proven Way to Build Good Habits & Break Bad Ones", -1, ""}}},
	{"bhphoto", "3039", "h1[data-selenium=productTitle]", "[data-selenium=pricingPrice]", "", []shopPage{{"0626", "Nikon D750 DSLR Camera with 24-120mm Lens", 2199.95, ""}}},
	{"etsy", "0616", "h1[data-buy-box-listing-title]", "[data-buy-box-region=price] p", "", []shopPage{{"0617", "Handmade Stoneware Coffee Mug: Wabi-Sabi Ceramic Cup, Folk Art Glaze by Paul Fryman", 99.60, ""}}},
	{"headphones", "3026", "h1", ".price__regular .price-item--regular", "", []shopPage{{"2990", "Hifiman Sundara Headphones | 2020 Edition", 179, ""}}},
	{"sweetwater", "2894", "h1.product__name", ".product-price--final@aria-label", "", []shopPage{{"2893", "Focusrite Scarlett 4i4 4th Gen USB Audio Interface", 299.99, ""}}},
	{"thomann", "2985", "h1[itemprop=name]", "meta[itemprop=price]@content", "", []shopPage{{"2947", "Fender Player II Strat RW BCG", 675, ""}}},
	{"yeti", "4780", "h1.product-name", ".prices .value@content", "", []shopPage{{"4781", "Rambler® 30 oz Tumbler", 40, ""}}},
}

type shopPage struct {
	id, name string
	price    float64 // -1: unknown
	by       string
}

// TestLearnedFieldsOfShops: what TestLearnedFields asks of pages that we made, on real ones:
// SPYHOP_WCXB names the folder of the benchmark.
func TestLearnedFieldsOfShops(t *testing.T) {
	folder := os.Getenv("SPYHOP_WCXB")
	if folder == "" {
		t.Skip("no corpus: set SPYHOP_WCXB")
	}
	changed := false
	classes := regexp.MustCompile(`(class|id|data-testid|itemprop|data-selenium)="|data-buy-box|<h1`)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f, err := os.Open(filepath.Join(folder, "html", filepath.Base(r.URL.Path)+".html.gz"))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Error(err)
			return
		}
		body, _ := io.ReadAll(z)
		if changed { // the site has other templates
			body = classes.ReplaceAll(body, []byte("${0}new-"))
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(body)
	}))
	t.Cleanup(s.Close)
	model := &selectors{}
	client, err := spyhop.New(spyhop.Config{AllowPrivate: []string{strings.TrimPrefix(s.URL, "http://")}, HostRate: -1, LanguageModel: model, CacheTTL: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	right, fields, pages, noticed := 0, 0, 0, 0
	for _, shop := range shops {
		changed = false
		properties, reply := map[string]any{}, map[string]string{}
		for name, selector := range map[string]string{"name": shop.name, "price": shop.price, "by": shop.by} {
			if selector != "" {
				properties[name] = map[string]string{"type": map[bool]string{true: "number", false: "string"}[name == "price"]}
				reply["/properties/"+name] = selector
			}
		}
		schema, _ := json.Marshal(map[string]any{"type": "object", "properties": properties})
		written, _ := json.Marshal(reply)
		model.reply = string(written)
		var from, urls []string
		for id := range strings.FieldsSeq(shop.learn) {
			from = append(from, s.URL+"/"+id)
		}
		want := map[string]shopPage{}
		for _, p := range shop.others {
			urls = append(urls, s.URL+"/"+p.id)
			want[s.URL+"/"+p.id] = p
		}
		learned, _, err := client.LearnSchema(t.Context(), from, schema, "")
		if err != nil {
			t.Errorf("%s: %v", shop.site, err)
			continue
		}
		before := model.asked.Load()
		run := func(rows func(spyhop.DataRow)) *result.DataSummary {
			sum, err := client.Data(t.Context(), spyhop.DataRequest{URLs: urls, Schema: learned}, func(r spyhop.DataRow) error { rows(r); return nil })
			if err != nil {
				t.Error(err)
			}
			return sum
		}
		run(func(r spyhop.DataRow) {
			p := want[r.URL]
			var got struct {
				Name, By string
				Price    *float64
			}
			_ = json.Unmarshal(r.Data, &got) // what is not there counts as wrong
			pages++
			check := func(ok bool, what string) {
				if fields++; ok {
					right++
				} else {
					t.Logf("%s %s: %s of %s %v", shop.site, p.id, what, r.Data, r.Error)
				}
			}
			check(strings.Join(strings.Fields(got.Name), " ") == p.name, "name")
			if shop.price != "" && p.price >= 0 {
				check(got.Price != nil && *got.Price == p.price, "price")
			}
			if shop.by != "" {
				check(got.By == p.by, "by")
			}
		})
		changed = true
		if sum := run(func(spyhop.DataRow) {}); len(sum.Changed) == 1 {
			noticed++
		} else {
			t.Logf("%s: the change was not noticed", shop.site)
		}
		if n := model.asked.Load() - before; n > 0 {
			t.Errorf("%s: %d calls of the model", shop.site, n)
		}
	}
	said := fmt.Sprintf("%d of %d fields of %d pages, %d of %d changes", right, fields, pages, noticed, len(shops))
	t.Log(said)
	if float64(right) < .95*float64(fields) || noticed != len(shops) {
		t.Error(said)
	}
}
