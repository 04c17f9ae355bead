import type { Conversation, Entry, Part, ToolResult } from './conversation.ts'

/** The strategy's name in the trace. */
export const resultsStrategy = 'old-results-first'

export interface FitRequest {
  readonly conversation: Conversation
  /** Local tokens that the conversation may have. */
  readonly limitTokens: number
  /** The current model turn: results of this turn go last. */
  readonly step: number
  /** Says in a result's place what was kept of it. */
  readonly marker: (kept: number, chars: number) => string
}

export interface Fitted {
  readonly fits: boolean
  /** Results that show less than before, in the order they were cut. */
  readonly shortened: readonly ToolResult[]
}

interface Candidate {
  readonly entry: Entry
  readonly part: Part
  readonly result: ToolResult
}

/** Cut a little more than is needed, so that the next turns need not cut again. */
const slack = 0.85
const briefChars = 600
const briefestChars = 160
const latestLeastChars = 1_500

/**
 * Shortens tool results until the conversation fits, old ones first: search results, then documents that the agent has
 * quoted nothing from, then documents that it has (their quoted lines stay), each oldest first. The results of the latest
 * turn are cut last, to equal lengths, from their ends. What the agent itself wrote is never touched.
 */
export function fitResults(request: FitRequest): Fitted {
  const { conversation, limitTokens, step } = request
  if (conversation.tokens() <= limitTokens) return { fits: true, shortened: [] }
  const goal = Math.floor(limitTokens * slack)
  const candidates = candidatesOf(conversation)
  const old = candidates.filter(candidate => candidate.result.step < step)
  const latest = candidates.filter(candidate => candidate.result.step >= step)
  const shortened: ToolResult[] = []
  const quotes = quotedTokens(conversation)
  for (const keptChars of [briefChars, briefestChars]) {
    for (const candidate of inOrderOfLoss(old, quotes)) {
      if (conversation.tokens() <= goal) break
      if (shorten(request, candidate, keptChars, quotes)) shortened.push(candidate.result)
    }
  }
  cutLatest(request, latest, shortened)
  const fits = conversation.tokens() <= limitTokens
  return { fits, shortened: [...new Set(shortened)] }
}

function candidatesOf(conversation: Conversation): Candidate[] {
  return conversation.entries.flatMap(entry =>
    entry.parts.flatMap(part => (part.result === null ? [] : [{ entry, part, result: part.result }])),
  )
}

function inOrderOfLoss(candidates: readonly Candidate[], quotes: ReadonlySet<string>): Candidate[] {
  const loss = (candidate: Candidate): number => {
    if (candidate.result.tool === 'web_search') return 0
    return quotedLines(candidate.result.fullText, quotes).length === 0 ? 1 : 2
  }
  const ranked = candidates.map((candidate, index) => ({ candidate, index, loss: loss(candidate) }))
  return ranked.sort((a, b) => a.loss - b.loss || a.index - b.index).map(({ candidate }) => candidate)
}

function shorten(
  request: FitRequest,
  candidate: Candidate,
  keptChars: number,
  quotes: ReadonlySet<string>,
): boolean {
  const { fullText, tool } = candidate.result
  const head = startOf(fullText, keptChars)
  const lines = tool === 'web_search' ? [] : quotedLines(fullText.slice(head.length), quotes)
  const kept = [head, ...lines].join('\n')
  return show(request, candidate, kept)
}

function cutLatest(request: FitRequest, latest: readonly Candidate[], shortened: ToolResult[]): void {
  const { conversation, limitTokens } = request
  let chars = Math.max(0, ...latest.map(({ part }) => part.text.length))
  while (latest.length > 0 && conversation.tokens() > limitTokens && chars > latestLeastChars) {
    // Characters and tokens shrink together: aim at the share that is missing, and look again.
    const excess = conversation.tokens() - limitTokens
    const inResults = latest.reduce((sum, { part }) => sum + part.text.length, 0)
    const charsAToken = Math.max(1, inResults / Math.max(1, conversation.tokens()))
    const target = Math.floor(((inResults - excess * charsAToken) / latest.length) * slack)
    chars = Math.max(latestLeastChars, Math.min(Math.floor(chars * slack), target))
    for (const candidate of latest)
      if (show(request, candidate, startOf(candidate.result.fullText, chars)))
        shortened.push(candidate.result)
  }
}

/** Puts the kept text with its marker in place, where that is shorter than what is there. */
function show(request: FitRequest, candidate: Candidate, kept: string): boolean {
  const { fullText, wrap } = candidate.result
  const text = wrap(`${kept}\n${request.marker(kept.length, fullText.length)}`)
  if (text.length >= candidate.part.text.length) return false
  request.conversation.rewrite(candidate.entry, candidate.part, text)
  return true
}

/** Numbers of four digits and more that the agent wrote: what it quotes from documents. */
function quotedTokens(conversation: Conversation): Set<string> {
  const quoted = new Set<string>()
  for (const entry of conversation.entries) {
    if (entry.role !== 'assistant') continue
    for (const part of entry.parts) for (const number of numbersIn(part.text)) quoted.add(number)
  }
  return quoted
}

const mostQuotedLines = 40

function quotedLines(text: string, quotes: ReadonlySet<string>): string[] {
  if (quotes.size === 0) return []
  const lines = text.split('\n').filter(line => line.length <= 2_000)
  return lines.filter(line => numbersIn(line).some(number => quotes.has(number))).slice(0, mostQuotedLines)
}

function numbersIn(text: string): string[] {
  return (text.match(/\d[\d,.]*\d/g) ?? [])
    .map(number => number.replace(/[,.]/g, ''))
    .filter(number => number.length >= 4)
}

/** The first characters, not ending inside a surrogate pair. */
function startOf(text: string, chars: number): string {
  const end = /[\uD800-\uDBFF]/.test(text.charAt(chars - 1)) ? chars - 1 : chars
  return text.slice(0, end)
}
