import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Benchmark } from '../../tasks/benchmark.ts'
import { benchmarks } from '../../tasks/registry.ts'
import { packageRoot } from '../system/paths.ts'

const intro = `# Built-in benchmarks

This page is generated from the program (\`npm run reference\`). \`npx tablehunt info benchmarks\` prints the same in a terminal.
[benchmarks.md](benchmarks.md) explains what a benchmark is, and how to add one.

Data of others is never part of the package. Download it from the address below, and name it with \`--tasks\`. Settings
in brackets are not defaults. The first scorer of each kind of answer is the default. A live web refuses to open the answer hosts, because they publish the answers.
`

/**
 * Returns the text of docs/benchmark-list.md: every built-in benchmark with its data, settings and scorers.
 *
 * @example
 * await writeFile('docs/benchmark-list.md', benchmarkReference())
 */
export function writeBenchmarkReference(): string {
  const parts = benchmarks.entries().map(([name, benchmark]) => writeSection(name, benchmark))
  return `${[intro, ...parts].join('\n').trimEnd()}\n`
}

function writeSection(name: string, benchmark: Benchmark): string {
  const { summary, answerKinds, settings, otherSettings, scorers, cut, answerHosts, data } = benchmark
  const rows = [
    ['page', existsSync(join(packageRoot, 'docs', `${name}.md`)) ? `[${name}.md](${name}.md)` : undefined],
    ['`--tasks`', summary],
    ['data', data?.source ?? 'your own'],
    ['licence', data?.licence],
    ['download', data?.layout],
    ['answers', answerKinds.join(', ')],
    ['`--setting`', formatSettingNames(settings, otherSettings)],
    ['`--scorer`', formatNames(scorers)],
    ['`--cut`', cut === 'even' ? undefined : `\`${cut}\``],
    ['answer hosts', formatNames(answerHosts)],
  ].filter(([, value]) => value !== undefined && value !== '')
  const lines = rows.map(([title, value]) => `| ${title} | ${value!.replaceAll('|', '\\|')} |`)
  return [`## ${name}\n`, '| | |', '|---|---|', ...lines, ''].join('\n')
}

function formatSettingNames(usual: readonly string[], others: readonly string[]): string {
  return others.length === 0 ? formatNames(usual) : `${formatNames(usual)} (${formatNames(others)})`
}

const formatNames = (list: readonly string[]): string => list.map(name => `\`${name}\``).join(', ')
