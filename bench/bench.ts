import { parseArgs } from 'node:util'
import { describeUnknownName } from '../src/core/nearest-name.ts'
import type { Bench, Figure } from './figure.ts'
import { benches } from './registry.ts'

/** A line of output. */
interface Line extends Figure {
  readonly bench: string
}

const all: readonly (readonly [string, Bench])[] = Object.entries(benches)

/** The benches that the names mean: a bench by its own name or by a figure of its; all where none is named. */
function chosen(names: readonly string[]): readonly (readonly [string, Bench])[] {
  const known = all.flatMap(([name, bench]) => [name, ...bench.figures])
  const unknown = names.find(name => !known.includes(name))
  if (unknown !== undefined) throw new Error(`bench ${describeUnknownName(unknown, [...new Set(known)])}`)
  if (names.length === 0) return all
  return all.filter(([own, { figures }]) => names.some(name => name === own || figures.includes(name)))
}

function show({ figure, value, unit, against, ratio }: Line): string {
  const number = value === null ? '-' : `${value} ${unit}`
  return `  ${figure.padEnd(32)}${number.padEnd(24)}${(ratio === null ? '' : `ratio ${ratio}`).padEnd(14)}${against}`
}

function usage(): string {
  const lines = all.map(
    ([name, { summary, read }]) => `  ${name.padEnd(16)}${summary}\n${' '.repeat(18)}read ${read}`,
  )
  return [
    'npm run bench [-- NAME… --json]: a bench or a figure by name, all where none is named',
    ...lines,
  ].join('\n')
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  })
  if (values.help) {
    process.stdout.write(`${usage()}\n`)
    return
  }
  for (const [bench, { summary, read, run }] of chosen(positionals)) {
    const heading = `${bench}: ${summary}\n  read ${read}\n`
    if (values.json) process.stderr.write(heading)
    else process.stdout.write(heading)
    for (const figure of await run()) {
      const line: Line = { bench, ...figure }
      process.stdout.write(`${values.json ? JSON.stringify(line) : show(line)}\n`)
    }
  }
}

try {
  await main()
} catch (error) {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
