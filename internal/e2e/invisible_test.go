package e2e_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/browser"
	chars "github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// poison has characters of each invisible class: a sentence in tags, selectors
// of both kinds, fillers, zero width, direction, soft hyphen, controls,
// annotation, operators, noncharacters, and a flag that does not exist.
const poison = "\U000e0049\U000e0047\U000e004e\U000e004f\U000e0052\U000e0045\ufe00\ufe0f\U000e0101\u180b\u115f\u1160\u3164\uffa0" +
	"\u200b\u200c\u200d\u2060\u034f\u202e\u2066\u2069\u200e\u200f\u061c\u00ad\u009b\ufff9\ufffa\ufffb\u2061\u2063\ufdd0\U0001fffe" +
	"\U0001f3f4\U000e0075\U000e0073\U000e0074\U000e0078\U000e007f"

// steering are the controls that XML and JSON cannot hold as they are.
const steering = "\x07\x1b[31m\x00"

// kept is text whose invisible characters have a visible effect.
var kept = []string{
	"می\u200cخواهم", "क्\u200dष", "👨\u200d👩\u200d👧\u200d👦", "1\ufe0f\u20e3", "❤\ufe0f",
	"\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
	"\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f", "ᠠ\u180bᠪ", "שָׁלוֹם", "葛\U000e0100",
}

// mixed is a text with both.
var mixed = "Fog" + poison + " here " + strings.Join(kept, " ") + " there" + poison

// medium is a type of document that carries mixed.
type medium struct {
	path, contentType string
	body              string
	uncounted         bool // hidden_removed does not count for this type
	without           bool // carries poison without kept
}

func media(t *testing.T) []medium {
	quoted := func(s string) string {
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	raw := func(s string) string { return `"` + s + `"` }
	const para = "The ferry left the quay at dawn and followed the coast for an hour before the fog came in from the open sea. "
	office := `<?xml version="1.0"?><x xmlns:w="w" xmlns:a="a" xmlns:p="p" xmlns:r="r" xmlns:text="text" xmlns:table="table" xmlns:office="office">`
	return []medium{
		{path: "/a.html", contentType: "text/html; charset=utf-8", body: "<title>T" + poison + "</title><main><h1>" + mixed + "</h1><p>" + para + mixed + steering + "</p><p>" + para + para + "</p><pre>" + mixed + "</pre></main>"},
		{path: "/a.md", contentType: "text/markdown; charset=utf-8", body: "# T" + poison + "\n\n" + para + mixed + steering + "\n\n```go" + poison + "\n" + mixed + "\n```\n"},
		{path: "/a.txt", contentType: "text/plain; charset=utf-8", body: para + mixed + steering + "\n"},
		{path: "/a.go", contentType: "text/plain; charset=utf-8", body: "package a\n\n// " + mixed + steering + "\nvar a = 1\n"},
		{path: "/a.py", contentType: "text/x-python; charset=utf-8", body: "# " + mixed + steering + "\na = 1\n"},
		{path: "/a.js", contentType: "application/javascript; charset=utf-8", body: "// " + mixed + "\nlet a\n"},
		{path: "/a.json", contentType: "application/json", body: `{"a":` + raw(mixed) + `,"b` + poison + `":[1]}`},
		{path: "/large.json", contentType: "application/json", body: `{"a":` + raw(mixed) + `,"b":[` + strings.Repeat(`"`+para+`",`, 700) + quoted(mixed) + `]}`},
		{path: "/bad.json", contentType: "application/json", body: `{"a":` + raw(mixed) + `, no`},
		{path: "/a.xml", contentType: "application/xml", body: `<?xml version="1.0"?><a b="` + mixed + `">` + mixed + `</a>`},
		{path: "/a.yaml", contentType: "application/yaml", body: "a: " + mixed + "\n"},
		{path: "/a.rss", contentType: "application/rss+xml", body: `<rss><channel><title>T` + poison + `</title><description>` + mixed + `</description><item><title>E` + poison + `</title><link>https://media.example.org/e</link><author>A` + poison + `</author><description>` + mixed + `</description></item></channel></rss>`},
		{path: "/a.atom", contentType: "application/atom+xml", body: `<feed xmlns="http://www.w3.org/2005/Atom"><title>T` + poison + `</title><entry><title>` + mixed + `</title><content type="text">` + mixed + `</content></entry></feed>`},
		{path: "/feed.json", contentType: "application/feed+json", body: `{"version":"https://jsonfeed.org/version/1.1","title":` + quoted("T"+poison+steering) + `,"items":[{"id":"1","title":` + quoted(mixed) + `,"content_text":` + quoted(mixed+steering) + `}]}`},
		{path: "/a.csv", contentType: "text/csv; charset=utf-8", body: "\ufeffname,b" + poison + "\n" + mixed + steering + ",2\n"},
		{path: "/a.tsv", contentType: "text/tab-separated-values; charset=utf-8", body: "name\tb\n" + mixed + "\t2\n"},
		{path: "/a.eml", contentType: "message/rfc822", body: "From: Ann" + poison + " <a@example.com>\r\nSubject: S" + poison + "\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n" + mixed + steering + "\r\n"},
		{path: "/a.ipynb", contentType: "application/x-ipynb+json", body: `{"nbformat":4,"metadata":{"title":` + quoted("T"+poison) + `,"language_info":{"name":` + quoted("python"+poison) + `}},"cells":[{"cell_type":"markdown","source":` + quoted(mixed) + `},{"cell_type":"code","source":` + quoted("# "+mixed+steering) + `,"outputs":[{"output_type":"stream","text":` + quoted(mixed+steering) + `}]}]}`},
		{path: "/a.docx", contentType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document", body: zipped(t,
			"word/document.xml", office+"<w:body><w:p><w:r><w:t>"+mixed+"</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:p><w:r><w:t>"+mixed+"</w:t></w:r></w:p></w:tc></w:tr></w:tbl></w:body></x>",
			"docProps/core.xml", office+"<title>T"+poison+"</title><creator>C"+poison+"</creator></x>")},
		{path: "/a.xlsx", contentType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", body: zipped(t,
			"xl/workbook.xml", office+`<sheets><sheet name="S`+poison+`" r:id="r1"/></sheets></x>`,
			"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="r1" Target="worksheets/s.xml"/></Relationships>`,
			"xl/worksheets/s.xml", office+`<sheetData><row><c r="A1" t="inlineStr"><is><t>`+mixed+`</t></is></c></row><row><c r="A2"><v>1</v></c></row></sheetData></x>`)},
		{path: "/a.pptx", contentType: "application/vnd.openxmlformats-officedocument.presentationml.presentation", body: zipped(t,
			"ppt/presentation.xml", office+`<p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst></x>`,
			"ppt/_rels/presentation.xml.rels", `<Relationships><Relationship Id="r1" Target="slides/s.xml"/></Relationships>`,
			"ppt/slides/s.xml", `<p:sld xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>T`+poison+`</a:t></a:r></a:p></p:txBody></p:sp><p:sp><p:txBody><a:p><a:r><a:t>`+mixed+`</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`)},
		{path: "/a.odt", contentType: "application/vnd.oasis.opendocument.text", body: zipped(t,
			"content.xml", office+"<office:body><office:text><text:h>H"+poison+"</text:h><text:p>"+mixed+"</text:p><table:table><table:table-row><table:table-cell><text:p>"+mixed+"</text:p></table:table-cell></table:table-row></table:table></office:text></office:body></x>",
			"meta.xml", office+"<title>T"+poison+"</title></x>")},
		{path: "/a.epub", contentType: "application/epub+zip", body: zipped(t,
			"META-INF/container.xml", `<container><rootfiles><rootfile full-path="c.opf"/></rootfiles></container>`,
			"c.opf", `<package><metadata><title>T`+poison+`</title><creator>C`+poison+`</creator></metadata><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>`,
			"a.xhtml", `<html xmlns="http://www.w3.org/1999/xhtml"><body><p>`+mixed+`</p></body></html>`)},
		{path: "/a.zip", contentType: "application/zip", body: zipped(t, mixed+".txt", "x")},
		{path: "/a.png", contentType: "image/png", body: picture(t, "Title"+poison), without: true},
		{path: "/a.pdf", contentType: "application/pdf", body: pdfOf("T"+poison, append([]string{"Fog" + poison + " here "}, kept[1:8]...)), uncounted: true, without: true},
	}
}

// TestInvisibleInDocuments: no invisible character of any type of document
// reaches a model, what has a visible effect stays, and what was removed is
// counted.
func TestInvisibleInDocuments(t *testing.T) {
	all := media(t)
	mux := http.NewServeMux()
	for _, m := range all {
		mux.HandleFunc(m.path, serves(m.contentType, m.body))
	}
	client := newInternet(t, spyhop.Config{HostRate: -1}, map[string]http.HandlerFunc{"media.example.org": mux.ServeHTTP}).client(t)
	for _, m := range all {
		t.Run(m.path, func(t *testing.T) {
			for _, args := range []string{`"max_length":0`, `"mode":"text"`, `"mode":"html"`, `"mode":"json"`, `"mode":"outline"`, `"mode":"links"`, `"query":"fog"`, `"must_contain":"here"`} {
				r, err := client.Call(context.Background(), "web_fetch", json.RawMessage(`{"url":"https://media.example.org`+m.path+`","render":"never",`+args+`}`), spyhop.CallOptions{Given: true})
				if err != nil {
					noInvisibleError(t, args, err)
					if !strings.Contains(args, "mode") && !strings.Contains(args, "query") {
						t.Errorf("%s: %v", args, err)
					}
					continue
				}
				data := noInvisible(t, args, r)
				if strings.Contains(args, "must_contain") && !m.without && !strings.Contains(r.Text, "Yes:") {
					t.Errorf("%s: %s", args, r.Text)
				}
				if !strings.Contains(args, "max_length") {
					continue
				}
				for _, s := range kept {
					if !m.without && !strings.Contains(r.Text, s) {
						t.Errorf("%+q is not in %+q", s, r.Text)
					}
				}
				removed, _ := data["hidden_removed"].(map[string]any)
				if n, _ := removed["invisible"].(float64); n < 20 && !m.uncounted {
					t.Errorf("hidden_removed is %v", removed)
				}
			}
		})
	}
	t.Run("the filter of mode=raw is that of controls", func(t *testing.T) {
		r, err := client.Call(context.Background(), "web_fetch", json.RawMessage(`{"url":"https://media.example.org/a.txt","mode":"raw"}`), spyhop.CallOptions{Given: true})
		if err != nil || !strings.Contains(r.Text, poison[:40]) || strings.Contains(r.Text, "\x1b") {
			t.Errorf("%v %+q", err, r.Text)
		}
	})
}

// TestInvisibleInSearch: invisible characters of a search result or of a site's API
// do not reach an answer.
func TestInvisibleInSearch(t *testing.T) {
	title, err := json.Marshal("Ferry " + mixed + steering)
	if err != nil {
		t.Fatal(err)
	}
	page := serves("text/html; charset=utf-8", article("Ferry"+poison, "<p>"+mixed+"</p>"+story(10)))
	client := newInternet(t, spyhop.Config{SearchProvider: "brave", SearchKeys: map[string]string{"brave": "0123456789"}, HostRate: -1}, map[string]http.HandlerFunc{
		"api.search.brave.com": serves("application/json", `{"type":"search","web":{"results":[{"title":`+string(title)+`,"url":"https://fog.example.com/x`+poison+`","description":`+string(title)+`,"age":`+string(title)+`},{"title":"Gone","url":"https://gone.example.com/"}]}}`),
		"html.duckduckgo.com":  serves("text/html; charset=utf-8", `<div class="results"><div class="result results_links web-result"><h2 class="result__title"><a class="result__a" href="https://fog.example.com/">Ferry `+mixed+`</a></h2><a class="result__snippet">`+mixed+`</a></div></div>`),
		"fog.example.com":      page,
		"gone.example.com": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, "<title>Gone"+poison+"</title><p>"+mixed)
		},
	}).client(t)
	for _, c := range [][2]string{
		{"web_search", `{"query":"ferry"}`}, {"web_search", `{"query":"ferry","include_content":true}`}, {"google_search", `{"query":"ferry"}`},
		{"web_fetch", `{"url":"https://gone.example.com/"}`}, {"web_browse", `{"url":"https://fog.example.com/"}`},
		{"web_fetch", `{"urls":["https://fog.example.com/","https://gone.example.com/"]}`},
	} {
		r, err := client.Call(context.Background(), c[0], json.RawMessage(c[1]), spyhop.CallOptions{Given: true})
		if err != nil {
			noInvisibleError(t, c[0]+c[1], err)
			continue
		}
		noInvisible(t, c[0]+c[1], r)
		if s := kept[3]; !strings.Contains(r.Text, s) {
			t.Errorf("%s%s: %+q is not in %+q", c[0], c[1], s, r.Text)
		}
	}
}

// browserPage has poison in each place where a browser tool finds text.
var browserPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Ferry` + poison + `</title>
<main aria-label="Main` + poison + `"><h1>Ferry ` + mixed + `</h1>` + story(6) + `<p>` + mixed + `</p>
<button id="b" aria-label="Open` + poison + `" onclick="h.textContent = 'Opened ' + h.dataset.more">Open` + poison + `</button><p id="h" data-more="` + mixed + `"></p>
<button onclick="confirm(h.dataset.more)">Ask` + poison + `</button><button onclick="alert(h.dataset.more)">Tell` + poison + `</button>
<label>Name` + poison + ` <input name="n" placeholder="Your name` + poison + `" value="v` + poison + `"></label>
<select aria-label="Choose` + poison + `"><option>One` + poison + `<option>Two ` + mixed + `</select>
<a href="/next?q=` + poison + `" title="Next` + poison + `">Next` + poison + `</a><img alt="Picture` + poison + `" src="/p.png"><table><tr><th>A` + poison + `<td>B` + poison + `</table></main>
<script>console.log('log ' + h.dataset.more); console.error('error' + h.dataset.more); document.cookie = 'a=' + encodeURIComponent(h.dataset.more);
history.replaceState(null, '', '/?q=' + h.dataset.more); throw new Error('thrown ' + h.dataset.more)</script>`

// TestInvisibleInBrowser: invisible characters of a page in the browser do not reach
// the answer of any browser tool. A tool that is added to the catalog has to be added here.
func TestInvisibleInBrowser(t *testing.T) {
	if _, err := browser.Find("", false); err != nil {
		t.Skip("no browser on this machine: scripts/setup installs one")
	}
	folder, err := os.MkdirTemp("", "b") // Chromium wants a short path
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	t.Setenv("TMPDIR", folder)
	client := newInternet(t, spyhop.Config{HTTP: "allow", HostRate: -1, DataDir: t.TempDir()}, map[string]http.HandlerFunc{
		"page.example.org": serves("text/html; charset=utf-8", browserPage),
	}).client(t)
	snapshot := ""
	ref := func(label string) string {
		found := regexp.MustCompile(`\[` + label + `[^\]]*\]\((\w+)\)`).FindStringSubmatch(snapshot)
		if found == nil {
			t.Fatalf("no ref for %s in %s", label, snapshot)
		}
		return found[1]
	}
	called := map[string]bool{"web_fetch": true, "web_search": true, "google_search": true, "web_browse": true} // above
	for _, c := range []struct {
		name, args, label string
		keeps             bool // the answer shows mixed
	}{
		{"navigate_to_url", `{"url":"http://page.example.org/"}`, "", false},
		{"browser_snapshot", `{}`, "", true},
		{"extract_page_content", `{}`, "", true},
		{"browser_find", `{"text":"Ferry"}`, "", true},
		{"browser_find", `{"regex":"Tw."}`, "", false},
		{"browser_find", `{"ref":"%s"}`, "Open", false},
		{"browser_click", `{"ref":"%s"}`, "Open", true},
		{"browser_hover", `{"ref":"%s"}`, "Open", false},
		{"browser_type", `{"ref":"%s","text":"Ann` + poison + `"}`, "Name", false},
		{"browser_fill_form", `{"fields":[{"ref":"%s","value":"Bo` + poison + `"}]}`, "Name", false},
		{"browser_select_option", `{"ref":"%s","values":["Three"]}`, "Choose", false}, // whose error lists the choices
		{"browser_select_option", `{"ref":"%s","values":["One"]}`, "Choose", false},
		{"browser_press_key", `{"key":"Tab"}`, "", false},
		{"browser_drag", `{"from":"%[1]s","to":"%[1]s@3,3"}`, "Open", false},
		{"browser_mouse", `{"ref":"%s","path":["3,3","5,5"]}`, "Open", false},
		{"browser_resize", `{"media":"dark"}`, "", false},
		{"browser_upload_file", `{"ref":"%s","paths":["a"]}`, "Open", false},
		{"browser_scroll", `{"direction":"down"}`, "", false},
		{"browser_wait_for", `{"text":"Ferry"}`, "", false},
		{"browser_tabs", `{}`, "", false},
		{"browser_cookies", `{}`, "", false},
		{"browser_state", `{"action":"restore","name":"none"}`, "", false},
		{"browser_log", `{}`, "", true},
		{"browser_log", `{"what":"network"}`, "", false},
		{"browser_log", `{"request":1}`, "", true},
		{"take_web_screenshot", `{"marks":true}`, "", false},
		{"save_page_as_pdf", `{}`, "", false},
		{"browser_click", `{"ref":"%s"}`, "Tell", false},
		{"browser_click", `{"ref":"%s"}`, "Ask", false},
		{"browser_dialog", `{"accept":false}`, "", false},
		{"browser_snapshot", `{"diff":true}`, "", false},
		{"extract_page_content", `{"url":"http://page.example.org/"}`, "", true},
		{"browser_click", `{"ref":"%s"}`, "Next", false},
		{"web_map", `{"url":"http://page.example.org/"}`, "", false},
		{"web_crawl", `{"url":"http://page.example.org/","max_pages":2}`, "", false},
		{"web_recall", `{"query":"page text link button"}`, "", false},
		{"browser_route", `{"pattern":"*/none.png","action":"block"}`, "", false},
		{"browser_batch", `{"steps":[{"tool":"browser_scroll","args":{"direction":"up"}}]}`, "", false},
		{"close_browser", `{}`, "", false},
	} {
		args := c.args
		if c.label != "" {
			args = fmt.Sprintf(args, ref(c.label))
		}
		called[c.name] = true
		r, err := client.Call(context.Background(), c.name, json.RawMessage(args), spyhop.CallOptions{Given: true})
		if err != nil {
			noInvisibleError(t, c.name+args, err)
			t.Logf("%s%s: %v", c.name, args, err)
			continue
		}
		noInvisible(t, c.name+args, r)
		if c.name == "browser_snapshot" && c.args == `{}` {
			snapshot = r.Text
		}
		if s := kept[3]; c.keeps && !strings.Contains(r.Text, s) {
			t.Errorf("%s%s: %+q is not in %+q", c.name, args, s, r.Text)
		}
	}
	for _, d := range client.Catalog().List() {
		if !called[d.Name] {
			t.Errorf("%s is not called", d.Name)
		}
	}
}

// noInvisible fails if the answer of a tool holds an invisible character, in
// its text or in a string of its data, and returns the data.
func noInvisible(t *testing.T, what string, r tool.Result) map[string]any {
	t.Helper()
	encoded, err := json.Marshal(r.Data)
	if err != nil {
		t.Fatal(err)
	}
	var data any
	if err := json.Unmarshal(encoded, &data); err != nil {
		t.Fatal(err)
	}
	checkInvisible(t, what, r.Text)
	eachString(data, func(s string) { checkInvisible(t, what, s) })
	object, _ := data.(map[string]any)
	return object
}

func noInvisibleError(t *testing.T, what string, err error) {
	t.Helper()
	var e *spyhop.Error
	if !errors.As(err, &e) {
		t.Fatalf("%s: %v", what, err)
	}
	checkInvisible(t, what, e.Message)
	checkInvisible(t, what, e.Hint)
}

func checkInvisible(t *testing.T, what, s string) {
	t.Helper()
	for i, r := range s {
		if c := chars.ClassOf(r); c.Invisible() && !chars.Keeps([]byte(s[:i]), r, s[i+len(string(r)):]) {
			t.Errorf("%s: U+%04X (%s) in %+q", what, r, c, s[max(0, i-60):min(len(s), i+20)])
			return
		}
	}
}

func eachString(v any, visit func(string)) {
	switch v := v.(type) {
	case string:
		visit(v)
	case []any:
		for _, e := range v {
			eachString(e, visit)
		}
	case map[string]any:
		for k, e := range v {
			visit(k)
			eachString(e, visit)
		}
	}
}

// zipped makes a zip file of names and contents in turn.
func zipped(t *testing.T, parts ...string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		w, err := z.Create(parts[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(parts[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// picture makes a PNG whose EXIF data has a title.
func picture(t *testing.T, title string) string {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 2, 2))); err != nil {
		t.Fatal(err)
	}
	le := binary.LittleEndian
	data := append([]byte("eXIfII*\x00"), 8, 0, 0, 0, 1, 0)
	data = le.AppendUint16(data, 0x010e)
	data = le.AppendUint16(data, 2)
	data = le.AppendUint32(data, uint32(len(title)))
	data = le.AppendUint32(data, 8+2+12+4)
	data = append(data, 0, 0, 0, 0)
	return b.String() + string(data) + title
}

// pdfOf makes a PDF of one page with a line for each text, whose characters the
// font's ToUnicode map gives.
func pdfOf(title string, lines []string) string {
	hex := func(s string) string {
		var b strings.Builder
		for _, u := range utf16.Encode([]rune(s)) {
			fmt.Fprintf(&b, "%04X", u)
		}
		return b.String()
	}
	var content, cmap strings.Builder
	content.WriteString("BT /F1 12 Tf 72 720 Td ")
	code := 0
	for _, line := range lines {
		content.WriteString("<")
		for _, r := range line {
			code++
			fmt.Fprintf(&cmap, "1 beginbfchar <%04X> <%s> endbfchar\n", code, hex(string(r)))
			fmt.Fprintf(&content, "%04X", code)
		}
		content.WriteString("> Tj 0 -20 Td ")
	}
	content.WriteString("ET")
	stream := func(s string) string { return fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(s), s) }
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		stream(content.String()),
		"<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [6 0 R] /ToUnicode 7 0 R >>",
		"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 500 >>",
		stream("/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange\n" + cmap.String() + "endcmap end"),
		"<< /Title <FEFF" + hex(title) + "> >>",
	}
	var b strings.Builder
	b.WriteString("%PDF-1.7\n")
	var offsets []int
	for i, o := range objects {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	at := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R /Info 8 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, at)
	return b.String()
}
