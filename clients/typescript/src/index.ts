// A typed client of Spyhop: fetch pages as Markdown, search, crawl, recall.
//
//   import { Spyhop } from '@spyhop/client';
//   const web = await Spyhop.start();                 // starts the program; or: new Spyhop({ url })
//   const page = await web.fetch('https://go.dev/doc/effective_go', { query: 'make or new' });
//   console.log(page.title, page.markdown);
//   await web.close();

import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './schema.js';
import { startServer, type Server, type ServerOptions } from './server.js';

export type { paths } from './schema.js';
export type { ServerOptions } from './server.js';

type Body<P extends keyof paths> = paths[P] extends { post: { requestBody?: { content: { 'application/json': infer B } } } } ? B : never;
type Ok<P extends keyof paths, M extends 'get' | 'post'> = paths[P] extends { [K in M]: { responses: infer R } }
  ? R extends { 200: { content: { 'application/json': infer O } } } ? O : R extends { 202: { content: { 'application/json': infer O } } } ? O : unknown
  : never;

export type FetchOptions = Omit<Body<'/v1/tools/web_fetch'>, 'url' | 'urls' | 'schema'> & { schema?: object };
export type Page = Ok<'/v1/tools/web_fetch', 'post'>;
export type SearchOptions = Omit<Body<'/v1/tools/web_search'>, 'query'>;
export type SearchResults = Ok<'/v1/tools/web_search', 'post'>;
export type MapOptions = Omit<Body<'/v1/tools/web_map'>, 'url'>;
export type SiteMap = Ok<'/v1/tools/web_map', 'post'>;
export type RecallOptions = Omit<Body<'/v1/tools/web_recall'>, 'query'>;
export type Recall = Ok<'/v1/tools/web_recall', 'post'>;
export type CrawlOptions = Omit<Body<'/v1/crawls'>, 'url' | 'urls'>;
export type CrawlPage = NonNullable<Ok<'/v1/crawls/{id}/pages', 'get'> extends { pages?: (infer P)[] } ? P : never>;

/** An error of the server, or of reaching it. `type` is from a closed set, `hint` is the next step. */
export class SpyhopError extends Error {
  constructor(message: string, readonly type: string, readonly hint = '', readonly retryable = false, readonly status = 0) {
    super(message + (hint ? ` (${hint})` : ''));
    this.name = 'SpyhopError';
  }
}

export interface Options {
  /** URL of a server; the default is $SPYHOP_URL, else http://127.0.0.1:7749. */
  url?: string;
  /** A token of the server; the default is $SPYHOP_TOKEN. */
  token?: string;
}

export class Spyhop {
  /** The typed client of openapi-fetch, for every other path of the API. */
  readonly api: Client<paths>;
  readonly url: string;
  #server: Server | undefined;

  constructor(options: Options = {}, server?: Server) {
    this.url = (options.url ?? process.env.SPYHOP_URL ?? 'http://127.0.0.1:7749').replace(/\/+$/, '');
    const token = options.token ?? process.env.SPYHOP_TOKEN;
    this.api = createClient<paths>({ baseUrl: this.url, headers: token ? { Authorization: `Bearer ${token}` } : {} });
    this.#server = server;
  }

  /** Starts `spyhop serve` on a free port. close() stops it. */
  static async start(options: ServerOptions = {}): Promise<Spyhop> {
    const server = await startServer(options);
    return new Spyhop({ url: server.url }, server);
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }

  /** Fetches a page. */
  async fetch(url: string, options: FetchOptions = {}): Promise<Page> {
    return this.call('web_fetch', { ...options, url }) as Promise<Page>;
  }

  /** Searches the web. */
  async search(query: string, options: SearchOptions = {} as SearchOptions): Promise<SearchResults> {
    return this.call('web_search', { ...options, query }) as Promise<SearchResults>;
  }

  /** Lists the pages that a site names. */
  async map(url: string, options: MapOptions = {} as MapOptions): Promise<SiteMap> {
    return this.call('web_map', { ...options, url }) as Promise<SiteMap>;
  }

  /** Searches the pages fetched before. */
  async recall(query: string, options: RecallOptions = {} as RecallOptions): Promise<Recall> {
    return this.call('web_recall', { ...options, query }) as Promise<Recall>;
  }

  /** Calls any tool by name. */
  async call(tool: string, args: object): Promise<unknown> {
    return this.#send('POST', `/v1/tools/${encodeURIComponent(tool)}`, args);
  }

  /** Crawls a site and yields its pages as they come. */
  crawl(url: string, options: CrawlOptions = {} as CrawlOptions): AsyncGenerator<CrawlPage> {
    return this.#job('crawls', { ...options, url });
  }

  /** Fetches a list of URLs and yields the pages as they come. */
  batch(urls: string[], options: { render?: 'auto' | 'never' | 'always' } = {}): AsyncGenerator<CrawlPage> {
    return this.#job('batches', { ...options, urls });
  }

  async *#job(kind: 'crawls' | 'batches', body: object): AsyncGenerator<CrawlPage> {
    const { job } = await this.#send('POST', `/v1/${kind}`, body) as { job: string };
    for (let cursor = 0; ;) {
      const { state } = await this.#send('GET', `/v1/${kind}/${job}`) as { state: string };
      const part = await this.#send('GET', `/v1/${kind}/${job}/pages?cursor=${cursor}&limit=100`) as { pages?: CrawlPage[]; next?: number };
      yield* part.pages ?? [];
      cursor = part.next ?? cursor;
      if (!part.pages?.length) {
        if (state !== 'queued' && state !== 'running') return;
        await new Promise((done) => setTimeout(done, 300));
      }
    }
  }

  async #send(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
    const request = this.api.request as unknown as (method: string, path: string, init: object) => Promise<{ data?: unknown; error?: Problem; response: Response }>;
    let result;
    try {
      result = await request(method.toLowerCase(), path, body === undefined ? {} : { body });
    } catch (e) {
      if (e instanceof SyntaxError) throw new SpyhopError('the server did not respond with JSON', 'InternalError', 'is this the URL of spyhop serve?');
      throw new SpyhopError(`the server at ${this.url} cannot be reached: ${(e as Error).message}`, 'ConnectionError', 'start it with: spyhop serve', true);
    }
    const problem = result.error;
    if (problem !== undefined || !result.response.ok) {
      throw new SpyhopError(problem?.error_message ?? problem?.detail ?? `status ${result.response.status}`, problem?.error_type ?? 'InternalError',
        problem?.hint ?? '', problem?.retry_possible ?? false, result.response.status);
    }
    return result.data;
  }
}

interface Problem { error_message?: string; detail?: string; error_type?: string; hint?: string; retry_possible?: boolean }
