import { readCommandLine, UsageError } from './command-line.ts'
import type { BenchFigure } from './figure.ts'
import { runModule } from './parts/process.ts'
import { thisMachine } from './recorded-run.ts'
import { benches } from './registry.ts'
import { type NamedBench, runBenches } from './run-benches.ts'

const namedBenches: readonly NamedBench[] = Object.entries(benches)

function usage(): string {
  const lines = namedBenches.map(
    ([name, { summary, read: explanation }]) =>
      `  ${name.padEnd(16)}${summary}\n${' '.repeat(18)}${explanation}`,
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
  const command = readCommandLine(process.argv.slice(2), namedBenches)
  if (command.isHelp) {
    process.stdout.write(`${usage()}\n`)
    return
  }
  const failed = await runBenches({
    benches: command.benches,
    measure: name => runModule<readonly BenchFigure[]>('parts/run-bench.js', name),
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
