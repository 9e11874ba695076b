// Package firecrawl provides the forms of Firecrawl's API, version 2, that the server
// answers with and that webhooks send: a page as a [Document], the state of a job as a
// word, and the [Message] of a webhook. docs/firecrawl.md says what is supported.
//
// # Limits
//
// The package has values only. It reads no options and makes no request.
package firecrawl

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/spyhop-dev/spyhop/result"
)

// Document is a page in the forms that were asked for.
type Document struct {
	Markdown   string          `json:"markdown,omitempty"`
	HTML       string          `json:"html,omitempty"`
	RawHTML    string          `json:"rawHtml,omitempty"`
	Links      []string        `json:"links,omitempty"`
	JSON       json.RawMessage `json:"json,omitempty"`
	Answer     string          `json:"answer,omitempty"`
	Highlights string          `json:"highlights,omitempty"`
	Summary    string          `json:"summary,omitempty"`
	Images     []string        `json:"images,omitempty"`
	Screenshot string          `json:"screenshot,omitempty"`
	Attributes []Attributes    `json:"attributes,omitempty"`
	Product    *product        `json:"product,omitempty"`
	Menu       *menu           `json:"menu,omitempty"`
	Branding   *branding       `json:"branding,omitempty"`
	Video      string          `json:"video,omitempty"`
	Audio      string          `json:"audio,omitempty"`
	Changes    *Changes        `json:"changeTracking,omitempty"`
	Actions    *Actions        `json:"actions,omitempty"`
	Warning    string          `json:"warning,omitempty"`
	Metadata   Metadata        `json:"metadata"`
}

// Attributes are the values of an attribute of the elements that a selector matches.
type Attributes struct {
	Selector  string   `json:"selector"`
	Attribute string   `json:"attribute"`
	Values    []string `json:"values"`
}

// Changes compares a page with its last version. Status is new, same or changed.
type Changes struct {
	PreviousScrapeAt *time.Time `json:"previousScrapeAt"`
	Status           string     `json:"changeStatus"`
	Visibility       string     `json:"visibility"`
	Diff             *Diff      `json:"diff,omitempty"`
	// JSON are the fields whose values differ, each with the members previous and current.
	JSON json.RawMessage `json:"json,omitempty"`
}

// Actions is what the actions before a page was read came to: URLs of files, and pages.
type Actions struct {
	Screenshots []string      `json:"screenshots,omitempty"`
	PDFs        []string      `json:"pdfs,omitempty"`
	Scrapes     []ActionPage  `json:"scrapes,omitempty"`
	Returns     []ActionValue `json:"javascriptReturns,omitempty"`
}

// ActionPage is the page at the action scrape.
type ActionPage struct {
	URL  string `json:"url"`
	HTML string `json:"html"`
}

// ActionValue is the value of a script.
type ActionValue struct {
	Type  string `json:"type"`
	Value any    `json:"value"`
}

// Metadata says what is known of a page. The last members are not Firecrawl's.
type Metadata struct {
	Title       string    `json:"title,omitempty"`
	Description string    `json:"description,omitempty"`
	Language    string    `json:"language,omitempty"`
	SiteName    string    `json:"ogSiteName,omitempty"`
	Published   string    `json:"publishedTime,omitempty"`
	Author      string    `json:"author,omitempty"`
	SourceURL   string    `json:"sourceURL"`
	URL         string    `json:"url"`
	StatusCode  int       `json:"statusCode,omitempty"`
	ContentType string    `json:"contentType,omitempty"`
	CacheState  string    `json:"cacheState,omitempty"`
	CachedAt    time.Time `json:"cachedAt,omitzero"`
	Error       string    `json:"error,omitempty"`
	// ScrapeID names the scrape for a browser session on it.
	ScrapeID string `json:"scrapeId,omitempty"`

	PageType result.PageType `json:"pageType,omitempty"`
	Verdict  result.Verdict  `json:"verdict,omitempty"`
	Version  string          `json:"version,omitempty"`
}

// Of is a page of a job, with an error in its metadata where it could not be read.
func Of(p result.CrawlPage) Document {
	source := p.RequestedURL
	if source == "" {
		source = p.URL
	}
	return Document{Markdown: p.Markdown, Warning: p.VerdictReason, Metadata: Metadata{Title: p.Title, Language: p.Language, Published: p.Published, SourceURL: source, URL: p.URL,
		StatusCode: p.Status, Error: p.Error, PageType: p.PageType, Verdict: p.Verdict, Version: p.Version}}
}

// The states of jobs.
const (
	Scraping  = "scraping"
	Completed = "completed"
	Failed    = "failed"
	Cancelled = "cancelled"
)

// Status is the state of a job. One that has ended and read no page has failed.
func Status(c *result.Crawl) string {
	switch {
	case c.State == "running" || c.State == "queued":
		return Scraping
	case c.Stopped == "stopped":
		return Cancelled
	case c.Read == 0:
		return Failed
	}
	return Completed
}

// NothingRead is the error of a job that has failed.
func NothingRead(c *result.Crawl) string {
	s := fmt.Sprintf("no page was read: %d failed, %d were refused", c.Failures, c.Refused)
	if len(c.Failed) > 0 {
		s += "; " + c.Failed[0].Reason
	}
	return s
}

// The events of webhooks. Failed is one too: of a job that has failed or was cancelled.
const (
	Started = "started"
	Page    = "page"
)

// Events are the events in the order in which they happen.
func Events() []string { return []string{Started, Page, Completed, Failed} }

// Message is the body of a webhook.
type Message struct {
	Success bool `json:"success"`
	// Type is the kind of the job, "crawl" or "batch_scrape", a point and the event.
	Type string `json:"type"`
	// ID is the job. WebhookID is the same if a message is sent again.
	ID        string            `json:"id"`
	WebhookID string            `json:"webhookId"`
	Data      []Document        `json:"data"`
	Error     string            `json:"error,omitempty"`
	Metadata  map[string]string `json:"metadata,omitempty"`
	Timestamp time.Time         `json:"timestamp"`
}

// NewMessage returns a message of a job about an event, without pages. kind is that of
// result.Crawl.
func NewMessage(kind, event string) Message {
	if kind == "batch" {
		kind = "batch_scrape"
	}
	return Message{Success: event != Failed, Type: kind + "." + event, Data: []Document{}}
}

// SignatureHeader is the header in which receivers look for [Sign].
const SignatureHeader = "X-Firecrawl-Signature"

// Sign returns the signature of a body. Receivers take the secret as it is written.
func Sign(secret string, body []byte) string {
	m := hmac.New(sha256.New, []byte(secret))
	m.Write(body)
	return "sha256=" + hex.EncodeToString(m.Sum(nil))
}
