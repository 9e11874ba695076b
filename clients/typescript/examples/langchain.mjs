// Spyhop as tools of LangChain.js: pass them to createAgent({ tools }).
import { tool } from '@langchain/core/tools';
import { z } from 'zod';

export const tools = (web) => [
  tool(async ({ url, query }) => (await web.fetch(url, { query, max_tokens: 2000 })).markdown, {
    name: 'fetch', description: 'Fetch a page as Markdown. With a query, only the passages that answer it.',
    schema: z.object({ url: z.string(), query: z.string().optional() }),
  }),
  tool(async ({ query }) => JSON.stringify((await web.search(query, { max_results: 5 })).results), {
    name: 'search', description: 'Search the web: title, URL and snippet of each result.',
    schema: z.object({ query: z.string() }),
  }),
];
