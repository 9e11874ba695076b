// Package result provides the values that the operations of package spyhop
// return: a page, the results of a search, an answer of an agent, an event of
// the audit log.
//
//	page, err := client.Fetch(ctx, spyhop.FetchRequest{URL: "https://example.com/"}) // *result.Fetch
//	found, err := client.Search(ctx, spyhop.SearchRequest{Text: "whales"})           // *result.Search
//	answer, err := agent.Ask(ctx, "How do whales sleep?")                            // *result.Answer
//
// Package spyhop has other names for the types that a caller mostly needs, for
// example spyhop.FetchResult for [Fetch].
//
// # Guarantees
//
// The values are plain data: structs with exported fields whose JSON form is the
// same in the library, the REST API and the command's --json. A value belongs to
// the caller that got it.
//
// # Limits
//
// A value is not safe for concurrent use while it is changed.
package result
