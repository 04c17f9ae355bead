import { parseArgs } from 'node:util'
import { describeUnknownName } from '../src/core/nearest-name.ts'
import type { Bench, Figure } from './figure.ts'
import { benches } from './registry.ts'

/** A figure with the name of its bench. */
interface Line extends Figure {
  readonly bench: string
}

const all: readonly (readonly [string, Bench])[] = Object.entries(benches)

/**
 * Returns the named benches, each by its own name or by one of its figures. Returns all benches when there
 * are no names.
 */
function chosen(names: readonly string[]): readonly (readonly [string, Bench])[] {
  const known = all.flatMap(([name, bench]) => [name, ...bench.figures])
  const unknown = names.find(name => !known.includes(name))
  if (unknown !== undefined) throw new Error(`bench ${describeUnknownName(unknown, [...new Set(known)])}`)
  if (names.length === 0) return all
  return all.filter(([own, { figures }]) => names.some(name => name === own || figures.includes(name)))
}

/** Formats a row of the printed table: figure, value with unit, ratio, and what the value is compared with. */
function row(cells: readonly [figure: string, value: string, ratio: string, against: string]): string {
  const [figure, value, ratio, against] = cells
  return `  ${figure.padEnd(33)}${value.padEnd(22)}${ratio.padEnd(9)}${against}`.trimEnd()
}

function rowOf({ figure, value, unit, against, ratio }: Figure): string {
  return row([
    figure,
    value === null ? '-' : `${value} ${unit}`,
    ratio === null ? '-' : String(ratio),
    against,
  ])
}

function usage(): string {
  const lines = all.map(
    ([name, { summary, read }]) => `  ${name.padEnd(16)}${summary}\n${' '.repeat(18)}${read}`,
  )
  return [
    'npm run bench [-- NAME… --json]',
    'NAME is a bench or one of its figures. Without a name, all benches run.',
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
    const heading = `${bench}: ${summary}\n  ${read}\n`
    if (values.json) process.stderr.write(heading)
    else process.stdout.write(`${heading}\n${row(['figure', 'value', 'ratio', 'compared with'])}\n`)
    for (const figure of await run()) {
      const line: Line = { bench, ...figure }
      process.stdout.write(`${values.json ? JSON.stringify(line) : rowOf(line)}\n`)
    }
    if (!values.json) process.stdout.write('\n')
  }
}

try {
  await main()
} catch (error) {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
