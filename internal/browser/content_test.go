package browser_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/browser/snapshot"
	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/markdown"
)

// TestContentIsJudged reads what a person sees of a page, whatever hides the rest: sheets
// that nobody else can read, scripts, places, shadow trees.
func TestContentIsJudged(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/css")
		_, _ = io.WriteString(w, ".far{display:none}")
	}))
	t.Cleanup(other.Close)
	filler := strings.Repeat("<p>The ferry leaves the north quay at six and comes back at nine, and in the fog it waits until the lamp is lit.</p>", 6)
	url := site(t, map[string]string{"/": `<!doctype html><title>All</title><link rel=stylesheet href="` + other.URL + `/far.css">
<style>.tab{display:none}.note{display:none}</style><style id=made></style>
<h1>Head</h1>` + filler + `
<p class=far>hidden by a sheet of another site</p>
<p class=made>hidden by a rule that a script made</p>
<p>` + "\ufdd1forged\ufdef" + ` mark</p>
<p>before <span style="position:absolute;left:-5000px">hidden beside the page</span> after</p>
<div style="transform:translateX(-3000px)"><p style="transform:translateX(3000px)">moved out and back</p></div>
<div style="content-visibility:auto;margin-top:6000px"><p>drawn when it is scrolled to</p></div>
<button aria-controls=panel>Tab</button><div id=panel class=tab><p>in the tab</p><p class=note>hidden in the tab</p></div>
<details><summary>More</summary><p>in the details</p></details>
<x-card>light words</x-card><x-box>slotted words</x-box>
<img src=x alt="hidden picture" style="display:none">
<noscript><p>no script</p></noscript>
<script>
document.getElementById('made').sheet.insertRule('.made{opacity:0}');
for (const [name, mode, html] of [['x-card', 'closed', '<p>shadow words</p><p class=out>hidden in the shadow</p>'], ['x-box', 'open', '<p><slot></slot></p><p class=out>hidden in the open shadow</p>']])
	customElements.define(name, class extends HTMLElement { connectedCallback() {
		const root = this.attachShadow({mode}); root.innerHTML = html;
		const sheet = new CSSStyleSheet(); sheet.replaceSync('.out{visibility:hidden}'); root.adoptedStyleSheets = [sheet];
	}});
</script>`})
	if _, err := b.Navigate(t.Context(), browser.Place{}, browser.Navigation{URL: url}); err != nil {
		t.Fatal(err)
	}
	c, err := b.Content(t.Context(), browser.Place{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := extract.HTML([]byte(c.HTML), extract.Options{URL: c.URL, Judged: true, Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	got := markdown.Blocks(p.Blocks, markdown.Options{})
	t.Log(got)
	if !p.Judged {
		t.Error("not judged")
	}
	for _, want := range []string{"forged mark", "before after", "moved out and back", "drawn when it is scrolled to",
		"(collapsed)\n\nin the tab", "in the details", "shadow words", "slotted words"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing", want)
		}
	}
	for _, not := range []string{"hidden", "light words", "no script", "\ufdd1", "\ufdef"} {
		if strings.Contains(got, not) {
			t.Errorf("%q is there", not)
		}
	}
}

// TestContentOfGeneratedText: what style sheets write into a page is content where it says
// something, in its place, and is judged like any other text.
func TestContentOfGeneratedText(t *testing.T) {
	got, snap := bothAnswers(t, map[string]string{"/": `<!doctype html><title>All</title><style>
.price::before{content:"$"} .req::after{content:" *"} .new::after{content:"New";margin-left:10px} .steps{counter-reset:c}table{counter-reset:r}.steps h2::before{counter-increment:c;content:counter(c) ". "}
.ic::before{content:"\e900"} tr.r::before{content:counter(r);counter-increment:r;display:table-cell} li.x::marker{content:"Step: "} .white::before{content:"hidden words";opacity:0}
.low::before{content:"\2212"} .open::after{content:"+";float:right} pre span::before{content:"77 "} .yes::before{content:"\2713"} .go::after{content:" \2192"}
.out::before{content:"hidden far";position:absolute;left:-999px}
q{quotes:"<<" ">>"} </style>
<section class=steps><h2>Wash</h2><h2>Dry</h2></section><p><span class=price>19.99</span><p><label class=req>Mail</label><p><b class=new>Lamp</b> is here<p><i class=ic></i>Plain
<table><tr class=r><td>alpha<td>beta<tr class=r><td>gamma<td class=yes></table><ol><li class=x>Cut</ol><p class=white>W<p class=low>5 degrees<button class=open>Why?</button>
<pre><span>code</span></pre><p><a class=go href=x>Read on</a><p class=out>O<p>A <q>quoted</q> word`})
	for _, want := range []string{"1\\. Wash", "2\\. Dry", "$19.99", "Mail *", "Lamp New", "is here", "\n\nPlain", "| 1 | alpha | beta |", "| 2 | gamma | ✓ |", "Step: Cut", "−5 degrees", "Why?", "\ncode\n", "[Read on]"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	for _, want := range []string{"# 1. Wash", "$19.99", "Mail *", "Lamp New", "gamma | ✓", "Step: Cut", "−5 degrees"} {
		if !strings.Contains(snap, want) {
			t.Errorf("%q is missing in\n%s", want, snap)
		}
	}
	for _, not := range []string{"hidden", "\ue900", "+", "77 ", "→"} {
		if strings.Contains(got, not) || strings.Contains(snap, not) && not != "77 " {
			t.Errorf("%q is there\n%s\n%s", not, got, snap)
		}
	}
}

// TestContentOfFrames: the documents of frames stand in their places, whichever site and process
// they are of, and are judged with what the page around leaves of them.
func TestContentOfFrames(t *testing.T) {
	other := siteAt(t, "127.0.0.2:0", map[string]string{"/": `<base href="/deep/"><p>other site <a href=far>far link</a><p style="display:none">hidden there`})
	got, snap := bothAnswers(t, map[string]string{"/": `<!doctype html><title>All</title><style>.note{color:red}</style><h1>Head</h1><p>before
<iframe src=/in title=Inner></iframe><p>between<iframe src="` + other + `"></iframe><p>after<iframe srcdoc="<p>srcdoc words<iframe srcdoc='<p>nested words'></iframe>"></iframe>
<iframe src=/hidden style="display:none"></iframe><iframe src=/hidden style="opacity:0"></iframe><iframe src=/clear style="height:80px;border:0"></iframe><iframe src=/hidden style="position:absolute;left:-2000px"></iframe>
<p class=note>own note<object data=/object width=300 height=90>hidden fallback</object>`,
		"/object": `<p>object words`,
		"/in":     `<title>hidden title</title><style>.note{display:none}</style><script type="application/ld+json">{"@type":"Product","name":"hidden product"}</script><h2>Inner head</h2><p class=note>hidden note<p>inner words <a href=sub/x>inner link</a>`,
		"/hidden": `<p>hidden frame`,
		"/clear":  `<p>clear words<p style="margin-top:900px">below words<p style="position:absolute;left:-900px">hidden left`,
	})
	at := -1
	for _, want := range []string{"before", "## Inner head", "inner words [inner link](http://127.0.0.1", "between", "other site [far link](" + other + "/deep/far)", "after", "srcdoc words", "nested words", "clear words", "below words", "own note", "object words"} {
		next := strings.Index(got, want)
		if next <= at {
			t.Errorf("%q is missing, or not in its place:\n%s", want, got)
		}
		at = max(at, next)
	}
	if strings.Contains(got, "hidden") || strings.Contains(snap, "hidden") {
		t.Errorf("hidden words are there\n%s\n%s", got, snap)
	}
	got, snap = bothAnswers(t, map[string]string{"/": `<frameset cols="50%,50%"><frame src=/left><frameset rows="*,*"><frame src=/right><frame src=/third></frameset></frameset>`,
		"/left": "<p>left words", "/right": "<p>right words", "/third": "<p>third words"})
	for _, want := range []string{"left words", "right words", "third words"} {
		if !strings.Contains(got, want) || !strings.Contains(snap, want) {
			t.Errorf("%q is missing in\n%s\n%s", want, got, snap)
		}
	}
}

// TestContentOfFramesIsKept: what may not be kept of a frame is not kept with the page around,
// whichever process has the frame, where the frame is a part of the content.
func TestContentOfFramesIsKept(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	private := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/private" {
			w.Header().Set("Cache-Control", "no-store")
		}
		_, _ = io.WriteString(w, map[string]string{"/private": "<p>private words", "/around": "<p>around<iframe src=/private></iframe>"}[r.URL.Path]+
			map[string]string{"/hidden": "<iframe src=/private hidden></iframe>", "/shown": "<iframe src=/private></iframe>", "/deep": "<iframe src=/around></iframe>"}[r.URL.Path])
	})
	url, other := httptest.NewServer(private), httptest.NewUnstartedServer(private)
	t.Cleanup(url.Close)
	l, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = other.Listener.Close()
	other.Listener = l
	other.Start()
	t.Cleanup(other.Close)
	far := site(t, map[string]string{"/": "<p>far<iframe src=" + other.URL + "/deep></iframe>"})
	for _, c := range []struct {
		url     string
		noStore bool
	}{{url.URL + "/shown", true}, {url.URL + "/hidden", false}, {url.URL + "/deep", true}, {far, true}, {url.URL + "/hidden", false}} {
		got, err := b.Render(t.Context(), browser.Navigation{URL: c.url})
		if err != nil {
			t.Fatal(err)
		}
		if got.NoStore != c.noStore || strings.Contains(got.HTML, "private words") != c.noStore {
			t.Errorf("%s: %v\n%s", c.url, got.NoStore, got.HTML)
		}
	}
}

// TestContentOfRefusedFrames: what the proxy says in the place of a frame's document is not
// content.
func TestContentOfRefusedFrames(t *testing.T) {
	got, snap := bothAnswers(t, map[string]string{"/": `<p>before<iframe src="http://10.1.2.3/"></iframe><p>after`})
	if strings.Contains(got, "failed") || !strings.Contains(got, "before") || !strings.Contains(got, "after") {
		t.Error(got)
	}
	if !strings.Contains(snap, snapshot.Refusal) {
		t.Errorf("the proxy says something else:\n%s", snap)
	}
}

// TestContentWithoutAdvertisements: the documents of frames that are made for advertisements are
// not content, by their names, their titles, their boxes, or their site and size.
func TestContentWithoutAdvertisements(t *testing.T) {
	other := siteAt(t, "127.0.0.2:0", map[string]string{"/": `<p>sold words`, "/post": `<blockquote>posted words</blockquote>`})
	got, _ := bothAnswers(t, map[string]string{"/own": `<p>kept words`, "/": `<!doctype html><title>All</title><body class=has-ads><h1>Head</h1><p>before
<iframe src="` + other + `" width=300 height=250></iframe><iframe src="` + other + `" width=728 height=90 style="border:0"></iframe>
<div class="ad-slot" style="padding:20px"><div><iframe src="/own?1" srcdoc="<p>sold words"></iframe></div></div><iframe id=google_ads_iframe_1 srcdoc="<p>sold words"></iframe>
<iframe title="3rd party ad content" srcdoc="<p>sold words"></iframe><iframe title="Anzeige" srcdoc="<p>sold words"></iframe>
<iframe src=/own width=300 height=250 title="Roads and adders" class="add-on header"></iframe><iframe src="` + other + `/post" width=500 height=200></iframe>`})
	if strings.Contains(got, "sold") || !strings.Contains(got, "kept words") || !strings.Contains(got, "posted words") {
		t.Errorf("%s", got)
	}
}

// TestContentOfFields: content has what a field holds now, not what the markup began with, and
// no password.
func TestContentOfFields(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	a := &actor{t: t, b: b, url: site(t, map[string]string{"/": `<!doctype html><input id=a value="first words"><textarea id=b>second words</textarea><input id=c type=password><input id=d value="kept words"><input id=e style="opacity:0">
<script>a.value = 'third " words'; b.value = 'fourth <words>'; c.value = 'secret'; e.value = 'white words'</script>`})}
	a.open("/")
	c, err := b.Content(t.Context(), a.at)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`value="third &quot; words"`, "fourth &lt;words&gt;", `value="kept words"`, "\ufdd1white words"} {
		if !strings.Contains(c.HTML, want) {
			t.Errorf("%q is missing in\n%s", want, c.HTML)
		}
	}
	for _, not := range []string{`"first`, ">second", `"secret`, `"white`} {
		if strings.Contains(c.HTML, not) {
			t.Errorf("%q is in\n%s", not, c.HTML)
		}
	}
}

// bothAnswers opens the page "/" of a site and returns what the extractor makes of its content,
// and its snapshot.
func bothAnswers(t *testing.T, pages map[string]string) (content, snapshot string) {
	t.Helper()
	b := newBrowser(t, nil)
	if _, err := b.Navigate(t.Context(), browser.Place{}, browser.Navigation{URL: site(t, pages)}); err != nil {
		t.Fatal(err)
	}
	return readBoth(t, b, browser.Place{})
}

func readBoth(t *testing.T, b *browser.Browser, at browser.Place) (content, snapshot string) {
	t.Helper()
	c, err := b.Content(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	p, err := extract.HTML([]byte(c.HTML), extract.Options{URL: c.URL, Judged: true, Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	s, err := b.Snapshot(t.Context(), at, browser.SnapshotRequest{MaxTokens: -1})
	if err != nil {
		t.Fatal(err)
	}
	return markdown.Blocks(p.Blocks, markdown.Options{}), s.Text
}
