// Package model provides clients for language models. A client sends a
// conversation and returns the model's reply: a text, or calls of tools.
//
//	client, err := model.New(model.Options{Model: "ollama/qwen3", RoundTripper: endpoint})
//	if err != nil {
//		return err
//	}
//	reply, err := client.Ask(ctx, llm.Request{
//		System:   "Answer in one sentence.",
//		Messages: []llm.Message{{Text: "Why do whales raise their heads?"}},
//	})
//	if err != nil {
//		return err // always a *tool.Error
//	}
//	fmt.Println(reply.Text)
//
// There are two wire formats: chat completions (OpenAI, Gemini, OpenRouter, Ollama,
// vLLM, llama.cpp and other compatible servers) and Anthropic's messages. Each has a
// file that encodes requests and decodes replies. The common parts are requests and
// retries (ask.go), and limits (reply.go).
//
// # Guarantees
//
// Ask returns when its context ends, or after [Options.Timeout]. Replies are bounded in
// bytes, calls and the length of their arguments, whatever the server sends. A reply that
// breaks off is an error. The client sends the key only to the endpoint, and no
// error contains it. A Client is safe for concurrent use.
//
// The client repeats a request only when the model has not begun to answer: after
// status 429, 503 or 529 when the server says how long to wait; otherwise once,
// after these or 500, 502 and 504. It does not wait beyond the call's deadline.
//
// # Limits
//
// Replies come complete, not as streams. Only text: no images, no stored reasoning, no
// cache control. The client returns the arguments of calls as the model wrote them;
// package tool checks whether they are JSON and match the schema.
package model
