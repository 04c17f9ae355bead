import { parseArgs } from 'node:util'
import { nearestName } from '../src/core/nearest-name.ts'
import type { NamedBench } from './run-benches.ts'

/** A wrong use of the benches. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** What the command line of the benches asks for. */
export interface BenchCommand {
  /** The benches to run. */
  readonly benches: readonly NamedBench[]
  /** Whether benches were named. Without names, all run. */
  readonly isNamed: boolean
  readonly isJson: boolean
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
  const { values, positionals: names } = parsed(args)
  if (values.resume && values.record === undefined)
    throw new UsageError('--resume needs the file of the run to complete. Add --record FILE.')
  return {
    benches: chooseBenches(names, benches),
    isNamed: names.length > 0,
    isJson: values.json,
    isResumed: values.resume,
    isHelp: values.help,
    record: values.record ?? null,
  }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        record: { type: 'string' },
        resume: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    const [problem] = (error instanceof Error ? error.message : String(error)).split(/\.\s|\n/)
    throw new UsageError(`${problem}. --help lists the options.`)
  }
}

/** Returns the named benches, each by its own name or by one of its figures. Returns all benches when there are no names. */
function chooseBenches(names: readonly string[], benches: readonly NamedBench[]): readonly NamedBench[] {
  const knownNames = benches.flatMap(([name, bench]) => [name, ...bench.figures])
  const unknown = names.find(name => !knownNames.includes(name))
  if (unknown !== undefined) {
    const nearest = nearestName(unknown, knownNames)
    const hint = nearest === null ? '' : ` Did you mean '${nearest}'?`
    const list = benches.map(([name]) => name).join(', ')
    throw new UsageError(
      `unknown bench or figure '${unknown}'.${hint} The benches are ${list}. docs/bench.md lists their figures.`,
    )
  }
  if (names.length === 0) return benches
  return benches.filter(([bench, { figures }]) =>
    names.some(name => name === bench || figures.includes(name)),
  )
}
