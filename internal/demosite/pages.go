package demosite

// Page is a page of the site, with the result that a correct extraction has.
type Page struct {
	// Path begins with a slash.
	Path string
	// About describes the page for people.
	About string
	// Title is the title of its content.
	Title string
	// Type is the page type, as package page spells it; empty when it does not
	// matter.
	Type string
	// Keep are phrases of the content; Drop are phrases of boilerplate.
	Keep, Drop []string
	// Encoding is the WHATWG name of the file's encoding; empty means UTF-8.
	// Declared reports whether the Content-Type header names it.
	Encoding string
	Declared bool
}

// chrome are phrases of the boilerplate on every page with the site's layout.
func chrome(more ...string) []string {
	return append([]string{"partners use cookies", "Log in to your account", "Half-price rain jackets", "fresh sightings in your inbox", "All rights reserved"}, more...)
}

// Pages lists the pages in the order of the demo.
func Pages() []Page {
	return []Page{
		{Path: "/article", About: "an article", Title: "A humpback that waits for the ferry", Type: "article", Drop: chrome("Why gulls follow trawlers"),
			Keep: []string{"sit outside", "forty-one meetings", "somebody’s seven o’clock", "three hundred metres away"}},
		{Path: "/documentation", About: "documentation", Title: "Reading the sightings feed", Type: "documentation", Drop: chrome("Managing access keys"),
			Keep: []string{"keeps its place in a small file", "fluke read --bay lantern", "seen_at", "RFC 3339", "sighting = json.loads(line)", "the bay is unknown"}},
		{Path: "/service", About: "a service", Title: "Morning tours by boat", Type: "service", Drop: chrome(),
			Keep: []string{"leave with the tide", "run on batteries", "hydrophone into the water", "540 €", "ginger biscuits"}},
		{Path: "/forum", About: "a forum thread", Title: "Which hydrophone for a small boat?", Type: "forum", Drop: chrome(),
			Keep: []string{"five-metre dinghy", "charge controller and not the motor", "divides the frequency by ten", "first train of clicks"}},
		{Path: "/collection", About: "a collection", Title: "Field guides to the coast", Type: "collection", Drop: chrome(),
			Keep: []string{"fits on two printed pages", "Telling fins apart", "lean of the spray", "Four knots for guests"}},
		{Path: "/listing", About: "a listing", Title: "Sightings of this week", Type: "listing", Drop: chrome(),
			Keep: []string{"Two minke whales off the south pier", "with one calf", "Humpback at the green buoy", "pass to the north"}},
		{Path: "/product", About: "a product", Title: "Skerry 7x50 marine binoculars", Type: "product", Drop: chrome(),
			Keep: []string{"filled with nitrogen", "call out a bearing", "132 m at 1000 m"}},
		{Path: "/frontpage", About: "a front page laid out with tables", Title: "Harbour News",
			Keep: []string{"tide almanac that fits on one page", "radar from two microwave ovens", "zeppelin bend never jams", "night watch", "Fresnel lens"}},

		{Path: "/russian", About: "Russian in windows-1251", Title: "Кит у причала", Encoding: "windows-1251", Declared: true,
			Keep: []string{"Кит поднял голову из воды", "Наблюдатели записали время"}},
		{Path: "/japanese", About: "Japanese in Shift_JIS", Title: "港のクジラ", Encoding: "shift_jis",
			Keep: []string{"クジラが水面から頭を出し", "観察の記録"}},
		{Path: "/chinese", About: "Chinese in GBK", Title: "海湾里的鲸鱼", Encoding: "gbk",
			Keep: []string{"鲸鱼把头伸出水面", "观察站的日志"}},
		{Path: "/french", About: "French in an undeclared encoding", Title: "La baleine du matin", Encoding: "windows-1252",
			Keep: []string{"La baleine a levé la tête", "l’été dernier"}},
	}
}
