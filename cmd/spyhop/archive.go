package main

// recordFlags write an archive, replayFlags answer from one.
type recordFlags struct {
	Record string `help:"Write the pages that are read to this WARC file; .gz compresses it. It never holds cookies or credentials." placeholder:"FILE" type:"path"`
}

type replayFlags struct {
	Replay string `help:"Read pages from this WARC file, without a network." placeholder:"FILE" type:"path"`
}

type archiveFlags struct {
	recordFlags
	replayFlags
}

// apply is called before the command runs.
func (f *recordFlags) apply(s *session) { s.record = f.Record }

func (f *replayFlags) apply(s *session) { s.replay = f.Replay }

// apply is that of both parts, which would be ambiguous without it.
func (f *archiveFlags) apply(s *session) { s.record, s.replay = f.Record, f.Replay }
