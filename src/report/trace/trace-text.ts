import type { TraceEvent } from '../../../logs/events.ts'
import type { Score } from '../../core/score.ts'
import { withoutControlCharacters } from '../../text/plain-text.ts'
import { listScoringMetrics, type RunScorers, readRecordedValue } from '../model/metrics.ts'
import { nameScoring } from '../model/scorings.ts'
import { formatMetric } from '../tables/value-text.ts'
import { type BlobText, traceSteps } from './trace-steps.ts'

/** Longer texts of a step are cut. --json has the whole text. */
const maxBlockChars = 600

/** Formats a score with the sentences that explain it, for a terminal. */
export function scoreText(score: Score, scorers: RunScorers): string {
  const { scorer, judge, status, cause, explanation = [] } = score
  const { primary } = listScoringMetrics(scorers, scorer)
  const shown =
    primary === null
      ? []
      : [`${primary.label} ${formatMetric(primary, readRecordedValue(score, primary.key))}`]
  const result = status === 'scored' ? shown.join(', ') : `unscored (${cause})`
  const lines = [
    `Score (${nameScoring({ scorer, judge })}): ${result}`,
    ...explanation.map(sentence => `  - ${sentence}`),
  ]
  return withoutControlCharacters(`${lines.join('\n')}\n`)
}

/** Formats a trace for a terminal: a line for each event, with its shortened texts indented below. */
export function traceText(attemptId: string, events: readonly TraceEvent[], blob: BlobText): string {
  const lines = traceSteps(events, blob, { longest: maxBlockChars }).flatMap(
    ({ step, title, facts, blocks }) => [
      `${String(step).padStart(4)}  ${title}${facts === '' ? '' : `  (${facts})`}`,
      ...blocks.flatMap(({ label, text }) => [
        ...(label === '' ? [] : [`        ${label}:`]),
        ...text.split('\n').map(line => `          ${line}`),
      ]),
    ],
  )
  return withoutControlCharacters(`${attemptId}\n${lines.join('\n')}\n`)
}
