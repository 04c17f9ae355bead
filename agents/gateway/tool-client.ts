import type { Observation } from '../../logs/events.ts'
import type { GatewaySession } from './session.ts'

/** One search result. */
export type Hit = Extract<Observation, { kind: 'hits' }>['hits'][number]

/** The result of a tool call through a foreign API: an answer, or a failure with a message for the model. */
export type Answered<T> = { readonly answer: T } | { readonly failure: string }

/** A search request with its parameters as the client sent them. Null, absent or blank: the client did not set the value. */
export interface SearchAsked {
  readonly query: string
  /** From 1, as a number or a text. */
  readonly page: unknown
  readonly language: unknown
  readonly region: unknown
}

/** Searches as the tool web_search does. */
export async function search(
  session: GatewaySession,
  { query, page, language, region }: SearchAsked,
): Promise<Answered<readonly Hit[]>> {
  const values = {
    page: readCount(page),
    language: readChoice(language),
    region: readChoice(region),
  }
  const set = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
  const { outcome, text, artifact } = await session.callTool('web_search', { queries: [query], ...set })
  if (outcome !== 'answered') return { failure: text }
  return {
    answer: (artifact?.observations ?? []).flatMap(seen => (seen.kind === 'hits' ? seen.hits : [])),
  }
}

/** Reads a whole number from 1, written as a number or a text. Returns null for anything else. */
export function readCount(value: unknown): number | null {
  const count = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  return Number.isInteger(count) && count > 0 ? count : null
}

/** The words of services for no choice of a language or a country: Brave's `ALL`, SearXNG's `all` and `auto`. */
const noChoice = new Set(['', 'all', 'auto', 'any'])

function readChoice(value: unknown): string | null {
  const choice = typeof value === 'string' ? value.trim() : ''
  return noChoice.has(choice.toLowerCase()) ? null : choice
}

/** The most parts of a page that one request returns. Clients of reader APIs cannot ask for the next part. */
const mostParts = 20

/** Reads a page or a PDF as the tool fetch_page does, all of its parts. */
export async function readPage(session: GatewaySession, url: string): Promise<Answered<string>> {
  const texts: string[] = []
  for (let part = 1; part <= mostParts; part++) {
    const { outcome, text, artifact } = await session.callTool('fetch_page', {
      url,
      ...(part === 1 ? {} : { part }),
    })
    if (outcome !== 'answered') return part === 1 ? { failure: text } : { answer: texts.join('\n\n') }
    texts.push(text)
    const body = artifact?.observations.find(seen => seen.kind === 'body')
    if (body === undefined || Math.max(0, ...body.shown) >= body.total) break
  }
  return { answer: texts.join('\n\n') }
}
