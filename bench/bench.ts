import { describeUsage, type NamedBench, readCommandLine, UsageError } from './command-line.ts'
import { describeMachine } from './recorded-run.ts'
import { benches, measureBench } from './registry.ts'
import { runBenches } from './run-benches.ts'

const print = (text: string): void => void process.stdout.write(text)
const warn = (text: string): void => void process.stderr.write(text)

async function main(): Promise<void> {
  const namedBenches: readonly NamedBench[] = Object.entries(benches)
  const command = readCommandLine(process.argv.slice(2), namedBenches)
  if (command.isHelp) return print(describeUsage(namedBenches))
  const failed = await runBenches(command, { measure: measureBench, machine: describeMachine(), print, warn })
  if (failed.length > 0) throw new Error(`these benches failed: ${failed.join(', ')}`)
}

try {
  await main()
} catch (error) {
  warn(`bench: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = error instanceof UsageError ? 2 : 1
}
