package crawl

// Names for the tests of package crawl_test.

var MatchPath = matchPath

const SourceFeed = sourceFeed

const SourceLLMs = sourceLLMs

const SourceSitemap = sourceSitemap
