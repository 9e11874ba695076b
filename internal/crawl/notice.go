package crawl

import "slices"

// This file has what a run tells about itself: notices, and what robots.txt refuses.

// say adds a notice to the job, once.
func (r *run) say(n notice) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.p.say(n)
}

func (p *progress) say(n notice) {
	const most = 20
	if n.Code == noticeWait || n.Code == noticeSlow {
		p.forget(n.Code)
	}
	if !slices.Contains(p.Notices, n) && len(p.Notices) < most {
		p.Notices = append(p.Notices, n)
	}
}

// forget drops the notices with a code.
func (p *progress) forget(code noticeCode) {
	p.Notices = slices.DeleteFunc(p.Notices, func(n notice) bool { return n.Code == code })
}

// maxRobots bounds the URLs that a job lists as refused by robots.txt, so that they
// fit into what it remembers; maxRobotsBytes is the longest one that is listed.
const maxRobots, maxRobotsBytes = 100, 300

// refuse lists a URL that robots.txt refuses.
func (p *progress) refuse(url string) {
	if len(p.Robots) < maxRobots && len(url) <= maxRobotsBytes && !slices.Contains(p.Robots, url) {
		p.Robots = append(p.Robots, url)
	}
}

// list remembers a URL that was omitted for a reason, if robots.txt is the reason.
func (r *run) list(url, reason string) {
	if reason == reasonRobots {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.p.refuse(url)
	}
}
