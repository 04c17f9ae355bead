import { ConfigError } from '../../../src/core/errors.ts'
import {
  type StructextLanguage,
  structextLanguages,
  structextTaskKinds,
  structextTasks,
} from '../task-table.ts'
import type { StructextSpec } from './generate.ts'
import { countTreeNodes } from './tree.ts'
import { deepestLatexLevel } from './write-documents.ts'
import { usualColumns } from './write-tables.ts'

/** The flags of `tasks make structext`, as given. */
export interface StructextFlags {
  readonly languages?: string
  readonly tasks?: string
  readonly depth: string
  readonly width: string
  readonly columns: string
  readonly attributes: string
  readonly words: string
  readonly damage?: string
  readonly shots: string
  readonly count: string
  readonly seed: string
}

/** A generated text has at most this many nodes, and this many attributes or words. */
const mostNodes = 20_000
const mostParts = 1_000_000

/**
 * Reads what to generate from flags.
 *
 * @throws ConfigError `invalid-make-option`, `latex-too-deep` or `text-too-large`
 */
export function readStructextSpec(flags: StructextFlags): StructextSpec {
  const spec: StructextSpec = {
    languages: readNames('--languages', flags.languages, structextLanguages),
    tasks: readNames('--tasks', flags.tasks, structextTaskKinds),
    depths: readNumbers('--depth', flags.depth, 1, 6),
    widths: readNumbers('--width', flags.width, 1, 20),
    columns: readNumber('--columns', flags.columns, usualColumns, 200),
    attributes: readNumber('--attributes', flags.attributes, 1, 100),
    words: readNumber('--words', flags.words, 3, 100),
    damage: flags.damage === undefined ? null : readShare('--damage', flags.damage),
    shots: readNumber('--shots', flags.shots, 0, 10),
    count: readNumber('--count', flags.count, 1, 10_000),
    seed: readNumber('--seed', flags.seed, 0, Number.MAX_SAFE_INTEGER),
  }
  const { tasks, depths } = spec
  const languages = spec.languages.filter(name =>
    structextTasks.some(({ language, kind }) => language === name && tasks.includes(kind)),
  )
  if (languages.length === 0)
    throw makeSpecError(
      `--tasks ${flags.tasks}: none of these tasks exists in ${spec.languages.join(', ')}. Name others.`,
    )
  if (languages.includes('latex') && Math.max(...depths) > deepestLatexLevel)
    throw new ConfigError(
      `--depth ${flags.depth}: LaTeX has headings for ${deepestLatexLevel} levels only. Use a smaller depth, or name --languages without latex.`,
      { code: 'latex-too-deep' },
    )
  requireSize(spec, languages, flags)
  return spec
}

const usesAttributes: readonly StructextLanguage[] = ['json', 'yaml', 'xml']
const usesWords: readonly StructextLanguage[] = ['markdown', 'latex', 'org']

function requireSize(
  { depths, widths, attributes, words }: StructextSpec,
  languages: readonly StructextLanguage[],
  flags: StructextFlags,
): void {
  const depth = Math.max(...depths)
  const nodes = countTreeNodes({ depth, width: Math.max(...widths) })
  const shape = `--depth ${flags.depth} --width ${flags.width}`
  const tooLarge = (message: string): ConfigError => new ConfigError(message, { code: 'text-too-large' })
  if (nodes > mostNodes && languages.some(language => language !== 'csv'))
    throw tooLarge(
      `${shape}: a text would have ${nodes} nodes, at most ${mostNodes}. Use a smaller depth or width.`,
    )
  const parts = [
    { name: 'attributes', each: attributes, users: usesAttributes },
    { name: 'words', each: words, users: usesWords },
  ]
  for (const { name, each, users } of parts)
    if (nodes * depth * each > mostParts && languages.some(language => users.includes(language)))
      throw tooLarge(
        `${shape} --${name} ${each}: a text would have up to ${nodes * depth * each} ${name}, at most ${mostParts}. Use a smaller depth, width or --${name}.`,
      )
}

function readNames<T extends string>(flag: string, names: string | undefined, allowed: readonly T[]): T[] {
  if (names === undefined) return [...allowed]
  return [...new Set(names.split(',').map(name => name.trim()))].map(name => {
    const match = allowed.find(candidate => candidate.toLowerCase() === name.toLowerCase())
    if (match === undefined) throw makeSpecError(`${flag} ${name}: unknown. Use ${allowed.join(', ')}.`)
    return match
  })
}

const readNumbers = (flag: string, flagText: string, least: number, most: number): number[] => [
  ...new Set(flagText.split(',').map(text => readNumber(flag, text, least, most))),
]

function readNumber(flag: string, flagText: string, least: number, most: number): number {
  const text = flagText.trim()
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= least && number <= most) return number
  throw makeSpecError(`${flag} ${flagText}: not a whole number from ${least} to ${most}. Correct it.`)
}

function readShare(flag: string, flagText: string): number {
  const text = flagText.trim()
  const share = Number(text)
  if (/^\d*\.?\d+$/.test(text) && share <= 1) return share
  throw makeSpecError(`${flag} ${flagText}: not a number from 0 to 1. Correct it.`)
}

const makeSpecError = (message: string): ConfigError =>
  new ConfigError(message, { code: 'invalid-make-option' })
