import { ConfigError } from '../../../src/core/errors.ts'
import { structextLanguages, structextTaskKinds, structextTasks } from '../task-table.ts'
import type { StructextSpec } from './generate.ts'
import { nodeCount } from './tree.ts'
import { deepestLatexLevel } from './write-documents.ts'
import { usualColumns } from './write-tables.ts'

/** The flags of `tasks make structext`, as given. */
export interface StructextFlags {
  readonly languages?: string
  readonly tasks?: string
  readonly depth: string
  readonly width: string
  readonly columns: string
  readonly shots: string
  readonly count: string
  readonly seed: string
}

/** A generated text has at most this many nodes. */
const mostNodes = 20_000

/**
 * Reads what to generate from flags.
 *
 * @throws ConfigError `invalid-make-option`, `latex-too-deep` or `text-too-large`
 */
export function readStructextSpec(flags: StructextFlags): StructextSpec {
  const spec: StructextSpec = {
    languages: namesOf('--languages', flags.languages, structextLanguages),
    tasks: namesOf('--tasks', flags.tasks, structextTaskKinds),
    depths: numbersOf('--depth', flags.depth, 1, 6),
    widths: numbersOf('--width', flags.width, 1, 20),
    columns: numberOf('--columns', flags.columns, usualColumns, 200),
    shots: numberOf('--shots', flags.shots, 0, 10),
    count: numberOf('--count', flags.count, 1, 10_000),
    seed: numberOf('--seed', flags.seed, 0, Number.MAX_SAFE_INTEGER),
  }
  const { tasks, depths, widths } = spec
  const languages = spec.languages.filter(name =>
    structextTasks.some(({ language, kind }) => language === name && tasks.includes(kind)),
  )
  if (languages.length === 0)
    throw invalid(
      `--tasks ${flags.tasks}: none of these tasks exists in ${spec.languages.join(', ')}. Name others.`,
    )
  if (languages.includes('latex') && Math.max(...depths) > deepestLatexLevel)
    throw new ConfigError(
      `--depth ${flags.depth}: LaTeX has headings for ${deepestLatexLevel} levels only. Use a smaller depth, or name --languages without latex.`,
      { code: 'latex-too-deep' },
    )
  const nodes = nodeCount({ depth: Math.max(...depths), width: Math.max(...widths) })
  if (nodes > mostNodes && languages.some(language => language !== 'csv'))
    throw new ConfigError(
      `--depth ${flags.depth} --width ${flags.width}: a text would have ${nodes} nodes, at most ${mostNodes}. Use a smaller depth or width.`,
      { code: 'text-too-large' },
    )
  return spec
}

function namesOf<T extends string>(flag: string, given: string | undefined, known: readonly T[]): T[] {
  if (given === undefined) return [...known]
  return [...new Set(given.split(',').map(name => name.trim()))].map(name => {
    const found = known.find(one => one.toLowerCase() === name.toLowerCase())
    if (found === undefined) throw invalid(`${flag} ${name}: unknown. Use ${known.join(', ')}.`)
    return found
  })
}

const numbersOf = (flag: string, given: string, least: number, most: number): number[] => [
  ...new Set(given.split(',').map(text => numberOf(flag, text, least, most))),
]

function numberOf(flag: string, given: string, least: number, most: number): number {
  const text = given.trim()
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= least && number <= most) return number
  throw invalid(`${flag} ${given}: not a whole number from ${least} to ${most}. Correct it.`)
}

const invalid = (message: string): ConfigError => new ConfigError(message, { code: 'invalid-make-option' })
