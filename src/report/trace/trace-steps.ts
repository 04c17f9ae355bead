import type { StoredText } from '../../../logs/event-parts.ts'
import type { EventOf, TraceEvent } from '../../../logs/events.ts'
import { elapsedTimes } from '../../core/runtime.ts'
import { isObject } from '../../text/json.ts'
import { clipText } from '../../text/plain-text.ts'
import { formatCompactCount, formatSeconds } from '../tables/value-text.ts'

/** Longer texts are cut. The trace file has the whole text. */
export const longestTextChars = { inlined: 3000, served: 50_000 } as const

/** Returns a stored text by its hash, or null when its file is missing. */
export type BlobText = (hash: string) => string | null

/** Where the texts of a step come from, and which part of each is kept. */
interface TextSource {
  readonly blob: BlobText
  /** How many characters are kept from the beginning. */
  readonly longest: number
  /** Lines that are kept wherever they are, with the text around them. */
  readonly lines: readonly string[]
}

type Block = TraceStep['blocks'][number]

const [charsBeforeLine, charsAfterLine] = [600, 300]

/** Cuts a long text, except for the lines that are kept and the text around them. */
function shorten(text: string, { longest, lines }: TextSource): string {
  if (text.length <= longest) return text
  const ranges: [start: number, end: number][] = [[0, longest]]
  const places = lines.map(line => text.indexOf(line)).filter(at => at >= longest - charsAfterLine)
  for (const at of places.sort((a, b) => a - b)) {
    const [start, end] = [at - charsBeforeLine, Math.min(text.length, at + charsAfterLine)]
    const last = ranges.at(-1)!
    if (start <= last[1]) last[1] = Math.max(last[1], end)
    else ranges.push([start, end])
  }
  const parts = ranges.map(([start, end], at) => {
    const left = start - (ranges[at - 1]?.[1] ?? 0)
    return `${left > 0 ? `\n… ${left} characters left out …\n` : ''}${text.slice(start, end)}`
  })
  const rest = text.length - ranges.at(-1)![1]
  return `${parts.join('')}${rest === 0 ? '' : `\n… ${rest} more characters in the trace files`}`
}

function makeTextBlock(label: string, stored: StoredText, source: TextSource): Block[] {
  const text =
    'text' in stored ? stored.text : (source.blob(stored.blob) ?? `(text ${stored.blob} is missing)`)
  return text === '' ? [] : [{ label, text: shorten(text, source) }]
}

function makeDataBlock(label: string, data: unknown, source: TextSource): Block[] {
  return [{ label, text: shorten(JSON.stringify(data, null, 2) ?? '', source) }]
}

/** Says in one line what a call asks for: its queries or its address with the further inputs, else the whole input. */
function formatBrief(args: unknown): string {
  const text = isObject(args)
    ? Object.entries(args)
        .map(([name, value]) =>
          isMainInput(name) ? formatBriefValue(value) : `${name} ${formatBriefValue(value)}`,
        )
        .join(', ')
    : (JSON.stringify(args) ?? '')
  return clipText(text, 120, 119)
}

function readFirstTextLine(text: string): string {
  const [line = ''] = text.split('\n', 1)
  return clipText(line, 160, 159)
}

const isMainInput = (name: string): boolean => /^(?:url|quer(?:y|ies)|q)$/.test(name)

function formatBriefValue(value: unknown): string {
  if (typeof value === 'string') return /^https?:/.test(value) ? value : `“${value}”`
  return Array.isArray(value) ? value.map(formatBriefValue).join(', ') : (JSON.stringify(value) ?? '')
}

/** Counts repeated names: `read_pdf × 12, web_search`. */
function countNames(names: readonly string[]): string {
  return [...new Set(names)]
    .map(name => {
      const times = names.filter(candidate => candidate === name).length
      return times === 1 ? name : `${name} × ${times}`
    })
    .join(', ')
}

interface StepText {
  readonly title: string
  readonly facts?: string
  readonly blocks?: readonly Block[]
}

function searchText(event: EventOf<'tool-answered'>): Block[] {
  return event.observations.flatMap(observation =>
    observation.kind === 'hits'
      ? [
          {
            label: `results for “${observation.query}”`,
            text: observation.hits.map(hit => `${hit.title}\n  ${hit.url}`).join('\n'),
          },
        ]
      : [
          {
            label: 'page',
            text: `${observation.finalUrl}\n${observation.contentType}, ${observation.bytes} bytes, parts shown: ${observation.shown.join(', ')} of ${observation.total}`,
          },
        ],
  )
}

/** Says in a few words what a tool showed: the hits of a query, or the page with its type, size and parts. */
function formatSeen(observation: EventOf<'tool-answered'>['observations'][number]): string {
  if (observation.kind === 'hits')
    return `${observation.hits.length} ${observation.hits.length === 1 ? 'hit' : 'hits'} for “${observation.query}”`
  const parts =
    observation.shown.length === 0
      ? 'nothing shown'
      : `${observation.shown.join(', ')} of ${observation.total} shown`
  return `${observation.finalUrl} (${observation.contentType}, ${formatCompactCount(observation.bytes)} bytes, ${parts})`
}

/** The title that a page tool writes above the text of the page; '' when there is none. */
function writePageTitle(event: EventOf<'tool-answered'>, { blob }: TextSource): string {
  const text = 'text' in event.text ? event.text.text : (blob(event.text.blob) ?? '')
  const title = /^Title: (.{1,200})$/m.exec(text.slice(0, 2000))?.[1]
  return title === undefined || event.observations.every(({ kind }) => kind === 'hits') ? '' : `“${title}”`
}

function describeModelStep(event: EventOf<'model-answered'>, source: TextSource): StepText {
  const { usage } = event
  const calls = event.toolCalls.map(call => call.name)
  return {
    title: calls.length === 0 ? 'model answered' : `model calls ${countNames(calls)}`,
    facts: `${formatCompactCount(usage?.inputTokens ?? null)} in, ${formatCompactCount(usage?.outputTokens ?? null)} out, ${formatSeconds(event.wallMs)} s, ${event.finishReason}`,
    blocks: [
      ...(event.reasoning === null ? [] : makeTextBlock('reasoning', event.reasoning, source)),
      ...makeTextBlock('text', event.text, source),
      ...event.toolCalls.flatMap(call => makeDataBlock(call.name, call.args, source)),
      ...event.malformedCalls.flatMap(call => [
        {
          label: `malformed call of ${call.name}: ${call.problem}`,
          text: shorten(call.args, source),
        },
      ]),
    ],
  }
}

function describe(event: TraceEvent, source: TextSource): StepText {
  switch (event.type) {
    case 'attempt-started':
      return { title: 'attempt started', blocks: makeDataBlock('caps', event.caps, source) }
    case 'forked':
      return {
        title: `forked from ${event.source} at step ${event.atStep}`,
        facts: event.atStep > 1 ? `the steps before it are replayed` : '',
      }
    case 'model-called':
      return {
        title: `asked the model${event.side === undefined ? '' : ` for ${event.side}`} (${event.messages.length} new messages)`,
        facts: event.tools.join(', '),
        blocks: event.messages.flatMap(message => makeTextBlock(message.role, message.content, source)),
      }
    case 'model-answered':
      return describeModelStep(event, source)
    case 'calls-left-in-text':
      return {
        title: `the server left ${event.calls + event.unread} tool calls in the text`,
        facts: [...event.forms, ...(event.unread > 0 ? [`${event.unread} not read`] : [])].join(', '),
      }
    case 'tool-called':
    case 'tool-answered':
    case 'tool-failed':
      return describeToolStep(event, source)
    case 'budget-charged':
    case 'budget-refused':
    case 'budget-overrun':
      return describeBudget(event)
    case 'context-cut':
      return describeContextCut(event, source)
    case 'provider-retried':
      return {
        title: `${event.what}: retry ${event.retry} after ${event.reason}`,
        facts: `waited ${formatSeconds(event.waitMs)} s`,
      }
    case 'leak-found':
      return {
        title: `leak: ${event.how}`,
        facts: event.url ?? '',
        blocks: [{ label: '', text: event.detail }],
      }
    case 'page-read-for-goal':
      return {
        title: `${event.model} read a page for a goal`,
        facts: event.problem ?? event.url,
        blocks: [{ label: 'goal', text: event.goal }, ...makeTextBlock('answer', event.answer, source)],
      }
    case 'checkpoint':
      return {
        title: `checkpoint at ${formatCompactCount(event.tokens)} tokens`,
        blocks: makeTextBlock('best table so far', event.answer, source),
      }
    case 'answer-parsed':
      return {
        title: `answer read: ${event.parseStatus}`,
        ...(event.rows === null ? {} : { facts: `${event.rows} rows` }),
      }
    case 'agent-output':
      return {
        title: `the agent wrote to ${event.stream}`,
        blocks: makeTextBlock(event.stream, event.text, source),
      }
    case 'agent-exited':
      return {
        title: 'the agent ended',
        facts: event.signal === null ? `exit code ${event.exitCode}` : `killed by ${event.signal}`,
      }
    case 'terminated':
      return {
        title: `ended: ${event.termination.cause} / ${event.termination.reason}`,
        blocks: event.termination.detail === null ? [] : [{ label: '', text: event.termination.detail }],
      }
    default:
      return event satisfies never
  }
}

function describeToolStep(
  event: EventOf<'tool-called' | 'tool-answered' | 'tool-failed'>,
  source: TextSource,
): StepText {
  switch (event.type) {
    case 'tool-called':
      return {
        title: `${event.tool} called`,
        facts: formatBrief(event.args),
        blocks: makeDataBlock('input', event.args, source),
      }
    case 'tool-answered':
      return {
        title: `${event.tool} answered${event.truncated ? ' (cut)' : ''}`,
        facts: [
          writePageTitle(event, source),
          ...event.observations.map(formatSeen),
          `${formatSeconds(event.wallMs)} s`,
        ]
          .filter(fact => fact !== '')
          .join(', '),
        blocks: [...searchText(event), ...makeTextBlock('shown to the agent', event.text, source)],
      }
    case 'tool-failed':
      return {
        title: `${event.tool} failed: ${event.errorClass}`,
        facts: `${readFirstTextLine(event.message)}, ${formatSeconds(event.wallMs)} s${event.infrastructure ? ', infrastructure' : ''}`,
        blocks: [{ label: '', text: shorten(event.message, source) }],
      }
    default:
      return event satisfies never
  }
}

function describeContextCut(event: EventOf<'context-cut'>, source: TextSource): StepText {
  const { strategy, documents, shortened, removed, removedMessages = [] } = event
  const results = removed?.map(
    ({ step, tool, url, chars, keptChars }) =>
      `step ${step}: ${tool}${url === null ? '' : ` ${url}`}, ${keptChars} of ${chars} characters left`,
  )
  return {
    title: `context cut: ${strategy}`,
    facts: [
      ...(shortened.length === 0 ? [] : [`${shortened.length} results`]),
      ...(removedMessages.length === 0 ? [] : [`${removedMessages.length} messages removed`]),
    ].join(', '),
    blocks: [
      ...(documents.length === 0 ? [] : makeDataBlock('documents', documents, source)),
      ...(results === undefined || results.length === 0
        ? []
        : [{ label: 'results', text: shorten(results.join('\n'), source) }]),
    ],
  }
}

function describeBudget(event: EventOf<'budget-charged' | 'budget-refused' | 'budget-overrun'>): StepText {
  switch (event.type) {
    case 'budget-charged':
      return {
        title: `charged ${event.amount} ${event.kind}`,
        facts: `${event.total} so far, for ${event.what}`,
      }
    case 'budget-refused':
      return {
        title: `refused ${event.what}`,
        facts: `${event.kind}: ${event.asked} asked, ${event.left} left`,
      }
    case 'budget-overrun':
      return {
        title: `billed beyond the reservation: ${event.kind}`,
        facts: `${event.reserved} reserved, ${event.billed} billed`,
      }
    default:
      return event satisfies never
  }
}

/**
 * Describes the events of a trace for the report. Budget charges are left out, because the totals contain them.
 *
 * @param kept - What is kept of long texts.
 */
export function traceSteps(
  events: readonly TraceEvent[],
  blob: BlobText,
  { longest = longestTextChars.served, lines = [] }: KeptText = {},
): TraceStep[] {
  const source = { blob, longest, lines }
  const elapsed = elapsedTimes(events.map(event => event.at))
  const results = new Map<number, number>()
  let tokens = 0
  return events.flatMap((event, index) => {
    if (event.type === 'budget-charged') {
      if (event.kind === 'tokens') tokens = event.total
      return []
    }
    const { title, facts = '', blocks = [] } = describe(event, source)
    const endMs = elapsed[index]!
    const startMs = Math.max(0, endMs - measureDuration(event))
    const { seq, step, type } = event
    const result = isResult(event) ? (results.get(step) ?? 0) : null
    if (result !== null) results.set(step, result + 1)
    return [
      {
        ...{ seq, step, type, title, facts, blocks, kind: stepKind(event), startMs, endMs, tokens },
        ...(result === null ? {} : { result }),
        ...(event.type === 'context-cut' ? { cutSteps: event.removed?.map(part => part.step) ?? [] } : {}),
      },
    ]
  })
}

/** What is kept of long texts. */
interface KeptText {
  /** This many characters from the beginning. */
  readonly longest?: number
  /** These lines wherever they are, with the text around them. */
  readonly lines?: readonly string[]
}

/** Whether an event is a tool result in the sense of `PlacedEvidence.result`. */
function isResult(event: TraceEvent): boolean {
  return event.type === 'tool-answered' || (event.type === 'tool-failed' && event.observations !== undefined)
}

/** Returns the milliseconds that an event took. It is written when it ends. */
function measureDuration(event: TraceEvent): number {
  return ('wallMs' in event ? event.wallMs : 'waitMs' in event ? event.waitMs : undefined) ?? 0
}

function stepKind(event: TraceEvent): TraceStep['kind'] {
  switch (event.type) {
    case 'model-called':
    case 'model-answered':
    case 'page-read-for-goal':
    case 'checkpoint':
      return 'model'
    case 'tool-called':
    case 'tool-answered':
    case 'tool-failed':
      return /search/.test(event.tool) ? 'search' : 'fetch'
    case 'provider-retried':
      return 'wait'
    default:
      return 'other'
  }
}

/** A trace, described for a reader. */
export interface ShownTrace {
  /** The most tokens that the attempt could spend; null for no limit. */
  readonly tokenCap: number | null
  readonly steps: readonly TraceStep[]
}

/** Describes a trace for the report. */
export function makeShownTrace(
  events: readonly TraceEvent[],
  blob: BlobText,
  keptText: KeptText = {},
): ShownTrace {
  const start = events.find(event => event.type === 'attempt-started')
  return { tokenCap: start?.caps.tokens ?? null, steps: traceSteps(events, blob, keptText) }
}

/** One event of a trace, described for a reader. */
export interface TraceStep {
  readonly seq: number
  readonly step: number
  readonly type: TraceEvent['type']
  /** Which tool result of its turn it is, from 0. Absent for other events. */
  readonly result?: number
  /** Context cuts only: the turns whose tool results were removed. */
  readonly cutSteps?: readonly number[]
  /** One line: what happened. */
  readonly title: string
  /** Tokens and time. */
  readonly facts: string
  readonly blocks: readonly { readonly label: string; readonly text: string }[]
  /** What the time of the event was spent on. `fetch` includes all tools other than searches. */
  readonly kind: 'model' | 'search' | 'fetch' | 'wait' | 'other'
  /** Milliseconds since the attempt began. */
  readonly startMs: number
  readonly endMs: number
  /** The tokens charged to the budget before this event. */
  readonly tokens: number
}
