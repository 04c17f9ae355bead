import { z } from 'zod/v4'
import { ConfigError } from './errors.ts'
import { describeUnknownName } from './nearest-name.ts'
import type { Registry } from './registry.ts'

// Schemas of option values. Each reads the value of a flag, a variable or a config file. The message of a
// schema completes the sentence `--flag: VALUE is not valid: expected …`.

/** Refuses the value of an option with a message. */
export function reject(message: string): never {
  throw new ConfigError(message, { code: 'invalid-option' })
}

function rejectValue(input: unknown, expected: string): never {
  return reject(`'${String(input)}' is not valid: expected ${expected}`)
}

/**
 * Says what the schema of an option expected. A schema without its own message uses the message of the
 * library.
 *
 * @returns such as `expected more than 0`
 */
export function describeExpectation(error: z.ZodError): string {
  const [issue] = error.issues
  if (issue === undefined) return 'it does not fit'
  return /^(?:Invalid|Too|Unrecognized) /.test(issue.message) ? issue.message : `expected ${issue.message}`
}

/** A text that is not empty. */
export const text = z.string('a text').min(1, 'a text that is not empty')

/** A list of texts that is not empty. A single text counts as a list with one element. */
export const texts = z.union(
  [text.transform(entry => [entry]), z.array(text).min(1, 'a list of texts that is not empty')],
  'a text, or a list of texts that is not empty',
)

/** A list of texts that may be empty. A single text counts as a list with one element. */
export const textsOrNone = z
  .union([text.transform(entry => [entry]), z.array(text)], 'a text, or a list of texts')
  .default([])

const rulesForm = 'one or more of HOST, HOST/PATH and *TEXT*, separated by commas'

/** Rules for addresses that must not be opened: a text with commas, or a list. */
export const blockRules = z.union([z.string(), z.array(text)], rulesForm).transform(input => {
  if (typeof input !== 'string') return input
  const rules = input.split(',').flatMap(rule => rule.trim() || [])
  return rules.length > 0 ? rules : rejectValue(input, rulesForm)
})

/** On or off. Its flag takes no value. */
export const toggle = z.boolean('true or false').default(false)

/** Any finite number, written as a number or a text. */
const decimal = z.union([z.number(), z.string()], 'a number').transform(input => {
  const value = Number(input)
  return Number.isFinite(value) && String(input).trim() !== '' ? value : rejectValue(input, 'a number')
})

const sizeForm = 'a number such as 8000, 8k or 4m'

/** A count which may be written as `8k` or `4m`. `least` is what a value below 0 is told, such as `0 or more`. */
const createCount = (least: string) =>
  z.union([z.number(), z.string()], sizeForm).transform(input => {
    const match = /^(\d+(?:\.\d+)?)([km]?)$/i.exec(String(input).replaceAll('_', ''))
    if (match === null) return rejectValue(input, Number(input) < 0 ? least : sizeForm)
    const value = Number(match[1]) * { '': 1, k: 1000, m: 1_000_000 }[match[2]!.toLowerCase()]!
    const whole = Math.round(value)
    if (Math.abs(value - whole) > 1e-6) return rejectValue(input, 'a whole number')
    if (!Number.isSafeInteger(whole)) return rejectValue(input, `at most ${Number.MAX_SAFE_INTEGER}`)
    return whole
  })

/** A count, 0 or more, which may be written as `8k` or `4m`. */
export const size = createCount('0 or more')

const aboveZero = 'more than 0'

/** A count above 0. */
export const positive = createCount(aboveZero).refine(value => value > 0, aboveZero)

/** A count of at most `most`. */
export const atMost = (most: number, sizes: typeof size | typeof positive = size) =>
  // The message is made when it is needed: the first number that is formatted for a language takes 20 ms.
  sizes.refine(value => value <= most, { error: () => `at most ${most.toLocaleString('en-US')}` })

/** A port of this machine. 0 stands for any free port. */
export const port = z.string().transform(input => {
  const value = /^\d{1,5}$/.test(input) ? Number(input) : Number.NaN
  return value <= 65_535 ? value : rejectValue(input, 'a port from 0 to 65535')
})

/** An amount above 0. */
export const dollars = decimal.refine(value => value > 0, 'more than 0')

/** A share above 0, at most 1. */
export const share = decimal.refine(value => value > 0 && value <= 1, 'more than 0 and at most 1')

/** A factor, 0 or more. */
export const weight = decimal.refine(value => value >= 0, '0 or more')

const sizesForm = 'sizes above 0, such as 2k,8k,32k'
const sizeAboveZero = createCount(sizesForm)

/** Counts above 0, each once: a text with commas, or a list. */
export const sizes = z
  .union([z.number(), z.string(), z.array(z.union([z.number(), z.string()]))], sizesForm)
  .transform(input => {
    const parts = typeof input === 'string' ? input.split(',').map(part => part.trim()) : [input].flat()
    const values = parts.map(part => sizeAboveZero.parse(part))
    return values.every(value => value > 0) ? [...new Set(values)] : rejectValue(input, sizesForm)
  })

const timeForm = 'a time such as 90s, 10m or 1h'

/** A time of 0 or more in milliseconds, written as `90s`, `10m`, `500ms` or `1h`. A bare number counts seconds. */
export const interval = z.union([z.number(), z.string()], timeForm).transform(input => {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(String(input))
  if (match === null) return rejectValue(input, timeForm)
  return Math.round(Number(match[1]) * { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[match[2] ?? 's']!)
})

/** A time above 0, written as `interval` is. */
export const duration = interval.refine(value => value > 0, 'more than 0')

/**
 * Names that an editor offers. The type also accepts any other text, because the value of a flag is a text.
 */
type Offered<T extends string> = T | (string & Record<never, never>)

/** Splits a text at its commas, or the texts of a list. Each part is returned once. */
function splitParts(input: string | readonly string[]): string[] {
  const parts = [input].flat().flatMap(part => part.split(','))
  return [...new Set(parts.map(part => part.trim()).filter(Boolean))]
}

/** One of the names. The error suggests the nearest name. */
export const oneOf = <T extends string>(names: readonly T[]) =>
  (z.string(`one of ${names.join(', ')}`) as z.ZodType<string, Offered<T>>).transform(input =>
    names.includes(input as T) ? (input as T) : reject(describeUnknownName(input, names)),
  )

/** Some of the names, each once: a text with commas, or a list. The error suggests the nearest name. */
export const listOf = <T extends string>(names: readonly T[], least: 0 | 1 = 1) => {
  const input = z.union([z.string(), z.array(z.string())], `some of ${names.join(', ')}`)
  return (input as z.ZodType<string | string[], Offered<T> | Offered<T>[]>).transform(listed => {
    const parts = splitParts(listed)
    for (const part of parts) if (!names.includes(part as T)) reject(describeUnknownName(part, names))
    return parts.length < least ? rejectEmptyList(names) : (parts as T[])
  })
}

function rejectEmptyList(names: readonly string[]): never {
  return reject(`the list is empty. Name at least one of ${names.join(', ')}.`)
}

/**
 * The name of an entry of a registry, built in or from a plug-in.
 *
 * @throws ConfigError [unknown-<kind>] while parsing
 */
export const entryOf = (registry: Registry<object>) =>
  z.string({ error: () => `one of ${registry.names().join(', ')}` }).transform(input => {
    registry.get(input)
    return input
  })

/**
 * Names of entries of a registry, at least one, each once: a text with commas, or a list.
 *
 * @throws ConfigError [unknown-<kind>] while parsing
 */
export const entriesOf = (registry: Registry<object>) =>
  z
    .union([z.string(), z.array(z.string())], { error: () => `some of ${registry.names().join(', ')}` })
    .transform(input => {
      const parts = splitParts(input)
      for (const part of parts) registry.get(part)
      return parts.length > 0 ? parts : rejectEmptyList(registry.names())
    })

/**
 * Values of one form, at least one, each once: a text with commas, or a list.
 *
 * @param forms - how a value may be written, for the error
 * @param read - returns the value in its usual form; null for a text that is not valid
 */
export const valuesOf = <T extends string | number>(
  forms: readonly string[],
  read: (input: string) => T | null,
) => {
  const form = `one or more of ${forms.join(', ')}`
  const one = z.union([z.number(), z.string()], form)
  return z.union([one, z.array(one)], form).transform(input => {
    const parts = splitParts([input].flat().map(String))
    if (parts.length === 0) return rejectEmptyList(forms)
    return [...new Set(parts.map(part => read(part) ?? rejectValue(part, form)))]
  })
}

/** A date such as `2026-11-23`. */
export const isoDate = text.transform(input => {
  const day = new Date(`${input}T00:00:00Z`)
  // Date reads 30 February as a day of March.
  const isDate = !Number.isNaN(day.getTime()) && day.toISOString().slice(0, 10) === input
  return isDate ? input : rejectValue(input, 'a date such as 2026-11-23')
})

/** Returns the keys of an object, with their types. */
export const keysOf = <T extends object>(object: T) => Object.keys(object) as (keyof T & string)[]

/** An option that may be left out. Its value is then null. */
export const optional = <S extends z.ZodType>(schema: S) => schema.nullable().default(null as never)

/** Where searches and fetches go: `live`, `sealed`, `sealed:CORPUS` or `replay:DIR`. */
export const webMode = text.transform(input =>
  /^(?:live|sealed|(?:sealed|replay):.+)$/s.test(input)
    ? input
    : reject(describeUnknownName(input, ['live', 'sealed', 'sealed:CORPUS', 'replay:DIR'])),
)

/** The address of a service. */
export const httpUrl = text
  .refine(
    input => /^https?:\/\/./i.test(input) && URL.canParse(input),
    'an http(s) URL, such as http://127.0.0.1:8000',
  )
  .transform(withoutUser)

/**
 * Returns an address that has no user and no password: clients would not send them.
 *
 * @throws ConfigError [user-in-address]
 */
export function withoutUser(address: string): string {
  // A text that is no address is refused elsewhere.
  if (!URL.canParse(address)) return address
  const { host, username, password } = new URL(address)
  if (username === '' && password === '') return address
  throw new ConfigError(
    `the address of ${host} contains a user or a password, which are not sent. Leave them out. Put a key into the variable of the provider, such as OPENAI_API_KEY.`,
    { code: 'user-in-address' },
  )
}

/** Where a secret is. The secret itself would be visible in the list of processes and in shell histories. */
export const secretSource = text.transform(input => {
  if (/^(?:variable:\w+|file:.+)$/s.test(input)) return input
  throw new ConfigError(
    'write variable:NAME or file:PATH, and put the secret there. Others could read it here.',
    { code: 'queue-secret-in-plain' },
  )
})

/** Whether every % of a text begins the code of a character. Clients decode the password of an address. */
function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** The address of a Redis server, perhaps with the number of a database. */
export const redisUrl = text.refine(
  input =>
    /^rediss?:\/\/./.test(input) &&
    URL.canParse(input) &&
    /^(?:\/\d*)?$/.test(new URL(input).pathname) &&
    isPercentEncoded(input),
  'the address of a Redis server, such as redis://127.0.0.1:6379, or redis://127.0.0.1:6379/1 for its database 1. In a password, write / as %2F, @ as %40, : as %3A, ? as %3F, # as %23 and % as %25',
)
