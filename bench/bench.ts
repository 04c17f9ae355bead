import { parseArgs } from 'node:util'
import { describeUnknownName } from '../src/core/nearest-name.ts'
import type { Figure } from './figure.ts'
import { runModule } from './parts/process.ts'
import { thisMachine } from './recorded-run.ts'
import { benches } from './registry.ts'
import { type NamedBench, runBenches } from './run-benches.ts'

const all: readonly NamedBench[] = Object.entries(benches)

/**
 * Returns the named benches, each by its own name or by one of its figures. Returns all benches when there
 * are no names.
 */
function chosen(names: readonly string[]): readonly NamedBench[] {
  const known = all.flatMap(([name, bench]) => [name, ...bench.figures])
  const unknown = names.find(name => !known.includes(name))
  if (unknown !== undefined) throw new Error(`bench ${describeUnknownName(unknown, [...new Set(known)])}`)
  if (names.length === 0) return all
  return all.filter(([own, { figures }]) => names.some(name => name === own || figures.includes(name)))
}

function usage(): string {
  const lines = all.map(
    ([name, { summary, read }]) => `  ${name.padEnd(16)}${summary}\n${' '.repeat(18)}${read}`,
  )
  return [
    'npm run bench [-- NAME… --json --record FILE --resume]',
    'NAME is a bench or one of its figures. Without a name, all benches run.',
    '  --json          print a line of JSON for each figure',
    '  --record FILE   write the figures and the facts of the machine to FILE. With NAME, replace only these benches in FILE',
    '  --resume        run only the benches that are missing from FILE or failed',
    ...lines,
  ].join('\n')
}

async function main(): Promise<void> {
  const { values, positionals: names } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      record: { type: 'string' },
      resume: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(`${usage()}\n`)
    return
  }
  if (values.resume && values.record === undefined)
    throw new Error('--resume needs the file of the run to complete. Add --record FILE')
  const failed = await runBenches({
    benches: chosen(names),
    measure: name => runModule<readonly Figure[]>('parts/run-bench.js', name),
    machine: thisMachine(),
    record: values.record ?? null,
    keepsRecorded: values.resume || names.length > 0,
    isResumed: values.resume,
    isJson: values.json,
    print: text => process.stdout.write(text),
    warn: text => process.stderr.write(text),
  })
  if (failed.length > 0) throw new Error(`these benches failed: ${failed.join(', ')}`)
}

try {
  await main()
} catch (error) {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
