package main

// recordFlags write an archive, replayFlags answer from one.
type recordFlags struct {
	Record string `help:"Record the pages that are fetched in this WARC file; .gz compresses it. It never contains cookies or credentials." placeholder:"FILE" type:"path"`
}

type replayFlags struct {
	Replay string `help:"Use pages from this WARC file, without a network." placeholder:"FILE" type:"path"`
}

type archiveFlags struct {
	recordFlags
	replayFlags
}
