// Package passage provides pieces of a page's Markdown: those that answer a query, those that
// a quotation names, and those that have changed.
//
//	chosen := passage.OfMarkdown(md, "when does the ferry leave?").Choose(0, 300) // tokens
//
//	quote := passage.NewStored(url, version, md, nil).Verify("The ferry leaves at seven.")
//
//	changes, err := passage.Compare(before, after, ctx.Err)
//
// All three work on units: headings, paragraphs, items, rows of tables, blocks of code
// (unit.go). A query ranks them by their words (terms.go, passages.go; wanted.go: amounts and
// dates; choose.go takes them within a budget), beside these by meaning (meaning.go), and also those outside of the main content
// (merge.go). Quotations are looked up in normalized text (normalize.go, quote.go), also those
// that a model writes into an answer (quotation.go); stored.go is for pages that were read
// before. diff.go compares versions.
//
// # Guarantees
//
// Text that is returned is word for word that of the Markdown, and what is left out between
// passages is marked. No input makes it panic, and its time is linear in the text but for
// sorting.
//
// # Limits
//
// The Markdown has to be that of package markdown. Words are stems of European languages, and
// pairs of characters of Chinese, Japanese and Korean (package terms).
package passage
