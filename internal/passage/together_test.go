package passage

import (
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// A heading is chosen with its text, passages that are near each other are one, and menus are
// never an answer.
func TestPassagesTogether(t *testing.T) {
	filler := strings.Repeat("<p>The quay of the harbour was built from stone, and boats of all kinds can lie there when the weather allows it, as it does on most days.</p>", 30)
	filler = strings.ReplaceAll(filler, "quay of the harbour", "quay")
	quay := "<p>The quay was built from stone, and boats of all kinds can lie there when the weather allows it, as it does.</p>"
	// several has the sentence once for each of some words: as good as what is looked for.
	several := func(sentence string) string {
		var b strings.Builder
		for _, word := range []string{"red", "green", "white", "black", "small", "broad", "early", "late"} {
			b.WriteString(quay + "<p>" + strings.Replace(sentence, "%", word, 1) + "</p>")
		}
		return b.String()
	}
	menu := "<nav><ul>" + strings.Repeat("<li><a href=/x>Rope prices</a></li><li><a href=/y>Cleat prices</a></li>", 6) + "</ul></nav>"
	for _, c := range []struct {
		name, body, query string
		want, not         []string
	}{
		{"a caption with its code", filler + "<p>Listing 4: sound the horn</p><pre><code>fog.Signal(3)</code></pre>" + filler, "listing horn", []string{"Listing 4: sound the horn\n\n```\nfog.Signal(3)"}, nil},
		{"code that matches, with what says what it is", filler + "<p>To begin the watch:</p><pre><code>start_watch --fog</code></pre>" + filler, "start_watch", []string{"To begin the watch:\n\n```\nstart_watch"}, nil},
		{"a heading with its text", several("The % boat has a winch on its deck.") + "<h2>Winch</h2><p>Grease it before the winter comes to the north.</p><h2>Mast</h2>" + filler, "winch", []string{"## Winch\n\nGrease it"}, []string{"## Mast"}},
		{"how much", several("The % ferry ticket is sold by the master.") + quay + "<p>On each day of the week, a ferry ticket to the outer islands is € 7.50.</p>" + several("Show the % ferry ticket on the deck."), "how much is a ferry ticket?", []string{"€ 7.50"}, nil},
		{"an amount in a heading", several("The % ferry ticket is sold by the master.") + "<h2>Ferry ticket for € 7.50</h2><h2>Pier</h2>" + filler, "how much is a ferry ticket?", []string{"## Ferry ticket for € 7.50"}, nil},
		{"when", several("The % ferry leaves from the old pier of the town.") + filler + "<p>The first ferry of the year leaves on 3 May 2025.</p>" + filler, "when does the ferry leave?", []string{"3 May 2025"}, nil},
		{"one text, no gap", several("The % fog is thick.") + "<p>The horn sounds in fog.</p><p>It is loud.</p><p>The horn rests without fog.</p>" + several("Sail in % fog."), "horn fog", []string{"The horn sounds in fog.\n\nIt is loud.\n\nThe horn rests without"}, nil},
		{"a figure above what it counts", several("% ships were towed by tugs.") + "<h2>Year</h2><p>340</p><p>Ships towed by tugs</p>" + quay, "ships towed by tugs", []string{"340\n\nShips towed by tugs"}, nil},
		{"a label and a word among others", filler + "<p>Those who tow at night find a bar on the quay.</p>" + filler + "<p>Size</p><p>Broad</p><p>Tow bar</p><p>No</p><p>Bell</p><p>Brass</p><p>Sails</p><p>Red</p><p>Keel</p><p>Long</p>" + filler, "tow bar", []string{"Tow bar\n\nNo"}, nil},
		{"not a question alone", "<p>Can the crane be hired?</p><p>Can the quay be hired?</p><h2>Rules</h2>" + filler + "<p>The crane is hired by the hour, with a man who knows how to use it.</p>" + filler, "crane hired", []string{"by the hour"}, nil},
		{"no menu", menu + "<main>" + filler + "<p>The price of a cleat is 24 crowns.</p>" + filler + "</main>", "cleat prices", []string{"24 crowns"}, []string{"- Rope prices", "- Cleat prices"}},
	} {
		whole := pageOf(t, c.body)
		main := pageOf(t, strings.TrimPrefix(c.body, menu))
		got := Of(whole, main, c.query).Choose(0, 45)
		for _, w := range c.want {
			if !strings.Contains(got.Text, w) {
				t.Errorf("%s: %q is missing in\n%s", c.name, w, got.Text)
			}
		}
		for _, w := range c.not {
			if strings.Contains(got.Text, w) {
				t.Errorf("%s: %q is in\n%s", c.name, w, got.Text)
			}
		}
		if n := text.Tokens(got.Text); n > 45 {
			t.Errorf("%s: %d tokens", c.name, n)
		}
		if strings.Contains(got.Text, Gap+"\n\n"+Gap) {
			t.Errorf("%s: two marks for one gap in\n%s", c.name, got.Text)
		}
	}
}

func TestWanted(t *testing.T) {
	for _, c := range []struct {
		query, text string
		kind        wanted
		in          bool
	}{
		{"How much is the rope?", "Rope $4.50", anAmount, true},
		{"How much rope does it need?", "Rope $4.50", anything, false},
		{"How much money is it?", "Rope $4.50", anAmount, true},
		{"price of rope", "4,50 € a metre", anAmount, true},
		{"what does it cost", "NOK 500", anAmount, false},
		{"cost in crowns", "500 kr", anAmount, true},
		{"priceless rope", "$5", anything, false},
		{"when does it open?", "on 3 May", aDate, true},
		{"when does it open?", "in may it may", aDate, false},
		{"when was it built", "in 1887", aDate, true},
		{"whenever", "1887", anything, false},
	} {
		w := wantedBy(c.query)
		if w != c.kind || w.in(c.text) != c.in {
			t.Errorf("%q %q: %v %v", c.query, c.text, w, w.in(c.text))
		}
	}
}

// What only the whole page has comes behind the main content, a table in one piece.
func TestWithAside(t *testing.T) {
	for _, c := range []struct{ name, main, whole, aside string }{
		{"several", "# A\n\nOne.\n\nTwo.", "Menu\n\n# A\n\nOne.\n\nShare\n\nTwo.\n\nFooter", "\n\nMenu\n\nShare\n\nFooter"},
		{"another form of the same", "### ben\n\nOne.", "Logo\n\n- One.\n\nLike", "\n\nLogo\n\nLike"},
		{"a table as a whole", "| A |\n| --- |\n| 1 |", "| A |\n| --- |\n| 1 |\n| 2 |", "\n\n| A |\n| --- |\n| 1 |\n| 2 |"},
		{"no more pictures", "One.", "[image: logo]\n\nOne.\n\n- [image: x 1]", ""},
		{"no main content", "", "One.", "One."},
	} {
		if got, from := withAside(c.main, c.whole); got != c.main+c.aside || from != len(c.main) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// On the page of a product, what it costs is the amount below its name, whatever the query
// calls it.
//
// Fixed bug: the watch was said to cost what another one costs, whose card says "watch".
func TestPriceOfTheProduct(t *testing.T) {
	p := pageOf(t, "<h1>Lantern II, brass</h1><p>New</p><p>$168.00</p><p>It burns for nine hours with one filling of oil, and its glass stands up to the wind.</p>"+
		"<h2>Top products</h2>"+strings.Repeat("<p>A lamp for the deck</p><p>$182.40</p><p>Lamp oil is sold by the barrel, and no lamp burns without it.</p>", 6))
	for _, c := range []struct {
		kind page.Type
		want bool
	}{{page.Product, true}, {page.Collection, false}} {
		p.Type = c.kind
		got := Of(p, nil, "how much does the lamp cost?").Choose(0, 40).Text
		if strings.Contains(got, "$168.00") != c.want || strings.Contains(got, "# Lantern II, brass") != c.want {
			t.Errorf("%s: %s", c.kind, got)
		}
	}
}
