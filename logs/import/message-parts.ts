import { z } from 'zod/v4'
import type { ForeignCall } from './foreign-log.ts'

/**
 * A count written by another program. An invalid value (negative, fractional or text) is treated as unknown; the
 * record is kept.
 */
export const countOrUnknown = z.int().min(0).nullish().catch(null)

/** A text written by another program. An invalid value is treated as unknown. */
export const optionalText = z.string().nullish().catch(null)

/** An id written by another program. */
export const optionalId = z.union([z.string(), z.number()]).nullish()

/** One part of a message's content: text, reasoning, or a container of further parts. */
const partSchema = z.looseObject({
  type: optionalText,
  text: optionalText,
  reasoning: optionalText,
  thinking: optionalText,
  content: z.unknown().optional(),
  /** ATIF: the file of an image or a recording. */
  source: z.looseObject({ path: z.string() }).nullish().catch(null),
})

interface Content {
  readonly text: string
  /** Null when the message has no reasoning. */
  readonly reasoning: string | null
}

function joinTexts(texts: readonly string[]): string | null {
  return texts.length === 0 ? null : texts.join('\n')
}

/**
 * Returns the text and the reasoning of a message's content: a string, a part, or lists of both. Other parts are
 * replaced by their type, and by the name of their file when they have one.
 */
export function readContent(content: unknown): Content {
  if (content === null || content === undefined) return { text: '', reasoning: null }
  if (typeof content === 'string') return { text: content, reasoning: null }
  if (Array.isArray(content)) {
    const parts = (content as unknown[]).map(readContent)
    const thoughts = parts.flatMap(part => part.reasoning ?? [])
    const textParts = parts.filter(part => part.text !== '' || part.reasoning === null)
    return { text: joinTexts(textParts.map(part => part.text)) ?? '', reasoning: joinTexts(thoughts) }
  }
  const part = partSchema.safeParse(content)
  if (!part.success) return { text: JSON.stringify(content), reasoning: null }
  const { type, text, reasoning, thinking, content: inner, source } = part.data
  const name = type ?? 'a part without text'
  const thought = reasoning || thinking || null
  if (thought !== null) return { text: text ?? '', reasoning: thought }
  if (text !== null && text !== undefined) return { text, reasoning: null }
  if (reasoning === '' || thinking === '') return { text: '', reasoning: null }
  return inner === undefined || inner === null
    ? { text: source ? `[${name}: ${source.path}]` : `[${name}]`, reasoning: null }
    : readContent(inner)
}

/** Returns an id as text; null for a missing id. */
export function readId(id: string | number | null | undefined): string | null {
  return id === null || id === undefined ? null : String(id)
}

/** Returns any value as text; null for a missing value. */
export function readText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  return typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : readContent(value).text
}

/** Returns the arguments of a call: objects unchanged, JSON text parsed, other text unchanged. */
export function readArguments(args: unknown): unknown {
  if (typeof args !== 'string') return args ?? {}
  try {
    return JSON.parse(args)
  } catch (error) {
    if (error instanceof SyntaxError) return args
    throw error
  }
}

/**
 * A tool call as the OpenAI API writes it (`function: { name, arguments }`) or as Inspect AI does (`function`,
 * `arguments`).
 */
export const callSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).nullish().catch(null),
  name: optionalText,
  function: z
    .union([z.string(), z.looseObject({ name: optionalText, arguments: z.unknown().optional() })])
    .nullish()
    .catch(null),
  arguments: z.unknown().optional(),
  args: z.unknown().optional(),
  /** Inspect AI: why the arguments could not be parsed. */
  parse_error: optionalText,
})

/** Converts a tool call. `index` makes an id for a call without one. */
export function readCall(call: z.infer<typeof callSchema>, index: number): ForeignCall {
  const inner = typeof call.function === 'object' ? call.function : null
  const named = typeof call.function === 'string' ? call.function : null
  return {
    id: readId(call.id) ?? `call-${index}`,
    name: inner?.name ?? named ?? call.name ?? 'unnamed',
    args: readArguments(inner?.arguments ?? call.arguments ?? call.args),
  }
}

const zoneless = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?$/
/** Larger numbers are milliseconds: as seconds they would lie beyond the year 5000. */
const maxSeconds = 1e11

/**
 * Returns the time as ISO 8601; null when it is invalid. A time without a zone is UTC. A number is Unix seconds or
 * milliseconds.
 */
export function readTime(time: string | number | null | undefined): string | null {
  if (time === null || time === undefined) return null
  const value = typeof time === 'string' && zoneless.test(time) ? `${time.replace(' ', 'T')}Z` : time
  const date = new Date(typeof value === 'number' && value < maxSeconds ? value * 1000 : value)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** Returns the milliseconds between two times; null when either is unknown. */
export function millisecondsBetween(from: string | null, to: string | null): number | null {
  return from === null || to === null ? null : Math.max(0, Date.parse(to) - Date.parse(from))
}
