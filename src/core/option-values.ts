import { z } from 'zod/v4'
import { ConfigError } from './errors.ts'
import { describeUnknownName } from './nearest-name.ts'
import type { Registry } from './registry.ts'

function reject(message: string): never {
  throw new ConfigError(message)
}

/** A text that is not empty. */
export const text = z.string('a text').min(1, 'a text that is not empty')
/** Texts; one alone may stand without a list. */
export const texts = z.union(
  [text.transform(one => [one]), z.array(text).min(1, 'a list of texts that is not empty')],
  'a text, or a list of texts that is not empty',
)
const rulesWords = 'HOST, HOST/PATH or *TEXT*, by commas'
/** Rules by commas, at least one, or as a list. */
export const blockRules = z.union([z.string(), z.array(text)], `rules: ${rulesWords}`).transform(given => {
  if (typeof given !== 'string') return given
  const rules = given.split(',').flatMap(rule => rule.trim() || [])
  return rules.length > 0 ? rules : reject(`'${given}': names no rule: ${rulesWords}`)
})
/** Texts; one alone may stand without a list, and none may be given. */
export const textsOrNone = z
  .union([text.transform(one => [one]), z.array(text)], 'a text, or a list of texts')
  .default([])
/** On or off; its flag has no value. */
export const toggle = z.boolean('true or false').default(false)
const number = z.union([z.number(), z.string()], 'a number')
/** Any finite number, written as a number or a text. */
const decimal = number.transform(given => {
  const read = Number(given)
  return Number.isFinite(read) && String(given).trim() !== '' ? read : reject(`'${given}': a number`)
})
const sizeWords = 'a number such as 8000, 8k or 4m'
/** A count, `8k` and `4m` included. */
export const size = z.union([z.number(), z.string()], sizeWords).transform(given => {
  const match = /^(\d+(?:\.\d+)?)([km]?)$/i.exec(String(given).replaceAll('_', ''))
  if (match === null) return reject(`'${given}': ${Number(given) < 0 ? 'not below 0' : sizeWords}`)
  const read = Number(match[1]) * { '': 1, k: 1000, m: 1_000_000 }[match[2]!.toLowerCase()]!
  const whole = Math.round(read)
  if (Math.abs(read - whole) > 1e-6) return reject(`'${given}': a whole number`)
  if (!Number.isSafeInteger(whole)) return reject(`'${given}': at most ${Number.MAX_SAFE_INTEGER}`)
  return whole
})
/** A size above 0. */
export const positive = size.refine(read => read > 0, 'more than 0')
/** A size that is not more than `most`. */
export const atMost = (most: number, sizes: typeof size | typeof positive = size) =>
  // Worded when it is needed: the first number in a language's form takes 20 ms.
  sizes.refine(read => read <= most, { error: () => `at most ${most.toLocaleString('en-US')}` })
/** A port of this machine; 0: any free one. */
export const port = z.string().transform(given => {
  const read = /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN
  return read <= 65_535 ? read : reject(`'${given}': 0 to 65535`)
})
/** An amount above 0. */
export const dollars = decimal.refine(read => read > 0, 'more than 0')
/** A share above 0, 1 included. */
export const share = decimal.refine(read => read > 0 && read <= 1, 'more than 0, at most 1')
/** A factor, 0 or more. */
export const weight = decimal.refine(read => read >= 0, '0 or more')
const sizesWords = 'sizes such as 2k,8k,32k'
/** Sizes by commas or as a list, each once. */
export const sizes = z
  .union([z.number(), z.string(), z.array(z.union([z.number(), z.string()]))], sizesWords)
  .transform(given => {
    const parts = typeof given === 'string' ? given.split(',').map(part => part.trim()) : [given].flat()
    const read = parts.map(part => size.parse(part))
    return read.every(one => one > 0) ? [...new Set(read)] : reject(`'${String(given)}': ${sizesWords}`)
  })
const timeWords = 'a time such as 90s, 10m or 1h'
/** Milliseconds, more than 0, from `90s`, `10m`, `500ms`, `1h`; a bare number counts seconds. */
export const duration = z.union([z.number(), z.string()], timeWords).transform(given => {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(String(given))
  if (match === null) return reject(`'${given}': ${timeWords}`)
  const read = Math.round(Number(match[1]) * { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[match[2] ?? 's']!)
  return read > 0 ? read : reject(`'${given}': more than 0`)
})
/** The names, for an editor to offer, and any text besides, for what a flag gives. */
type Offered<T extends string> = T | (string & Record<never, never>)
/** The parts of a text with commas, or of a list, each once. */
function partsOf(given: string | readonly string[]): string[] {
  const parts = [given].flat().flatMap(part => part.split(','))
  return [...new Set(parts.map(part => part.trim()).filter(Boolean))]
}
/** One of the names; ConfigError names the nearest. */
export const oneOf = <T extends string>(names: readonly T[]) =>
  (z.string(`one of ${names.join(', ')}`) as z.ZodType<string, Offered<T>>).transform(given =>
    names.includes(given as T) ? (given as T) : reject(describeUnknownName(given, names)),
  )
/** At least so many of the names, by commas or as a list, each once; ConfigError names the nearest. */
export const listOf = <T extends string>(names: readonly T[], least: 0 | 1 = 1) => {
  const given = z.union([z.string(), z.array(z.string())], `some of ${names.join(', ')}`)
  return (given as z.ZodType<string | string[], Offered<T> | Offered<T>[]>).transform(listed => {
    const parts = partsOf(listed)
    for (const part of parts) if (!names.includes(part as T)) reject(describeUnknownName(part, names))
    return parts.length < least ? reject(`nothing chosen of ${names.join(', ')}`) : (parts as T[])
  })
}
/** The name of an entry, whether it is built in or comes from a plug-in. Throws ConfigError [unknown-…]. */
export const entryOf = (registry: Registry<object>) =>
  z.string({ error: () => `one of ${registry.names().join(', ')}` }).transform(given => {
    registry.get(given)
    return given
  })
/** Names of entries, at least one, by commas or as a list, each once. Throws ConfigError [unknown-…]. */
export const entriesOf = (registry: Registry<object>) =>
  z
    .union([z.string(), z.array(z.string())], { error: () => `some of ${registry.names().join(', ')}` })
    .transform(given => {
      const parts = partsOf(given)
      for (const part of parts) registry.get(part)
      return parts.length > 0 ? parts : reject(`nothing chosen of ${registry.names().join(', ')}`)
    })
/** The keys of an object. */
export const keysOf = <T extends object>(object: T) => Object.keys(object) as (keyof T & string)[]
/** An option that may be left out: null then. */
export const optional = <S extends z.ZodType>(schema: S) => schema.nullable().default(null as never)
/** Where search and fetch go. */
export const webMode = text.transform(given =>
  /^(?:live|sealed|(?:sealed|replay):.+)$/s.test(given)
    ? given
    : reject(describeUnknownName(given, ['live', 'sealed', 'sealed:CORPUS', 'replay:DIR'])),
)
/** The address of a service. */
export const httpUrl = text.refine(
  given => /^https?:\/\/./i.test(given) && URL.canParse(given),
  'an http(s) URL, such as http://127.0.0.1:8000',
)
/** The address of a Redis. */
export const redisUrl = text.refine(
  given =>
    /^rediss?:\/\/./.test(given) && URL.canParse(given) && /^(?:\/\d*)?$/.test(new URL(given).pathname),
  'the address of a Redis, such as redis://127.0.0.1:6379, or redis://127.0.0.1:6379/1 for its database 1',
)
