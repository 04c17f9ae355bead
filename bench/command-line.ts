import { parseArgs } from 'node:util'
import { nearestName } from '../src/core/nearest-name.ts'
import { readFirstLine } from '../src/text/plain-text.ts'
import type { Bench } from './figure.ts'

/** A bench with its name in the registry. */
export type NamedBench = readonly [name: string, bench: Bench]

/** A wrong use of the benches. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** What the command line of the benches asks for. */
export interface BenchCommand {
  /** The benches to run. */
  readonly benches: readonly NamedBench[]
  /** Whether the benches of the recorded run that are not measured now stay in it. */
  readonly keepsRecorded: boolean
  /** Whether to print JSON lines instead of a table. */
  readonly isJson: boolean
  /** Whether only the benches run that are missing from the recorded run or failed. */
  readonly isResumed: boolean
  readonly isHelp: boolean
  /** The file of the recorded run; null when nothing is recorded. */
  readonly record: string | null
}

/**
 * Reads the command line of the benches.
 *
 * @param benches every bench
 * @throws UsageError for an option or a name that does not exist
 */
export function readCommandLine(args: readonly string[], benches: readonly NamedBench[]): BenchCommand {
  const { values, positionals: names } = parseOptions(args)
  const { record = null, json: isJson, resume: isResumed, help: isHelp } = values
  if (isResumed && record === null)
    throw new UsageError('--resume needs the file of the run to complete. Add --record FILE.')
  const keepsRecorded = isResumed || names.length > 0
  return { benches: chooseBenches(names, benches), keepsRecorded, isJson, isResumed, isHelp, record }
}

function parseOptions(args: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const
  const options = { json: flag, record: { type: 'string' }, resume: flag, help: flag } as const
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options })
  } catch (error) {
    throw new UsageError(`${readFirstLine(error).split('. ')[0]}. --help lists the options.`)
  }
}

/** Returns the named benches, each by its own name or by one of its figures. Returns all benches when there are no names. */
function chooseBenches(names: readonly string[], benches: readonly NamedBench[]): readonly NamedBench[] {
  const namesFor = ([name, { figures }]: NamedBench): string[] => [name, ...Object.keys(figures)]
  const benchNames = benches.flatMap(namesFor)
  const unknown = names.find(name => !benchNames.includes(name))
  if (unknown !== undefined) {
    const nearest = nearestName(unknown, benchNames)
    const hint = nearest === null ? '' : ` Did you mean '${nearest}'?`
    const list = benches.map(([name]) => name).join(', ')
    throw new UsageError(
      `unknown bench or figure '${unknown}'.${hint} The benches are ${list}. docs/bench.md lists their figures.`,
    )
  }
  return benches.filter(bench => names.length === 0 || namesFor(bench).some(name => names.includes(name)))
}

/** Returns the text of --help. */
export function describeUsage(benches: readonly NamedBench[]): string {
  const list = benches.map(
    ([name, { summary, read }]) => `  ${name.padEnd(16)}${summary}\n${' '.repeat(18)}${read}\n`,
  )
  return `npm run bench [-- NAME… --json --record FILE --resume]
NAME is a bench or one of its figures. Without a name, all benches run.
  --json          print a line of JSON for each figure
  --record FILE   write the figures and the facts of the machine to FILE. With NAME, replace only these benches in FILE
  --resume        run only the benches that are missing from FILE or failed
${list.join('')}`
}
