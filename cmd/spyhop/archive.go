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

// AfterApply is called by kong before the command runs.
func (f *recordFlags) AfterApply(s *session) error {
	s.record = f.Record
	return nil
}

// AfterApply is called by kong before the command runs.
func (f *replayFlags) AfterApply(s *session) error {
	s.replay = f.Replay
	return nil
}

// AfterApply is called by kong before the command runs; without it, those of both
// parts would be ambiguous, and none would be called.
func (f *archiveFlags) AfterApply(s *session) error {
	s.record, s.replay = f.Record, f.Replay
	return nil
}
