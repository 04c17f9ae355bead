import { z } from 'zod/v4'
import type { Observation } from '../logs/event-parts.ts'
import { BudgetRefusedError, ProviderError, ToolError } from '../src/core/errors.ts'
import { defaultRetry, withRetry } from '../src/system/retry.ts'
import { isServerMissing } from '../src/system/service-failures.ts'
import { writeCanonicalUrl } from '../src/text/canonical-url.ts'
import { clipText, joinToOneLine } from '../src/text/plain-text.ts'
import { langChainTool } from './langchain-tool.ts'
import { type SearchLocale, searchLocale } from './search/locale.ts'
import type {
  SearchAnswer,
  SearchHit,
  SearchProvider,
  SearchRequest,
  ServiceCall,
} from './search/provider.ts'
import type { ToolArtifact, ToolEnvironment, ToolFactory } from './tool.ts'

const retries = 3
const serviceTimeoutMs = 30_000
const maxAnswerBytes = 10_000_000
/** Keeps an answer well below 100,000 characters, headers and the last note included. */
const maxTextChars = 90_000
const maxSnippetChars = 2_000
const maxUrlChars = 4_000
const maxDateChars = 100

const schema = z.object({
  queries: z
    .array(z.string().trim().min(1).max(2_000))
    .min(1)
    .max(5)
    .describe('One to five search queries. Each query counts as one search.'),
  page: z.int().min(1).max(100).nullish().describe('Page of results, starting at 1.'),
  language: z
    .string()
    .trim()
    .min(2)
    .max(10)
    .nullish()
    .describe('Language of the results, such as en or zh-cn.'),
  region: z.string().trim().length(2).nullish().describe('Country of the search, such as us or cn.'),
})

/** A query with its hits. */
export interface AnsweredQuery {
  readonly query: string
  /** Null when the query was not sent because the budget did not cover it. */
  readonly hits: readonly SearchHit[] | null
  /** Why the empty result does not mean that the web has none. Absent otherwise. */
  readonly failure?: string
}

/** web_search returns the hits of the search service for up to five queries, each hit once. */
export const createWebSearch: ToolFactory = environment =>
  langChainTool({
    name: 'web_search',
    description:
      'Searches the web. Returns titles, URLs and snippets for each query. Open a result with fetch_page or read_pdf.',
    schema,
    run: async input => await sendSearches(input, environment),
  })

/**
 * Sends queries to the environment's search service and returns the hits as text. Each query is charged as one search.
 */
async function sendSearches(
  input: { readonly queries: readonly string[] } & Partial<z.output<typeof schema>>,
  environment: ToolEnvironment,
): Promise<[string, ToolArtifact]> {
  throwIfPageBeyondLast(input.page ?? 1, environment.search)
  const answered = await sendQueries([...new Set(input.queries)], environment, query => ({
    query,
    page: input.page ?? 1,
    ...callLocale(input, environment),
  }))
  throwIfSearchEnginesFailed(answered)
  return printResults(answered)
}

/** Returns the language and region of the call, and those of the question when the call names neither. */
function callLocale(
  call: { readonly language?: string | null | undefined; readonly region?: string | null | undefined },
  { questionLanguage }: ToolEnvironment,
): SearchLocale {
  const isGiven = (call.language ?? call.region ?? null) !== null
  const { language, region } = isGiven ? { language: null, region: null } : searchLocale(questionLanguage)
  return { language: call.language ?? language, region: call.region ?? region }
}

/** Rejects the page before anything is charged, because nothing would be sent. */
function throwIfPageBeyondLast(page: number, { name, pages }: SearchProvider): void {
  if (pages === undefined || page <= pages) return
  const has = pages === 1 ? 'one page' : `${pages} pages`
  throw new ToolError('bad-input', `${name} returns only ${has} of results. Send another query.`)
}

/** Throws when no engine answered any query. Such a search failed; it does not show that the web has no results. */
function throwIfSearchEnginesFailed(answered: readonly AnsweredQuery[]): void {
  const failedAnswer = answered.find(({ failure }) => failure !== undefined)
  if (failedAnswer?.failure === undefined || answered.some(({ hits }) => (hits ?? []).length > 0)) return
  throw new ToolError('network', failedAnswer.failure, { infrastructure: true })
}

/** Sends the queries one after another. When the budget is used up, earlier results are kept. */
async function sendQueries(
  queries: readonly string[],
  environment: ToolEnvironment,
  requestFor: (query: string) => SearchRequest,
): Promise<AnsweredQuery[]> {
  const answered: AnsweredQuery[] = []
  for (const query of queries) {
    try {
      const { hits, failure } = await sendQuery(requestFor(query), environment)
      answered.push({ query, hits, ...(failure !== undefined && { failure }) })
    } catch (error) {
      if (!(error instanceof BudgetRefusedError) || answered.length === 0) throw error
      answered.push({ query, hits: null })
    }
  }
  return answered
}

async function sendQuery(request: SearchRequest, environment: ToolEnvironment): Promise<SearchAnswer> {
  const call = serviceCall(environment)
  const what = `search: ${request.query}`
  return await withRetry(
    async () => {
      environment.charge('searchCalls', what)
      return throwIfWithoutAddresses(await environment.search.search(request, call), environment.search)
    },
    {
      ...defaultRetry,
      retries,
      clock: environment.clock,
      signal: environment.signal,
      onRetry: (error, retry, waitMs) =>
        environment.retried(
          what,
          error instanceof ProviderError ? error.reason : error.message,
          retry,
          waitMs,
        ),
    },
  )
}

/** Throws when results came and none has an address: the service's answers have another form than ours. */
function throwIfWithoutAddresses(answer: SearchAnswer, { name }: SearchProvider): SearchAnswer {
  if (answer.hits.length === 0 || answer.hits.some(({ url }) => url.trim() !== '')) return answer
  const what = `${answer.hits.length} results of ${name} have no address`
  throw new ProviderError('bad-response', what, { retryable: true })
}

/** Turns a search service that cannot be reached into a failure of the provider rather than an observation. */
function serviceCall(environment: ToolEnvironment): ServiceCall {
  return async (method, url, headers, body) => {
    try {
      return await environment.transport.send(
        {
          method,
          url,
          headers,
          body,
          purpose: 'service',
          maxBytes: maxAnswerBytes,
          timeoutMs: serviceTimeoutMs,
          maxRedirects: 0,
        },
        environment.signal,
      )
    } catch (error) {
      throw error instanceof ToolError ? asProviderError(error, environment.search.name) : error
    }
  }
}

function asProviderError(error: ToolError, service: string): Error {
  const message = `search service ${service}: ${error.message}`
  if (error.errorClass === 'timeout')
    return new ProviderError('timeout', message, { retryable: true, cause: error })
  if (error.errorClass === 'network')
    return new ProviderError('unavailable', message, {
      retryable: true,
      fatalService: isServerMissing(message) ? service : null,
      cause: error,
    })
  if (error.errorClass === 'too-large')
    return new ProviderError('bad-response', message, { retryable: false, cause: error })
  return error
}

/** Prints the hits, numbered across all queries. A page found by several queries is printed at its first place. */
export function printResults(answered: readonly AnsweredQuery[]): [string, ToolArtifact] {
  const printedKeys = new Set<string>()
  const blocks: string[] = []
  const observations: Observation[] = []
  let number = 0
  let chars = 0
  let leftOut = 0
  for (const { query, hits, failure } of answered) {
    const printed: SearchHit[] = []
    const lines: string[] = []
    let links = 0
    for (const hit of hits ?? []) {
      const key = writeCanonicalUrl(hit.url)
      if (key === null || hit.url.length > maxUrlChars) continue
      links += 1
      if (printedKeys.has(key)) continue
      printedKeys.add(key)
      const entry = printHit(hit, number + 1)
      if (chars + entry.length > maxTextChars) {
        leftOut += 1
        continue
      }
      number += 1
      chars += entry.length
      printed.push(hit)
      lines.push(entry)
    }
    blocks.push(
      failure === undefined ? printQuery(query, lines, hits === null ? null : links) : `${failure}.`,
    )
    if (hits !== null) observations.push(recordHits(query, printed))
  }
  if (leftOut > 0)
    blocks.push(
      `[${leftOut} more results left out because the answer is too long: send fewer queries at once]`,
    )
  return [blocks.join('\n\n'), { truncated: leftOut > 0, observations }]
}

function printQuery(query: string, lines: readonly string[], links: number | null): string {
  const quoted = `"${clipText(joinToOneLine(query), 2_000)}"`
  if (links === null) return `Not searched: ${quoted}. There are no searches left.`
  if (links === 0) return `No results for ${quoted}.`
  return [
    `Results for ${quoted}:`,
    ...(lines.length === 0 ? ['   (all of them are listed above)'] : lines),
  ].join('\n')
}

function printHit(hit: SearchHit, number: number): string {
  const title = clipText(joinToOneLine(hit.title), 300)
  const snippet = clipText(joinToOneLine(hit.snippet), maxSnippetChars)
  const date = clipText(joinToOneLine(hit.date ?? ''), maxDateChars)
  return [
    `${number}. ${title === '' ? '(no title)' : title}`,
    `   URL: ${hit.url.trim()}`,
    ...(date === '' ? [] : [`   Date: ${date}`]),
    ...(snippet === '' ? [] : [`   ${snippet}`]),
  ].join('\n')
}

function recordHits(query: string, hits: readonly SearchHit[]): Observation {
  return {
    kind: 'hits',
    query,
    hits: hits.map(({ url, title, snippet, position, date = null }) => ({
      url: url.trim(),
      title,
      snippet,
      position: position !== null && Number.isInteger(position) ? position : null,
      ...(date === null ? {} : { date }),
    })),
  }
}

const scholarSchema = z.object({
  queries: z
    .array(z.string().trim().min(1).max(2_000))
    .min(1)
    .max(5)
    .describe('One to five search queries, such as titles or authors. Each query counts as one search.'),
  page: z.int().min(1).max(100).nullish().describe('Page of results, starting at 1.'),
})

/** scholar_search returns papers from Google Scholar, through Serper. A sealed web searches its own documents. */
export const createScholarSearch: ToolFactory = environment =>
  langChainTool({
    name: 'scholar_search',
    description:
      'Searches for scientific papers. Returns titles, URLs, authors, years and snippets for each query. Open a result with fetch_page or read_pdf.',
    schema: scholarSchema,
    async run({ queries, page }) {
      const { scholar = null } = environment
      if (scholar === null)
        throw new ToolError('bad-input', 'scholar_search is not available on this web. Use web_search.')
      return await sendSearches({ queries, page }, { ...environment, search: scholar })
    },
  })
