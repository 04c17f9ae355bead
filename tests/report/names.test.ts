import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../src/core/paths.ts'
import { scorers } from '../../src/score/registry.ts'
import { benchmarks } from '../../tasks/registry.ts'

/** Uses of a name for something else. */
const others: Readonly<Record<string, readonly string[]>> = {
  // JavaScript's strict mode.
  'src/report/html/page/script.ts': ['strict'],
  // Ratings of a whole answer by a judge, which the totals of judging count.
  'src/report/tables/judging-line.ts': ['overall'],
  // How strictly a recorded web is replayed.
  'src/run/queue/shipment.ts': ['strict'],
  'src/run/resources/environment.ts': ['strict'],
  // The default retriever has the name of a benchmark.
  'src/run/plan/arms.ts': ['aoe'],
  // An option of the config file has the name of a benchmark.
  'src/run/plan/read-tasks.ts': ['spreadsheet'],
}

const metrics = scorers.entries().flatMap(([, scorer]) => scorer.metrics)
const names = new Set([
  ...benchmarks.names(),
  ...scorers.names(),
  ...metrics.flatMap(({ key, label }) => [key, label]),
  // Names of metrics in the first versions.
  'fieldsPassed',
])

/** Strings and properties of a source file; comments are prose. */
function wordsIn(source: string): Set<string> {
  const code = source.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
  const strings = [...code.matchAll(/(['"])((?:\\.|(?!\1).)*)\1/g)].map(([, , text]) => text)
  const templates = [...code.matchAll(/`((?:\\.|[^`\\])*)`/g)].flatMap(([, text = '']) =>
    text.replace(/\$\{[^}]*\}/g, ' ').split(/[^\w-]+/),
  )
  return new Set([...strings, ...templates, ...code.split(/[^\w$]+/)].filter(word => word !== undefined))
}

it('finds a name as a string, in a template and as a property', () => {
  for (const line of ["f('cellF1')", 'f(`a cellF1`)', 'group.cellF1', '{ cellF1: 1 }'])
    expect(wordsIn(line)).toContain('cellF1')
  expect(wordsIn('// cellF1')).not.toContain('cellF1')
})

it.each(['src/report', 'src/run'])(
  '%s names no benchmark, scorer or metric: what it shows comes from the registries',
  folder => {
    const files = readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.ts'))
      .map(file => `${folder}/${file}`)
    const found = files.flatMap(file => {
      const words = wordsIn(readFileSync(join(packageRoot, file), 'utf8'))
      return [...names]
        .filter(name => words.has(name) && others[file]?.includes(name) !== true)
        .map(name => `${file}: ${name}`)
    })
    expect(found).toEqual([])
  },
)
