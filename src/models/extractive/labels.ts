import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod/v4'
import { DataError } from '../../core/errors.ts'
import { packageRoot } from '../../system/paths.ts'
import { escapePattern } from '../../text/plain-text.ts'

/** Texts by name, to which the patterns of labels.json apply. */
export type DocumentTexts = Readonly<Record<string, string>>

/** A kind of document in labels.json. */
export type DocumentKind = ReturnType<typeof readLabels>['kinds'][number]

const valueRuleNames = 'first last list date later named articles implied under cited'.split(' ')
const texts = 'name stem query text begin head section row title borrower signed ended'.split(' ')
const named = /\{([a-z]+)\}/g

/**
 * Parses the text of labels.json.
 *
 * @throws DataError `invalid-labels`. The message names the wrong entry, for example one with an invalid pattern.
 */
export function readLabels(json: string) {
  const groups = [...json.matchAll(/\(\?<([a-z]+)>/g)].map(([, group = '']) => group)
  const knownNames = [...groups, ...Object.keys(JSON.parse(json).words)]
  const tried = (text: string) =>
    text.replace(named, (whole, name) => (knownNames.includes(name) ? 'x' : `${whole}(`))
  const pattern = z.string().check(({ value, issues }) => {
    try {
      new RegExp(tried(value), 'u')
    } catch (error) {
      issues.push({ code: 'custom', message: String(error), input: value })
    }
  })
  const [text, never, patterns] = [z.string(), pattern.default('(?!)'), z.record(z.string(), pattern)]
  const part = { section: pattern, take: z.array(z.int()), chars: z.int(), end: never, held: never }
  const finder = z.strictObject({ ...part, rows: z.array(pattern) })
  const source = z.tuple([z.enum([...texts, ...groups]), z.enum(valueRuleNames), pattern])
  const sources = z.record(text, z.array(source)).default({})
  const kindFields = { question: never, content: never, without: never, facts: sources, columns: sources }
  const kind = z.strictObject({ ...kindFields, finders: z.array(finder).default([]) })
  const figure = z.tuple([text, z.enum(['money', 'each']), z.array(pattern)])
  const periods = z.array(z.tuple([z.enum(texts), pattern, text]))
  const statements = { statements: patterns, distance: z.record(text, z.int()), periods }
  const columns = { derived: z.record(text, text), columns: z.array(z.tuple([text, text, text])) }
  const reports = z.strictObject({ ...statements, figures: z.record(text, figure), ...columns })
  const lists = { words: patterns, numbers: z.record(text, z.int()), articles: patterns }
  const whole = z.strictObject({ about: z.array(text), ...lists, kinds: z.array(kind), reports })
  const { success, data, error } = whole.safeParse(JSON.parse(json))
  if (success) return data
  throw new DataError(`labels.json: ${z.prettifyError(error).replace(/\s+/g, ' ')}`, {
    code: 'invalid-labels',
  })
}

/** The rules for each kind of document, by domain and language. The file's `about` explains its format. */
export const labels = readLabels(readFileSync(join(packageRoot, 'src/models/extractive/labels.json'), 'utf8'))

/**
 * Compiles a pattern of labels.json. `{word}` is replaced by the text of that name, taken literally. When there is no
 * such text, it is replaced by the pattern of that name.
 */
export function regex(pattern: string, flags = 'gmu', texts: DocumentTexts = {}): RegExp {
  const filled = pattern.replace(named, (_, word) => {
    const text = texts[word]
    return text === undefined ? `(?:${labels.words[word] ?? '(?!)'})` : escapePattern(text)
  })
  return new RegExp(filled, flags)
}
