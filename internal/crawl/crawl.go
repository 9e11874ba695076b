// Package crawl provides what leads from a page to a site: the map of its pages,
// made of sitemaps, feeds, llms.txt and links, and jobs that read them.
//
//	web := crawl.Web{Fetch: get, Robots: robots, Page: read, Judge: judge}
//	m, err := web.Map(ctx, crawl.MapRequest{Scope: crawl.Scope{Start: u}})
//	if err != nil {
//		return err // always a *tool.Error
//	}
//	fmt.Println(crawl.MapText(m, crawl.MapView{Lines: 50, Tokens: 1500}))
//
//	c := &crawl.Crawler{Web: web, Frontier: f, Worker: "w1"}
//	answer, err := c.Call(ctx, owner, crawl.Call{Options: crawl.Options{URLs: []string{start}, Query: "…"}})
//
// The package requests nothing by itself: everything passes the egress policy, the
// cache and the pace of the functions in [Web].
//
// # Guarantees
//
// A map is never empty: a site without any address is an error that says what was
// tried. A map says what it left out and what could not be read. It ends before its
// context does, with what it has.
//
// A crawl never leaves its scope ([Scope]) and obeys robots.txt. A site gets no more
// requests at a time than the job says ([Options].Concurrency), over all workers, each a
// pace after the one before. What was read is stored before its place at the site is given
// to another page: a job that was ended in any way can go on. Why it stopped, and why each
// page failed, is in its result.
//
// # Limits
//
// A map holds at most [maxMapped] addresses of at most 200 files.
package crawl
