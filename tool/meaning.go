package tool

// Meaning is the type in a few words, for tables.
func (t ErrorType) Meaning() string {
	switch t {
	case InvalidURL:
		return "not a URL, or not one that can be fetched"
	case InvalidInput:
		return "an argument is missing, unknown or wrong"
	case Blocked:
		return "refused by the policy of this server"
	case TooLarge:
		return "larger than the limit"
	case UnsupportedContent:
		return "a format that cannot be read"
	case NoContent:
		return "the page has no readable content: it needs scripts or a login, asks for a captcha, or is empty"
	case ParseError:
		return "the response could not be parsed"
	case Cancelled:
		return "the caller closed the connection"
	case HTTPError:
		return "the site responded with an error status"
	case ConnectionError:
		return "the site could not be reached"
	case TLSError:
		return "no secure connection to the site"
	case SearchError:
		return "the search provider failed"
	case ModelError:
		return "the language model failed"
	case BrowserMissing:
		return "there is no browser on the server"
	case BrowserError:
		return "the browser failed"
	case Busy:
		return "the server has no room for the call now, or a quota is used up"
	case Timeout:
		return "the time limit of the call passed"
	}
	return "an error in this server"
}
