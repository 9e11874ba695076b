// Package model provides clients for language models: a conversation goes out,
// and a text or calls of tools come back.
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
//		return err // always a *tool.Error; its cause is an *Error
//	}
//	fmt.Println(reply.Text)
//
// There are three wire forms: chat completions (OpenAI, OpenRouter, Ollama,
// vLLM, llama.cpp and whatever else speaks it), Anthropic's messages, and
// Gemini's generateContent. Each is a file that writes a request and reads the
// events of a stream; what they have in common stands around them: requests and
// retries (ask.go), server-sent events (events.go), limits (reply.go).
//
// # Guarantees
//
// Ask does not outlive its context, [Options.Timeout], or a server that falls
// silent for [Options.Silence]. What is read is bounded in bytes, calls and the
// length of their arguments, whatever the server sends; a broken stream is an
// error and never half an answer. The key is sent to the endpoint alone, and
// stands in no error. A Client is safe for concurrent use.
//
// A request is sent again only when the model has not begun to answer: after
// 429, 503 or 529 when the server said how long to wait, once after another of
// these or 500, 502 and 504, and only if the wait ends within the call's time.
//
// # Limits
//
// Text goes in and text comes out: no pictures, no thinking that is kept, no
// caching marks. Arguments of calls are handed on as the model wrote them;
// whether they are JSON, and of the right form, is for package tool to say.
package model
