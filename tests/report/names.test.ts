import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../src/system/paths.ts'
import { benchmarks, scorers } from '../../tasks/registry.ts'

/** Uses of a name for something else. */
const others: Readonly<Record<string, readonly string[]>> = {
  // Ratings of a whole answer by a judge, which the totals of judging count.
  'src/report/tables/spending-text.ts': ['overall'],
  // How strictly a recorded web is replayed.
  'src/run/queue/shipment.ts': ['strict'],
  'src/run/open-run/environment.ts': ['strict'],
  'src/run/verify-pack.ts': ['strict'],
  // An option of the config file has the name of a benchmark.
  'src/run/plan/read-tasks.ts': ['spreadsheet'],
  // A format of run files, which `export` writes and `logs import` reads, has the name of its benchmark.
  'src/run/export-runs.ts': ['browsecomp-plus'],
}

const metrics = scorers.entries().flatMap(([, scorer]) => scorer.metrics)
/** Written as strings only. */
const entryNames = [...benchmarks.names(), ...scorers.names()]
/** Properties of records and reports too. The last is a metric's name in the first versions. */
const metricNames = [...metrics.flatMap(({ key, label }) => [key, label])]

/** Comments are prose. */
const codeOf = (source: string): string => source.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')

/** The strings of a source file, and the words of its templates. */
function stringsIn(source: string): Set<string | undefined> {
  const code = codeOf(source)
  const strings = [...code.matchAll(/(['"])((?:\\.|(?!\1).)*)\1/g)].map(([, , text]) => text)
  const templates = [...code.matchAll(/`((?:\\.|[^`\\])*)`/g)].flatMap(([, text = '']) =>
    text.replace(/\$\{[^}]*\}/g, ' ').split(/[^\w-]+/),
  )
  return new Set([...strings, ...templates])
}

/** The names of scorers, benchmarks and metrics that a source file contains. */
function namesIn(source: string): string[] {
  const strings = stringsIn(source)
  const words = new Set(codeOf(source).split(/[^\w$]+/))
  const found = [
    ...entryNames.filter(name => strings.has(name)),
    ...metricNames.filter(name => strings.has(name) || words.has(name)),
  ]
  return [...new Set(found)]
}

it('finds names in strings and templates, and names of metrics also as properties', () => {
  for (const line of ["f('cellF1')", 'f(`a cellF1`)', 'group.cellF1', '{ cellF1: 1 }'])
    expect(namesIn(line)).toEqual(['cellF1'])
  for (const line of ["f('rouge-l')", 'f(`a rouge-l`)', "case 'rouge-l':"])
    expect(namesIn(line)).toEqual(['rouge-l'])
  expect(namesIn("// cellF1\n'use strict'")).toEqual([])
})

it.each(['src/report', 'src/run'])('%s contains no name of a benchmark, scorer or metric', folder => {
  const files = readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .map(file => `${folder}/${file}`)
  const found = files.flatMap(file => {
    const names = namesIn(readFileSync(join(packageRoot, file), 'utf8'))
    return names.length === 0 ? [] : [[file, names]]
  })
  const expected = Object.entries(others).filter(([file]) => file.startsWith(`${folder}/`))
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected))
})
