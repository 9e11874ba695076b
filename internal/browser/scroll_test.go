package browser_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
)

// growing is a list that requests further rows when its end is seen; virtual lists hold the
// rows of the window only.
func growing(most int) string {
	return fmt.Sprintf(`<title>Roll</title><h1>Roll</h1><ul id=l></ul><div id=s style='height:50px'>more</div><script>let n=0,b=0;
function m(){if(b||n>=%d)return;b=1;fetch('/rows').then(r=>r.text()).then(()=>{for(let i=0;i<20;i++)l.innerHTML+='<li style="height:60px">row '+(n++)+' of the roll and some words</li>';b=0})}
m();new IntersectionObserver(e=>e[0].isIntersecting&&m()).observe(s)</script>`, most)
}

const virtualList = `<title>Roll</title><h1>Roll</h1><div id=v style="height:400px;overflow-y:auto;position:relative"><div id=in style="height:8000px;position:relative"></div></div><script>
const names = 'ash beech cedar elm fir hazel ivy juniper larch maple'.split(' ');
function draw(){const from=Math.floor(v.scrollTop/40);in_.innerHTML='';for(let i=from;i<Math.min(from+12,200);i++){const d=document.createElement('div');d.style.cssText='position:absolute;height:40px;top:'+i*40+'px';d.textContent='row '+i+' with '+names[i%10]+' and '+names[(i>>3)%10];in_.append(d)}}
const in_=document.getElementById('in');v.onscroll=draw;draw()</script>`

// recycled gives its rows other words instead of making new ones.
const recycled = `<title>Roll</title><h1>Roll</h1><div id=v style="height:400px;overflow-y:auto"><div id=in style="height:4000px;position:relative"></div></div><script>
const in_=document.getElementById('in'),rows=[...Array(12)].map(()=>{const d=document.createElement('div');d.style.cssText='position:absolute;height:40px;top:0';in_.append(d);return d});
function draw(){const from=Math.floor(v.scrollTop/40);rows.forEach((d,k)=>{const i=from+k;d.style.transform='translateY('+i*40+'px)';d.textContent=i<100?'row '+i+' of the roll':''})}
v.onscroll=draw;draw()</script>`

func TestScroll(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	pages := map[string]string{"/short": growing(100), "/endless": growing(1 << 20), "/virtual": virtualList, "/recycled": recycled,
		"/lazy": `<title>Outer</title><h1>Outer page</h1><div style='height:2500px'>Top words.</div><div id=root style='min-height:200px'></div><script>new IntersectionObserver((e,o)=>{if(e[0].isIntersecting){o.disconnect();fetch('/rows').then(()=>root.innerHTML='<p>the late words')}}).observe(root)</script>`,
		"/long": "<title>Long</title><script>1</script>" + strings.Repeat("<p style='height:900px'>A paragraph of a long page without a list, which brings nothing.</p>", 60)}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprint(w, pages[r.URL.Path])
	}))
	defer s.Close()
	for _, c := range []struct {
		path   string
		asked  bool
		rows   int // at least, in order
		grows  bool
		has    string
		before int // screens at most
	}{
		{path: "/short", rows: 100},
		{path: "/endless", rows: 60, grows: true, before: 10}, {path: "/endless", asked: true, rows: 300, grows: true, before: 30},
		{path: "/virtual", asked: true, rows: 200}, {path: "/recycled", asked: true, rows: 100},
		{path: "/lazy", has: "the late words"},
		{path: "/long", has: "A paragraph"},
	} {
		got, err := b.Render(t.Context(), browser.Navigation{URL: s.URL + c.path, Scroll: c.asked})
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		from, rows := 0, 0
		for ; ; rows++ {
			i := strings.Index(got.HTML[from:], fmt.Sprintf("row %d ", rows))
			if i < 0 {
				break
			}
			from += i
		}
		if rows < c.rows || got.Scrolled.Grows != c.grows || !strings.Contains(got.HTML, c.has) || c.before > 0 && got.Scrolled.Screens > c.before || got.Loading {
			t.Errorf("%+v: %d rows, %+v", c, rows, got.Scrolled)
		}
	}
}

// A document that does not come to its end, and one that shows that it loads, are said to
// be loading.
func TestLoading(t *testing.T) {
	b := newBrowser(t, func(o *browser.Options) { o.Timeout = 6 * time.Second })
	end := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/drips":
			for i := 0; ; i++ {
				_, _ = fmt.Fprintf(w, "<p>row %d of a page that comes slowly", i)
				w.(http.Flusher).Flush()
				select {
				case <-end:
					return
				case <-r.Context().Done():
					return
				case <-time.After(100 * time.Millisecond):
				}
			}
		case "/script":
			_, _ = fmt.Fprint(w, "<p>Words before the script.<script src=/never></script><p>Words after it.")
		case "/never":
			select {
			case <-end:
			case <-r.Context().Done():
			}
		case "/spinner":
			_, _ = fmt.Fprint(w, "<h1>Ledger</h1><div class=spinner style='width:20px;height:20px'></div>")
		default:
			_, _ = fmt.Fprint(w, "<p>A page with some words that has come.")
		}
	}))
	defer s.Close()
	defer close(end)
	for path, want := range map[string]bool{"/drips": true, "/script": true, "/spinner": true, "/": false} {
		got, err := b.Render(t.Context(), browser.Navigation{URL: s.URL + path})
		if err != nil || got.Loading != want {
			t.Errorf("%s: %+v %v", path, got, err)
		}
	}
}
