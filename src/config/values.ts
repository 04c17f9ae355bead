import { z } from 'zod'
import { ConfigError } from '../core/errors.ts'
import { notAmong } from '../core/nearest.ts'

function bad(message: string): never {
  throw new ConfigError(message)
}

/** A text that is not empty. */
export const text = z.string().min(1)
/** A count, `8k` and `4m` included. */
export const size = z.union([z.number(), z.string()]).transform(given => {
  const match = /^(\d+(?:\.\d+)?)([km]?)$/i.exec(String(given).replaceAll('_', ''))
  if (match === null) return bad(`'${given}': a number such as 8000, 8k or 4m`)
  return Math.round(Number(match[1]) * { '': 1, k: 1000, m: 1_000_000 }[match[2]!.toLowerCase()]!)
})
/** Texts; one alone may stand without a list. */
export const texts = z.union([text.transform(one => [one]), z.array(text).min(1)])
/** Any finite number, written as a number or a text. */
export const decimal = z.union([z.number(), z.string()]).transform(given => {
  const number = Number(given)
  return Number.isFinite(number) && String(given).trim() !== '' ? number : bad(`'${given}': a number`)
})
/** Sizes by commas, each once. */
export const sizes = z
  .union([z.number(), z.string(), z.array(z.union([z.number(), z.string()]))])
  .transform(given => {
    const parts = typeof given === 'string' ? given.split(',').map(part => part.trim()) : [given].flat()
    const read = parts.map(part => size.parse(part))
    return read.length > 0 && read.every(one => one > 0)
      ? [...new Set(read)]
      : bad(`'${String(given)}': sizes such as 2k,8k,32k`)
  })
/** A size above 0. */
export const positive = size.refine(number => number > 0, 'more than 0')
/** Milliseconds from `90s`, `10m`, `500ms`, `1h`; a bare number counts seconds. */
export const duration = z.union([z.number(), z.string()]).transform(given => {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(String(given))
  if (match === null) return bad(`'${given}': a time such as 90s, 10m or 1h`)
  return Math.round(Number(match[1]) * { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[match[2] ?? 's']!)
})
/** One of the names; ConfigError names the nearest. */
export const oneOf = <T extends string>(names: readonly T[]) =>
  z.string().transform(given => (names.includes(given as T) ? (given as T) : bad(notAmong(given, names))))
/** Some of the names, by commas or as a list, each once; ConfigError names the nearest. */
export const listOf = <T extends string>(names: readonly T[]) =>
  z.union([z.string(), z.array(z.string())]).transform(given => {
    const parts = (typeof given === 'string' ? given.split(',') : given)
      .map(part => part.trim())
      .filter(Boolean)
    for (const part of parts) if (!names.includes(part as T)) bad(notAmong(part, names))
    return parts.length === 0 ? bad(`nothing chosen of ${names.join(', ')}`) : ([...new Set(parts)] as T[])
  })
/** A registry's keys. */
export const names = <T extends object>(registry: T) => Object.keys(registry) as (keyof T & string)[]
/** A whole number, 0 included. */
export const count = size.refine(number => Number.isSafeInteger(number), 'a whole number')
/** An amount above 0. */
export const dollars = decimal.refine(number => number > 0, 'more than 0')
/** A factor, 0 or more. */
export const weight = decimal.refine(number => number >= 0, '0 or more')
/** An option that may be left out: null then. */
export const absent = <S extends z.ZodType>(schema: S) => schema.nullable().default(null as never)
