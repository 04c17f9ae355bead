import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { DataError } from '../../core/errors.ts'
import { packageRoot } from '../../core/paths.ts'

export type Texts = Readonly<Record<string, string>>
export type Kind = ReturnType<typeof readLabels>['kinds'][number]
export type Source = Kind['facts'][string][number]

const ways = ['whole', 'first', 'last', 'list', 'date', 'later', 'articles', 'implied', 'under', 'cited']
const texts = ['name', 'stem', 'query', 'text', 'head', 'section', 'row', 'title', 'titles', 'signed']
const wordIn = /\{([a-z]+)\}/g

/** Reads the text of labels.json; a DataError names the entry that is wrong, such as a pattern with a slip in it. */
export function readLabels(json: string) {
  const groups = [...json.matchAll(/\(\?<([a-z]+)>/g)].map(([, group = '']) => group)
  const known = [...groups, ...Object.keys(JSON.parse(json).words)]
  const pattern = z.string().check(({ value, issues }) => {
    try {
      new RegExp(
        value.replace(wordIn, (all, word) => (known.includes(word) ? 'x' : `${all}(`)),
        'u',
      )
    } catch (error) {
      issues.push({ code: 'custom', message: String(error), input: value })
    }
  })
  const [text, optional, patterns] = [z.string(), pattern.default('(?!)'), z.record(z.string(), pattern)]
  const section = pattern.default('(?<![^])')
  const finder = z.strictObject({ section, end: optional, held: optional, rows: z.array(pattern) })
  const source = z.tuple([z.enum([...texts, ...groups]), z.enum(ways), pattern])
  const [finders, sources] = [z.array(finder).default([]), z.record(text, z.array(source)).default({})]
  const told = { question: optional, content: optional, without: optional }
  const kinds = z.array(z.strictObject({ ...told, facts: sources, finders, columns: sources }))
  const figure = z.strictObject({
    statement: text,
    kind: z.enum(['money', 'each']),
    labels: z.array(pattern),
  })
  const [columns, periods] = [
    z.array(z.tuple([text, text, text])),
    z.array(z.tuple([z.enum(texts), pattern, text])),
  ]
  const [figures, derived, numbers] = [z.record(text, figure), z.record(text, text), z.record(text, z.int())]
  const reports = z.strictObject({
    statements: patterns,
    distance: numbers,
    periods,
    figures,
    derived,
    columns,
  })
  const about = z.array(text)
  const whole = z.strictObject({ about, words: patterns, numbers, articles: patterns, kinds, reports })
  const { success, data, error } = whole.safeParse(JSON.parse(json))
  if (success) return data
  throw new DataError(`labels.json: ${z.prettifyError(error).replace(/\s+/g, ' ')}`)
}

/** What is known of kinds of documents, by domain and language; its `about` says how it is written. */
export const labels = readLabels(readFileSync(join(packageRoot, 'src/models/extractive/labels.json'), 'utf8'))

/** Compiles a pattern; {word} stands for the text of that name, as it is, else for the pattern of that name. */
export function regex(pattern: string, flags = 'gmu', texts: Texts = {}): RegExp {
  const plain = (name: string): string | undefined => texts[name]?.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(
    pattern.replace(wordIn, (_, name) => plain(name) ?? labels.words[name] ?? '(?!)'),
    flags,
  )
}
