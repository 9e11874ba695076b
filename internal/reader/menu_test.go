package reader

import (
	"fmt"
	"strings"
	"testing"
)

// Menus, paths and tables of contents are never an answer, and no text stands below a
// heading that is not its own.
//
// Fixed bugs: a post stood below the name of the one before it, because a heading of its
// profile, which is not content, took its own heading out of the choice. The votes of a
// card stood below the name of the card before it.
func TestPassagesOwnHeading(t *testing.T) {
	quay := func(n int) string {
		return strings.Repeat("<p>The quay was built from stone, and boats of all kinds can lie there when the weather allows it, as it does.</p>", n)
	}
	path := "<nav><ol><li><a href=/>Coast</a></li><li><a href=/f>Fog horns 2</a></li></ol></nav>"
	post := func(name, profile, text string) string {
		return "<h3>" + name + " · 2026-01-02</h3>" + profile + "<p>" + text + "</p>"
	}
	for _, c := range []struct {
		name, main, whole, query string
		want, not                []string
	}{
		{"a path", "<h1>Fog horns</h1>" + quay(9) + "<p>Fog horns of brass carry for two miles at sea.</p>" + quay(9), path, "fog horns", []string{"two miles"}, []string{"Fog horns 2"}},
		{"the end of a path", "<h1>Fog horns</h1>" + quay(9) + "<p>Fog horns of brass carry for two miles at sea.</p>" + quay(9), "<ol><li><a href=/>Coast</a></li><li>Fog horns</li></ol>", "fog horns", []string{"two miles"}, []string{"2. Fog horns"}},
		{"a link that says more", "<h1>Fog horns</h1>" + quay(9), "<p><a href=/w>Wages of the crew</a></p>", "wages", []string{"Wages of the crew"}, nil},
		{"a link with its price", "<h1>Horns</h1>" + quay(9) + "<p>A horn of brass carries for two miles at sea.</p>" + quay(9), "<div><p><a href=/h>Brass horn II</a></p><p>$49.00</p></div>", "price of the brass horn", []string{"Brass horn II\n\n$49.00"}, nil},
		{"a table of contents", "<h1>Manual</h1><ul><li><a href=#a>1.1 Sound the horn</a></li><li><a href=#b>1.2 Close the horn</a></li></ul>" + quay(9) + "<h2 id=a>The horn</h2><p>Sound the horn with a call that waits until it has ended.</p>" + quay(9), "", "sound the horn", []string{"with a call"}, []string{"1.1"}},
		{"a profile", post("ada", "", "Which rope holds a mooring in a storm?") + quay(9) + post("ben", "", "I would take polyester rope for a mooring.") + quay(9), "", "polyester rope", []string{"### ben · 2026-01-02\n\nI would take"}, nil},
		{"an item with a heading", quay(9) + "<ol><li><h3>Horns of brass</h3><p>" + strings.Repeat("They carry for two miles at sea, and ", 15) + "no more.</p></li></ol>" + quay(9) + "<p>What is made of wood rots, so that such horns last for one winter.</p>" + quay(9), "", "horns", []string{"one winter"}, []string{"Horns of brass\n\n[…]"}},
		{"a card that begins with its votes", "<h2>Soups</h2><p>84 votes</p><h3>Soup of cod and kale</h3><hr><p>12 votes</p><h3>Stew of peas</h3><hr><p>7 votes</p><h3>Stew of beans</h3><hr>" + quay(9), "", "votes of the stew of peas", []string{"12 votes\n\n### Stew of peas"}, []string{"84 votes\n\n[…]", "7 votes\n\n[…]"}},
		{"an echo", quay(9) + "<p>A fathom of rope has the price of a loaf of bread in town.</p>" + quay(9) + "<h2>Pier</h2><p>Rope price</p><h3>Mast</h3>" + quay(9), "", "rope price", []string{"a loaf of bread"}, []string{"Rope price"}},
		{"a list that stands twice", "<h2>Oils</h2>" + strings.Repeat("<p>Oil of the north 32</p><p>Oil of the west 29</p><p>Oil of the east 27</p><p>Soap</p>"+quay(1)+"<p>The harbour has a crane.</p>", 2), "", "oil", []string{"north 32"}, []string{"crane.\n\nOil of the north"}},
		{"a heading that is a part of the one below it", quay(9) + "<h2>North pier</h2><h3>Open in summer</h3><p>A ferry goes to the islands of the terns at noon.</p>" + quay(9), "", "ferry to the islands", []string{"## North pier\n\n### Open in summer\n\nA ferry"}, nil},
		{"a field of a form", "<h1>Harbour office</h1>" + quay(9), "<p>Telephone*</p>", "telephone", []string{"# Harbour office"}, []string{"Telephone"}},
	} {
		main := pageOf(t, c.main)
		whole := main
		if c.whole != "" {
			whole = pageOf(t, c.whole+c.main)
		}
		text := NewPassages(whole, main, c.query).Choose(0, 80).Text
		for _, w := range c.want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: %q is missing in\n%s", c.name, w, text)
			}
		}
		for _, w := range c.not {
			if strings.Contains(text, w) {
				t.Errorf("%s: %q is in\n%s", c.name, w, text)
			}
		}
	}
	// A profile is in the whole page, between the name and the text of a post.
	var main, whole strings.Builder
	for i := range 12 {
		fmt.Fprintf(&main, "### crew%d · 2026-01-02\n\nThe rope of boat %d has held through the winter, and it lies on the quay now, as it did.\n\n", i, i)
		fmt.Fprintf(&whole, "crew%d · 2026-01-02\n\n#### crew%d\n\n##### sailor\n\nPosts: 80\n\nThe rope of boat %d has held through the winter, and it lies on the quay now, as it did.\n\n", i, i, i)
	}
	text := newPassages(worded{md: whole.String()}, worded{md: main.String()}, "", newTerms("rope of boat 7")).Choose(0, 50).Text
	if !strings.Contains(text, "### crew7 · 2026-01-02\n\nThe rope of boat 7") {
		t.Errorf("a post without its name:\n%s", text)
	}
	// A mark stands with what it marks.
	filler := strings.Repeat("The quay was built from stone, and boats of all kinds can lie there.\n\n", 20)
	text = newPassages(worded{}, worded{md: filler + "Fog is thick.\n\n(collapsed)\n\nThe horn sounds in fog.\n\n" + filler}, "", newTerms("horn")).Choose(0, 30).Text
	if !strings.Contains(text, "(collapsed)\n\nThe horn") {
		t.Errorf("a text without its mark:\n%s", text)
	}
}
