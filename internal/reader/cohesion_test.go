package reader

import (
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/markdown"
)

// What belongs together is chosen together, and menus are never an answer.
func TestPassagesTogether(t *testing.T) {
	filler := strings.Repeat("<p>The quay of the harbour was built from stone, and boats of all kinds can lie there when the weather allows it, as it does on most days.</p>", 30)
	filler = strings.ReplaceAll(filler, "quay of the harbour", "quay")
	quay := "<p>The quay was built from stone, and boats of all kinds can lie there when the weather allows it, as it does.</p>"
	horns := strings.Repeat(quay+"<p>The horn was sound.</p>", 12) // as good as what is looked for
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
		{"code with the paragraph before it", horns + quay + "<p>Sound the sound horn, sound horn, with this call.</p><pre><code>fog.Signal(3)</code></pre>" + horns, "sound the horn",
			[]string{"Sound the sound horn, sound horn, with this call.\n\n```\nfog.Signal(3)\n```"}, nil},
		{"a caption with its code", filler + "<p>Listing 4: sound the horn</p><pre><code>fog.Signal(3)</code></pre>" + filler, "listing horn", []string{"Listing 4: sound the horn\n\n```\nfog.Signal(3)"}, nil},
		{"code that matches, with what says what it is", filler + "<p>To begin the watch:</p><pre><code>start_watch --fog</code></pre>" + filler, "start_watch", []string{"To begin the watch:\n\n```\nstart_watch"}, nil},
		{"a label with its text", several("The % line has a tip at its end.") + quay + "<p><b>Tip</b></p><p>Grease the winch before the winter comes to the north.</p>" + several("Here is a tip of the % kind."), "tip", []string{"**Tip**\n\nGrease the winch"}, nil},
		{"a heading with its text", several("The % boat has a winch on its deck.") + "<h2>Winch</h2><p>Grease it before the winter comes to the north.</p><h2>Mast</h2>" + filler, "winch", []string{"## Winch\n\nGrease it"}, []string{"## Mast"}},
		{"how much", several("The % ferry ticket is sold by the master at the pier.") + filler + "<p>Ferry ticket</p><p>€ 7.50</p>" + filler, "how much is a ferry ticket?", []string{"Ferry ticket\n\n€ 7.50"}, nil},
		{"when", several("The % ferry leaves from the old pier of the town.") + filler + "<p>The first ferry of the year leaves on 3 May 2025.</p>" + filler, "when does the ferry leave?", []string{"3 May 2025"}, nil},
		{"one text, no gap", filler + "<p>The horn sounds in fog.</p><p>It is loud.</p><p>The horn rests in sunshine.</p>" + filler, "horn", []string{"The horn sounds in fog.\n\nIt is loud.\n\nThe horn rests"}, nil},
		{"no menu", menu + "<main>" + filler + "<p>The price of a cleat is 24 crowns.</p>" + filler + "</main>", "cleat prices", []string{"24 crowns"}, []string{"- Rope prices", "- Cleat prices"}},
	} {
		whole := pageOf(t, c.body)
		main := pageOf(t, strings.TrimPrefix(c.body, menu))
		got := NewPassages(whole, main, c.query).Choose(0, 45)
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
		if n := markdown.Tokens(got.Text); n > 45 {
			t.Errorf("%s: %d tokens", c.name, n)
		}
		if strings.Contains(got.Text, gap+"\n\n"+gap) {
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
