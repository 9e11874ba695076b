package main

import (
	"testing"
)

// TestArchiveFlags wants the files of --record and --replay to reach the
// configuration, for every command that has the flags.
func TestArchiveFlags(t *testing.T) {
	for _, c := range []struct {
		args           []string
		record, replay string
	}{
		{[]string{"fetch", "--record", "/a.warc", "example.com"}, "/a.warc", ""},
		{[]string{"fetch", "--replay", "/a.warc", "example.com"}, "", "/a.warc"},
		{[]string{"crawl", "--record", "/a.warc", "example.com"}, "/a.warc", ""},
		{[]string{"crawl", "--replay", "/a.warc", "example.com"}, "", "/a.warc"},
		{[]string{"map", "--replay", "/a.warc", "example.com"}, "", "/a.warc"},
		{[]string{"recall", "--replay", "/a.warc", "fog"}, "", "/a.warc"},
		{[]string{"serve", "--record", "/a.warc"}, "/a.warc", ""},
	} {
		s := &session{cli: new(grammar)}
		p, err := newParser(s, c.args)
		if err != nil {
			t.Fatal(err)
		}
		command, err := p.Parse(c.args)
		if err != nil {
			t.Fatalf("%v: %v", c.args, err)
		}
		s.command = command.Selected()
		s.applyFlags()
		config, _, err := s.unlogged()
		if err != nil {
			t.Fatal(err)
		}
		if config.Record != c.record || config.Replay != c.replay {
			t.Errorf("%v: record %q, replay %q", c.args, config.Record, config.Replay)
		}
	}
}
