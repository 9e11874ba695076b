//go:build !linux

package frontiertest

func startServer() (url string, stop func(), err error) { return "", nil, errNoServer }
