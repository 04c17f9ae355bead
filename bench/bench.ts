import { readCommandLine } from './command-line.ts'
import type { Figure } from './figure.ts'
import { runModule } from './parts/process.ts'
import { thisMachine } from './recorded-run.ts'
import { benches } from './registry.ts'
import { type NamedBench, runBenches } from './run-benches.ts'
import { UsageError } from './usage-error.ts'

const all: readonly NamedBench[] = Object.entries(benches)

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
  const command = readCommandLine(process.argv.slice(2), all)
  if (command.isHelp) {
    process.stdout.write(`${usage()}\n`)
    return
  }
  const failed = await runBenches({
    benches: command.benches,
    measure: name => runModule<readonly Figure[]>('parts/run-bench.js', name),
    machine: thisMachine(),
    record: command.record,
    keepsRecorded: command.isResumed || command.isNamed,
    isResumed: command.isResumed,
    isJson: command.isJson,
    print: text => process.stdout.write(text),
    warn: text => process.stderr.write(text),
  })
  if (failed.length > 0) throw new Error(`these benches failed: ${failed.join(', ')}`)
}

try {
  await main()
} catch (error) {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = error instanceof UsageError ? 2 : 1
}
