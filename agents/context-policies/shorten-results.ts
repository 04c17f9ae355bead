import type { Conversation } from '../conversation.ts'
import { listResults, type PlacedResult, type RemovedResult } from './removals.ts'

/** A request to shorten a conversation. */
interface ShortenRequest {
  readonly conversation: Conversation
  /** The most local tokens that the conversation may have. */
  readonly limitTokens: number
  /** The current model turn. Its results are shortened last. */
  readonly step: number
  /** Returns the text that tells the model how much of a result was kept. */
  readonly marker: (shownChars: number, chars: number) => string
}

/** The outcome of shortening a conversation. */
interface ShortenedConversation {
  readonly fits: boolean
  /** The shortened results, in the order in which they were first shortened. */
  readonly shortened: readonly RemovedResult[]
}

/** The characters that are left of results, by result, in the order in which they were first shortened. */
type KeptChars = Map<PlacedResult['result'], number>

/** The share of the limit to shorten to, so that the next turns need not shorten again. */
const targetShare = 0.85
const briefChars = 600
const briefestChars = 160
const minLatestChars = 1_500

/**
 * Shortens tool results until the conversation fits. Old results are shortened first: search results, then
 * documents that the agent has not quoted, then documents that it has quoted. Each group begins with its
 * oldest. Quoted lines are kept. The results of the latest turn are shortened last, to equal lengths. The
 * agent's own messages are never changed.
 */
export function shortenToolResults(request: ShortenRequest): ShortenedConversation {
  const { conversation, limitTokens, step } = request
  if (conversation.tokens() <= limitTokens) return { fits: true, shortened: [] }
  const goal = Math.floor(limitTokens * targetShare)
  const candidates = listResults(conversation)
  const old = candidates.filter(candidate => candidate.result.step < step)
  const latest = candidates.filter(candidate => candidate.result.step >= step)
  const keptByResult: KeptChars = new Map()
  const quotes = quotedTokens(conversation)
  for (const keptChars of [briefChars, briefestChars]) {
    for (const candidate of inCuttingOrder(old, quotes)) {
      if (conversation.tokens() <= goal) break
      shorten({ request, kept: keptByResult, quotes }, candidate, keptChars)
    }
  }
  cutLatest(request, latest, keptByResult)
  const shortened = [...keptByResult].map(([result, keptChars]) => ({ result, keptChars }))
  return { fits: conversation.tokens() <= limitTokens, shortened }
}

function inCuttingOrder(candidates: readonly PlacedResult[], quotes: ReadonlySet<string>): PlacedResult[] {
  const loss = (candidate: PlacedResult): number => {
    if (candidate.result.tool === 'web_search') return 0
    return quotedLines(candidate.result.fullText, quotes).length === 0 ? 1 : 2
  }
  const ranked = candidates.map((candidate, index) => ({ candidate, index, loss: loss(candidate) }))
  return ranked.sort((a, b) => a.loss - b.loss || a.index - b.index).map(({ candidate }) => candidate)
}

interface Shortening {
  readonly request: ShortenRequest
  readonly kept: KeptChars
  /** Numbers that the agent has quoted. */
  readonly quotes: ReadonlySet<string>
}

function shorten(
  { request, kept: keptByResult, quotes }: Shortening,
  candidate: PlacedResult,
  keptChars: number,
): void {
  const { fullText, tool } = candidate.result
  const head = cutText(fullText, keptChars)
  const lines = tool === 'web_search' ? [] : quotedLines(fullText.slice(head.length), quotes)
  show(request, keptByResult, candidate, [head, ...lines].join('\n'))
}

function cutLatest(request: ShortenRequest, latest: readonly PlacedResult[], keptByResult: KeptChars): void {
  const { conversation, limitTokens } = request
  let chars = Math.max(0, ...latest.map(({ part }) => part.text.length))
  while (latest.length > 0 && conversation.tokens() > limitTokens && chars > minLatestChars) {
    // Characters and tokens shrink roughly together, so the estimate is repeated until the conversation fits.
    const excess = conversation.tokens() - limitTokens
    const inResults = latest.reduce((sum, { part }) => sum + part.text.length, 0)
    const charsPerToken = Math.max(1, inResults / Math.max(1, conversation.tokens()))
    const target = Math.floor(((inResults - excess * charsPerToken) / latest.length) * targetShare)
    chars = Math.max(minLatestChars, Math.min(Math.floor(chars * targetShare), target))
    for (const candidate of latest)
      show(request, keptByResult, candidate, cutText(candidate.result.fullText, chars))
  }
}

/** Replaces the text of a result with the kept text and a marker, if that is shorter than the current text. */
function show(request: ShortenRequest, keptByResult: KeptChars, candidate: PlacedResult, left: string): void {
  const { fullText, wrap } = candidate.result
  const text = wrap(`${left}\n${request.marker(left.length, fullText.length)}`)
  if (text.length >= candidate.part.text.length) return
  request.conversation.rewrite(candidate.entry, candidate.part, text)
  keptByResult.set(candidate.result, left.length)
}

/**
 * Returns the numbers of at least four digits in the agent's messages and kept reasoning. They count as quotes from
 * documents.
 */
function quotedTokens(conversation: Conversation): Set<string> {
  const quoted = new Set<string>()
  for (const entry of conversation.entries) {
    if (entry.role !== 'assistant') continue
    for (const text of [entry.reasoning, ...entry.parts.map(part => part.text)])
      for (const number of findNumbers(text)) quoted.add(number)
  }
  return quoted
}

const maxQuotedLines = 40

function quotedLines(text: string, quotes: ReadonlySet<string>): string[] {
  if (quotes.size === 0) return []
  const lines = text.split('\n').filter(line => line.length <= 2_000)
  return lines.filter(line => findNumbers(line).some(number => quotes.has(number))).slice(0, maxQuotedLines)
}

function findNumbers(text: string): string[] {
  return (text.match(/\d[\d,.]*\d/g) ?? [])
    .map(number => number.replace(/[,.]/g, ''))
    .filter(number => number.length >= 4)
}

/** Returns the first characters, without splitting a surrogate pair. */
function cutText(text: string, chars: number): string {
  const end = /[\uD800-\uDBFF]/.test(text.charAt(chars - 1)) ? chars - 1 : chars
  return text.slice(0, end)
}
