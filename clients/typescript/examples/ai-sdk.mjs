// Spyhop as tools of the Vercel AI SDK: pass them to generateText({ tools }).
import { tool } from 'ai';
import { z } from 'zod';

export const tools = (web) => ({
  fetch: tool({
    description: 'Fetch a page as Markdown. With a query, only the passages that answer it.',
    inputSchema: z.object({ url: z.string(), query: z.string().optional() }),
    execute: async ({ url, query }) => (await web.fetch(url, { query, max_tokens: 2000 })).markdown,
  }),
  search: tool({
    description: 'Search the web: title, URL and snippet of each result.',
    inputSchema: z.object({ query: z.string() }),
    execute: async ({ query }) => (await web.search(query, { max_results: 5 })).results,
  }),
});
