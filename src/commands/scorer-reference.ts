import { answerKinds } from '../../tasks/kinds/answer-kinds.ts'
import { scorers } from '../../tasks/registry.ts'
import { listScorersForKind } from '../../tasks/scorers.ts'
import { groupBy } from '../core/group-by.ts'
import type { MetricDefinition } from '../core/metric.ts'

const intro = `# Scorers and metrics

This page is generated from the program (\`npm run reference\`). [scoring.md](scoring.md) explains how scoring works.

Choose scorers with \`--scorer NAME,…\`. Each scorer has one primary metric, in bold, which comparisons use. A share is a number
from 0 to 1. Reports print it as a percentage. Every scorer also reports whether an answer of the right kind could be read
(\`answered\`), and whether every item of the gold is right (\`success\`).
`

/**
 * Returns the text of docs/scorers.md: every built-in scorer with its metrics, by the kind of answer that it scores.
 *
 * @example
 * await writeFile('docs/scorers.md', scorerReference())
 */
export function writeScorerReference(): string {
  const parts = [intro]
  for (const [kind, { noun }] of Object.entries(answerKinds)) {
    const names = listScorersForKind(kind as keyof typeof answerKinds)
    parts.push(`## For answers that are ${noun}\n`)
    // Scorers with the same metrics share a table.
    for (const group of groupBy(names, name => scorers.get(name).metrics).values())
      parts.push(...listScorerParts(group))
  }
  return `${parts.join('\n').trimEnd()}\n`
}

function listScorerParts(names: readonly string[]): string[] {
  const summaries = names.map(name => {
    const { summary, needsJudgeModel } = scorers.get(name)
    return `- \`${name}\`: ${summary}.${needsJudgeModel === true ? ' Needs `--judge MODEL`.' : ''}`
  })
  const { metrics } = scorers.get(names[0]!)
  const head = ['', '| key | metric | unit | meaning |', '|---|---|---|---|']
  return [...summaries, ...head, ...metrics.map(writeMetricRow), '']
}

function writeMetricRow({ key, label, unit, range, primary, description }: MetricDefinition): string {
  const [least, most] = range
  const isPlain = unit === 'share' && least === 0 && most === 1
  const bounds = isPlain ? '' : ` (${least ?? '−∞'} to ${most ?? '∞'})`
  const name = primary ? `**${label}**` : label
  return `| \`${key}\` | ${name} | ${unit}${bounds} | ${description.replaceAll('|', '\\|')} |`
}
