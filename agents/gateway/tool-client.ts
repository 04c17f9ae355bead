import type { Observation } from '../../logs/events.ts'
import type { GatewaySession } from './session.ts'

/** One search result. */
export type Hit = Extract<Observation, { kind: 'hits' }>['hits'][number]

/** The result of a tool call through a foreign API: an answer, or a failure with a message for the model. */
export type Answered<T> = { readonly answer: T } | { readonly failure: string }

/** A search request. Null: the client did not set the value. */
export interface SearchAsked {
  readonly query: string
  /** From 1. */
  readonly page: number | null
  readonly language: string | null
  readonly region: string | null
}

/** Searches as the tool web_search does. */
export async function search(
  session: GatewaySession,
  { query, ...rest }: SearchAsked,
): Promise<Answered<readonly Hit[]>> {
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null))
  const { outcome, text, artifact } = await session.callTool('web_search', { queries: [query], ...given })
  if (outcome !== 'answered') return { failure: text }
  return {
    answer: (artifact?.observations ?? []).flatMap(seen => (seen.kind === 'hits' ? seen.hits : [])),
  }
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
