package main

func (crawlListCmd) Help() string {
	return `Prints the crawls of this user, the newest first. A crawl that was stopped can be resumed.

Examples:

    spyhop crawl list
    spyhop crawl list --json
` + exitHelp
}

func (crawlStatusCmd) Help() string {
	return `Prints what a crawl has read, what it has left, and why it stopped.

Examples:

    spyhop crawl status c7
    spyhop crawl status --json c7
` + exitHelp
}

func (crawlStopCmd) Help() string {
	return `Stops a crawl after the pages that it is reading. "spyhop crawl --resume" goes on.

Examples:

    spyhop crawl stop c7
    spyhop crawl stop --json c7
` + exitHelp
}

func (crawlDropCmd) Help() string {
	return `Deletes a crawl with everything that it has read. It cannot be resumed.

Examples:

    spyhop crawl drop c7
    spyhop crawl drop --json c7
` + exitHelp
}
