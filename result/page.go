package result

// PageType is the kind of a page.
type PageType string

// The types of pages. The first seven are those of the WCXB benchmark (M. Foley,
// 2026); the others name formats that are not web pages.
const (
	PageArticle       PageType = "article"
	PageDocumentation PageType = "documentation"
	PageService       PageType = "service"
	PageForum         PageType = "forum"
	PageCollection    PageType = "collection"
	PageListing       PageType = "listing"
	PageProduct       PageType = "product"
	PageDocument      PageType = "document" // PDF, office, e-mail
	PageFeed          PageType = "feed"
	PageData          PageType = "data" // JSON, XML, CSV
	PageImage         PageType = "image"
	PageSource        PageType = "source" // program text
	PageOther         PageType = "other"
)

// Verdict says whether the content that was found is the page's content.
type Verdict string

// The verdicts. The first three are success.
const (
	VerdictComplete      Verdict = "complete"
	VerdictPartial       Verdict = "partial" // cut at a limit
	VerdictThin          Verdict = "thin"    // less content than the page promises
	VerdictLoginWall     Verdict = "login_wall"
	VerdictChallenge     Verdict = "challenge"   // a test for robots
	VerdictEmptyShell    Verdict = "empty_shell" // scripts bring the content
	VerdictRateLimited   Verdict = "rate_limited"
	VerdictRefusedBySite Verdict = "refused_by_site"
	VerdictDead          Verdict = "dead" // the page is gone
)

// Success reports whether content is given under this verdict. The zero value is
// not a success.
func (v Verdict) Success() bool {
	return v == VerdictComplete || v == VerdictPartial || v == VerdictThin
}
