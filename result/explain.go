package result

// Explanation says how the main content of an HTML page was chosen. The zero value of
// each field but URL is unknown.
type Explanation struct {
	// URL is the address that answered, Title what the page calls itself.
	URL      string   `json:"url"`
	Title    string   `json:"title"`
	PageType PageType `json:"page_type"`
	Verdict  Verdict  `json:"verdict"`
	// VerdictReason says why the content is not complete, "" for complete content.
	VerdictReason string `json:"verdict_reason,omitempty"`
	// Method says how the content was chosen, as in [Metadata].Method.
	Method string `json:"extraction_method"`
	// Blocks are the blocks of text of the page, in page order; nil for a page
	// without a tree.
	Blocks []Judgement `json:"blocks"`
	// HiddenRemoved counts what a person does not see and was removed, by kind.
	HiddenRemoved map[string]int `json:"hidden_removed,omitempty"`
}

// Judgement says how one block of a page was judged.
type Judgement struct {
	// Text is the block with white space collapsed, Path the elements around it as a
	// CSS selector has them, outermost first.
	Text  string `json:"text"`
	Path  string `json:"path"`
	Words int    `json:"words"`
	// Score is the probability that it is main content, Kept whether it was chosen.
	Score float64 `json:"score"`
	Kept  bool    `json:"kept"`
	// Unit is what the block is a part of, "product 3 of 24: heading and price" or "post
	// 4 of 12"; empty: nothing. Why says in words what decided.
	Unit string `json:"unit,omitempty"`
	Why  string `json:"why"`
	// Reasons are the features that moved the score most, strongest first.
	Reasons []Reason `json:"reasons"`
}

// Reason is a feature of a block.
type Reason struct {
	Feature string `json:"feature"`
	// Words say what the feature is about, as "its links".
	Words string `json:"words"`
	// Value is nil where the page has nothing of the kind.
	Value *float64 `json:"value"`
	// Effect is by how many log-odds the score is higher than it would be with the
	// page's median value of the feature.
	Effect float64 `json:"effect"`
}

// Change is a block that differs between two versions of a page.
type Change struct {
	// Old and New are the block as Markdown; Old is empty where it was added, New where
	// it was removed.
	Old string `json:"old,omitempty"`
	New string `json:"new,omitempty"`
	// Section is the heading above it; empty before the first one.
	Section string `json:"section,omitempty"`
}
