import type { Observation } from '../../logs/event-parts.ts'
import { writeCanonicalUrl } from '../../src/text/canonical-url.ts'
import { isObject } from '../../src/text/json.ts'
import { textBody } from '../../tools/page/body-observation.ts'
import { toolKind } from '../../tools/registry.ts'
import type { ToolEnvironment } from '../../tools/tool.ts'
import { printResults } from '../../tools/web-search.ts'
import type { ResultChange, ToolResult } from './replayed-tools.ts'

/** A document that a fork gives to the agent. */
export interface GivenDocument {
  /** The address at which the agent can open it. */
  readonly url: string
  readonly title: string
  /** The part of its text that a page shows. */
  readonly passage: string
  /** The part of its text that a search result shows. */
  readonly excerpt: string
  /** Its whole text, by which the document is recognised. */
  readonly text: string
}

/** How much of a document is shown: in all, and around each line of evidence, in characters. */
interface PassageSize {
  readonly most: number
  readonly around: number
}
/** On a page. */
export const passageSize: PassageSize = { most: 8_000, around: 700 }
/** In a search result, which the search tool cuts at 2,000 characters. */
export const excerptSize: PassageSize = { most: 2_000, around: 250 }

/**
 * Returns the parts of a text around lines, or its beginning when it contains none of them. A short text is returned whole.
 *
 * @param lines lines of the text, or parts of lines
 */
export function cutPassage(text: string, lines: readonly string[], { most, around }: PassageSize): string {
  if (text.length <= most) return text
  const spans = lines
    .map(line => ({ at: text.indexOf(line), length: line.length }))
    .filter(({ at }) => at !== -1)
    .map(({ at, length }) => {
      // Whole lines, unless they are so long that the evidence would not fit.
      const before = Math.min(2 * around, Math.max(0, (most - length) / 2))
      const start = Math.max(text.lastIndexOf('\n', Math.max(0, at - around)) + 1, Math.ceil(at - before))
      return { start, end: endOfLine(text, Math.min(text.length, at + length + around), around) }
    })
    .sort((a, b) => a.start - b.start)
  if (spans.length === 0) return text.slice(0, most)
  const joined: { start: number; end: number }[] = []
  for (const span of spans) {
    const last = joined.at(-1)
    if (last !== undefined && span.start <= last.end) last.end = Math.max(last.end, span.end)
    else joined.push({ ...span })
  }
  return joined
    .map(({ start, end }) => text.slice(start, end))
    .join('\n[…]\n')
    .slice(0, most)
}

function endOfLine(text: string, from: number, most: number): number {
  const at = text.indexOf('\n', from)
  return Math.min(at === -1 ? text.length : at, from + most)
}

/**
 * Gives documents to the agent: as the first results of a search, or after the page that a fetch opened. Opening the address
 * of a given document shows its passage.
 *
 * @param callId the replayed call whose result is changed; null for the next search or fetch
 */
export function giveDocuments(
  documents: readonly GivenDocument[],
  callId: string | null,
): Required<ResultChange> {
  return {
    callId,
    change(tool, result, environment) {
      const kind = toolKind(tool)
      if (kind === 'search') return addHits(documents, result)
      return kind === 'fetch' ? addPages(documents, result, environment) : null
    },
    answer(tool, args, environment) {
      const url = isObject(args) && typeof args.url === 'string' ? writeCanonicalUrl(args.url) : null
      const document = documents.find(given => writeCanonicalUrl(given.url) === url)
      if (url === null || document === undefined || toolKind(tool) !== 'fetch') return null
      environment.charge('fetchCalls', document.url)
      return addPages([document], null, environment)
    },
  }
}

/** Puts documents before the results of a search. */
function addHits(documents: readonly GivenDocument[], result: ToolResult | null): ToolResult {
  const hits = documents.map(({ url, title, excerpt }) => ({
    url,
    title,
    snippet: excerpt,
    date: null,
    position: null,
  }))
  const observed = (result?.[1].observations ?? []).filter(({ kind }) => kind === 'hits') as Extract<
    Observation,
    { kind: 'hits' }
  >[]
  const [first, ...others] = observed.map(({ query, hits: found }) => ({
    query,
    hits: found.map(hit => ({ ...hit, date: hit.date ?? null })),
  }))
  return printResults([{ query: first?.query ?? '', hits: [...hits, ...(first?.hits ?? [])] }, ...others])
}

/** Puts documents after what a fetch showed, in the form of fetch_page. */
function addPages(
  documents: readonly GivenDocument[],
  result: ToolResult | null,
  { keepText }: ToolEnvironment,
): ToolResult {
  const pages = documents.map(
    ({ url, title, passage }) => `URL: ${url}\nTitle: ${title}\nPart 1 of 1\n\n${passage}`,
  )
  const bodies = documents.map(({ url, text }) => textBody(url, text, keepText))
  const [text, artifact] = result ?? ['', { truncated: false, observations: [] }]
  return [
    [text, ...pages].filter(part => part !== '').join('\n\n'),
    { truncated: artifact.truncated, observations: [...artifact.observations, ...bodies] },
  ]
}

/** Replaces the text of a tool result. What it showed is unknown. */
export function replaceResult(text: string, callId: string | null): ResultChange {
  return { callId, change: () => [text, { truncated: false, observations: [] }] }
}
