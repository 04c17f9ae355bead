import { z } from 'zod'
import type { ForeignCall } from './foreign-log.ts'

/** Content of a chat message: text, or parts of which text and reasoning are read and others are named. */
export const contentSchema = z.union([z.string(), z.array(z.unknown())]).nullish()
type Content = z.infer<typeof contentSchema>

const partSchema = z.looseObject({
  type: z.string().optional(),
  text: z.string().optional(),
  reasoning: z.string().optional(),
})

/** The text of a message's content and, apart, its reasoning. */
export function readContent(content: Content): { readonly text: string; readonly reasoning: string | null } {
  if (content === null || content === undefined) return { text: '', reasoning: null }
  if (typeof content === 'string') return { text: content, reasoning: null }
  const texts: string[] = []
  const reasonings: string[] = []
  for (const part of content) {
    if (typeof part === 'string') {
      texts.push(part)
      continue
    }
    const parsed = partSchema.safeParse(part)
    const { type, text, reasoning } = parsed.success ? parsed.data : {}
    if (reasoning !== undefined) reasonings.push(reasoning)
    else if (text !== undefined) texts.push(text)
    else texts.push(`[${type ?? 'a part without text'}]`)
  }
  return { text: texts.join('\n'), reasoning: reasonings.length === 0 ? null : reasonings.join('\n') }
}

/** Arguments of a call: objects as they are, JSON text read, any other text kept. */
export function readArguments(args: unknown): unknown {
  if (typeof args !== 'string') return args ?? {}
  try {
    return JSON.parse(args)
  } catch (error) {
    if (error instanceof SyntaxError) return args
    throw error
  }
}

/** Tool calls as OpenAI's API writes them (`function: { name, arguments }`) and as Inspect does (`function`, `arguments`). */
export const callSchema = z.looseObject({
  id: z.string().nullish(),
  name: z.string().nullish(),
  function: z
    .union([z.string(), z.looseObject({ name: z.string(), arguments: z.unknown().optional() })])
    .nullish(),
  arguments: z.unknown().optional(),
})

export function readCall(call: z.infer<typeof callSchema>, index: number): ForeignCall {
  const inner = typeof call.function === 'object' ? call.function : null
  const named = typeof call.function === 'string' ? call.function : null
  return {
    id: call.id ?? `call-${index}`,
    name: inner?.name ?? named ?? call.name ?? 'unnamed',
    args: readArguments(inner?.arguments ?? call.arguments),
  }
}

/** The time as ISO 8601; null where it is none. A time without a zone is taken as UTC. */
export function readTime(time: string | number | null | undefined): string | null {
  if (time === null || time === undefined) return null
  const zoneless = typeof time === 'string' && /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(time)
  const date = new Date(zoneless ? `${time.replace(' ', 'T')}Z` : time)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** Milliseconds from one time to another; null where either is unknown. */
export function millisecondsBetween(from: string | null, to: string | null): number | null {
  return from === null || to === null ? null : Math.max(0, Date.parse(to) - Date.parse(from))
}
