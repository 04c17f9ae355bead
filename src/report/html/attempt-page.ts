import { settingLabel } from '../../core/arm.ts'
import type { Attempt } from '../../core/attempt.ts'
import { hasChangedClock } from '../../core/attempt.ts'
import type { TableGold } from '../../core/gold.ts'
import { groupBy } from '../../core/group-by.ts'
import type { MetricDefinition } from '../../core/metric.ts'
import type { Registry } from '../../core/registry.ts'
import type { Score } from '../../core/score.ts'
import { listItems, nameGoldRow, readGoldKeys, unratedItems } from '../../core/score-items.ts'
import type { ScoredCell, ScoredItem } from '../../core/scored-item.ts'
import type { Task } from '../../core/task.ts'
import type { Scorer } from '../../score/contract/scorer.ts'
import type { CsvTable } from '../../score/pandas/csv.ts'
import { type ScorerDifference, scoreWithOther } from '../../score/table/scorer-difference.ts'
import { readWrittenCsv } from '../../text/csv.ts'
import { capitalise } from '../../text/plain-text.ts'
import { listScoringMetrics, type RunScorers, readRecordedValue } from '../model/metrics.ts'
import { formatUnrated } from '../model/record-notes.ts'
import type { AttemptData, CellData, DifferenceData, ForkData, ScoringData } from '../page/attempt-data.ts'
import {
  formatCompactCount,
  formatDollars,
  formatPercent,
  formatSeconds,
  meanText,
} from '../tables/value-text.ts'
import type { ShownTrace } from '../trace/trace-steps.ts'

function answerTable(attempt: Attempt): { header: string[]; rows: string[][] } {
  if (attempt.answer.csv === null) return { header: [], rows: [] }
  const [header = [], ...rows] = readWrittenCsv(attempt.answer.csv)
  return { header, rows }
}

/** Adds row numbers to the answer's table, because cells name the answer row that they were compared with. */
function numberRows({ header, rows }: CsvTable): { header: string[]; rows: string[][] } {
  if (header.length === 0) return { header: [], rows: [] }
  return { header: ['row', ...header], rows: rows.map((row, at) => [String(at + 1), ...row]) }
}

function answerNote(attempt: Attempt): string {
  const { parseStatus, parseNote, rows } = attempt.answer
  if (parseStatus === 'none' && attempt.termination.answerProduced)
    return `The answer contains no table, JSON value or text of the requested kind. Its text is in answers/${attempt.attemptId}.txt.`
  const what = {
    table: `A table of ${rows ?? 0} rows.`,
    json: 'A JSON value.',
    text: 'A text.',
    unreadable: 'The answer could not be read.',
    none: 'No answer.',
  }
  return `${what[parseStatus]}${parseNote === null ? '' : ` ${parseNote}`}`
}

function listAttemptFacts(attempt: Attempt): [string, string][] {
  const { termination: end, usage, retrieval } = attempt
  const flags = [end.forcedFinal ? 'forced final' : '', end.answerProduced ? '' : 'no readable answer']
  const facts: [string, string | null][] = [
    ['attempt', attempt.attemptId],
    ['id in the log', attempt.sourceId ?? null],
    ['forked from', forkText(attempt)],
    ['task', `${attempt.taskId} (${attempt.domain}, ${attempt.language})`],
    ['model', attempt.model],
    ['end', [`${end.cause} / ${end.reason}`, ...flags.filter(flag => flag !== '')].join(', ')],
    ['detail', end.detail],
    [
      'tokens',
      `${formatCompactCount(usage.inputTokens)} in (${formatCompactCount(usage.cachedInputTokens)} cached), ${formatCompactCount(usage.outputTokens)} out${usage.uncertain === true ? ' (usage: uncertain)' : ''}`,
    ],
    [
      'calls',
      `${formatCompactCount(usage.modelCalls)} model, ${formatCompactCount(usage.searchCalls)} searches, ${formatCompactCount(usage.fetchCalls)} fetches, ${formatCompactCount(usage.toolErrors)} tool errors`,
    ],
    [
      'time',
      hasChangedClock(attempt)
        ? 'unknown (the clock was changed)'
        : `${formatSeconds(usage.wallMs)} s, ${formatSeconds(usage.workingMs)} s working`,
    ],
    ['cost', usage.usd === null ? null : `US$ ${formatDollars(usage.usd)}`],
    [
      'retrieval',
      retrieval === null
        ? null
        : `${retrieval.retriever}, ${retrieval.embedder}, ${retrieval.chunksInPrompt} chunks in the prompt, coverage ${formatPercent(retrieval.coverage)}%, evidence in the prompt ${formatPercent(retrieval.evidenceInPrompt)}%, noise ${formatPercent(retrieval.noise)}%`,
    ],
    [
      'missing',
      attempt.missingDocuments?.map(({ name, problem }) => `${name}: ${problem}`).join('; ') ?? null,
    ],
    ...(attempt.openedInPart ?? []).map(({ url, notices }): [string, string] => [url, notices.join('; ')]),
    ...(attempt.context?.documents ?? []).map((document): [string, string] => [
      document.hint,
      `${document.charsInPrompt} of ${document.chars} characters in the prompt${[
        document.problem ?? [],
        document.notices ?? [],
      ]
        .flat()
        .map(text => `: ${text}`)
        .join('')}`,
    ]),
  ]
  return facts.filter((fact): fact is [string, string] => fact[1] !== null)
}

/** Says where an attempt was forked, and what was changed; null for an attempt that is no fork. */
function forkText({ fork }: Attempt): string | null {
  if (fork === undefined) return null
  const { attemptId, atStep, intervention, replayed, tookEffect } = fork
  const effect = tookEffect === false ? ' (nothing was changed: no further call)' : ''
  return `${attemptId}, live from step ${atStep}, change: ${intervention.kind}${intervention.value === null ? '' : ` ${intervention.value}`}${effect}; model calls replayed: ${formatCompactCount(replayed.modelCalls)}`
}

function listDiscovery(attempt: Attempt): string[][] {
  if (attempt.discovery === null) return []
  const step = (value: number | null): string => (value === null ? '–' : `step ${value}`)
  return [
    ['document', 'surfaced', 'opened', 'parsed', 'used', 'query', 'address'],
    ...attempt.discovery.hints.map(hint => [
      hint.hint,
      step(hint.surfacedStep),
      step(hint.openedStep),
      step(hint.parsedStep),
      step(hint.usedStep),
      hint.query ?? '–',
      hint.url ?? '–',
    ]),
  ]
}

const funnelStages = ['surfaced', 'opened', 'parsed', 'used'] as const

function listFunnelStages({ discovery }: Attempt): AttemptData['funnel'] {
  const hints = discovery?.hints ?? []
  return funnelStages.map(stage => ({
    stage,
    reached: hints.filter(hint => hint[`${stage}Step`] !== null).length,
    of: hints.length,
  }))
}

function describeCell(cell: ScoredCell): Omit<CellData, 'item'> {
  const { gold, predicted, score, rule, matched, evidence } = cell
  return {
    ...{ gold, predicted, score, rule, class: cell.class ?? '', match: matchText(matched) },
    ...(matched === null || matched === undefined ? {} : { row: matched.row }),
    ...(evidence === undefined ? {} : { evidence }),
  }
}

/** Names the matched answer row as `row 3, similarity 91`. Rows are numbered from 1, as in the answer's table. */
function matchText(matched: ScoredCell['matched']): string {
  if (matched === null || matched === undefined) return ''
  const { row, by, similarity } = matched
  return `row ${row + 1}, ${by}${similarity === null ? '' : ` ${similarity}`}`
}

function writeResultLine({ scorer, judge }: Score, result: string): string {
  return `${capitalise(result)} (scorer ${scorer}, judge ${judge})`
}

/** Lists the scores, the primary metric first: `Cell F1 95.0, Row F1 100.0`. */
function formatResult(score: Score, scorers: RunScorers): string {
  if (score.status === 'unscored') return `unscored: ${score.cause ?? 'unknown'}`
  const texts = listScoringMetrics(scorers, score.scorer).scores.map(
    metric => `${metric.label} ${scoreText(score, metric)}`,
  )
  const unrated = unratedItems(score)
  return [
    ...texts,
    ...(unrated > 0 ? [formatUnrated(unrated, listItems(score).length)] : []),
    ...(score.answered ? [] : ['not answered']),
  ].join(', ')
}

/** Formats a metric of a score, or both of its bounds when a judge did not rate all items. */
function scoreText({ bounds, ...score }: Score, metric: MetricDefinition): string {
  return meanText(metric, {
    mean: readRecordedValue(score, metric.key),
    bounds: bounds?.[metric.key] ?? null,
  })
}

/** Shows what the score compared: the gold table beside the answer, or the items of any other gold. */
function describeScorings(
  score: Score,
  { task, scorers }: { readonly task: Task | null; readonly scorers: RunScorers },
  difference: ScorerDifference | null,
): ScoringData[] {
  const result = formatResult(score, scorers)
  if (score.kind !== 'table') return describeItems(score, result)
  const gold = task?.gold.kind === 'table' && score.turns === undefined ? task.gold : null
  return [
    {
      title: `Gold beside answer (scorer ${score.scorer}, judge ${score.judge}): ${result}`,
      result: writeResultLine(score, result),
      ...describeGoldTable(score.cells, gold),
      explanation: score.explanation ?? [],
      difference: difference === null ? null : describeDifference(score.scorer, difference, gold),
    },
  ]
}

/** Shows the gold table as it was scored. The first columns are the keys, or the row number if the gold is not available. */
function describeGoldTable(
  cells: readonly ScoredCell[],
  gold: TableGold | null,
): { columns: string[]; rows: ScoringData['rows'] } {
  const keys = gold === null ? ['row'] : gold.keyColumns
  const targets = [...new Set(cells.map(cell => cell.column))]
  const indexes = new Map(cells.map((cell, at) => [cell, at]))
  const rows = groupBy(cells, ({ turn, goldRow }) => JSON.stringify([turn ?? 0, goldRow]))
  return {
    columns: [...keys, ...targets],
    rows: [...rows.values()].map(row => [
      ...listGoldKeys(row[0]!, gold),
      ...targets.map(column => {
        const cell = row.find(candidate => candidate.column === column)
        return cell === undefined ? '' : { ...describeCell(cell), item: indexes.get(cell) ?? 0 }
      }),
    ]),
  }
}

function listGoldKeys({ turn, goldRow }: ScoredCell, gold: TableGold | null): string[] {
  return gold === null && turn !== undefined
    ? [`turn ${turn + 1}: ${goldRow + 1}`]
    : readGoldKeys(goldRow, gold)
}

/** Shows the cells that another scorer rates differently, each with both verdicts. */
function describeDifference(
  firstScorer: string,
  { scorer, cells }: ScorerDifference,
  gold: TableGold | null,
): DifferenceData {
  const verdict = (predicted: string | null, score: number | null, rule: string, match: string): string =>
    `${predicted === null ? 'no row' : predicted === '' ? 'empty' : predicted} (${[formatPercent(score), rule, match].filter(part => part !== '').join(' · ')})`
  return {
    title: `Scorer ${scorer} rates ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'} differently`,
    remark: `The score above is from scorer ${firstScorer} and does not change. Each verdict contains the answer's value, the score in percent, the rule and the answer's row.`,
    header: ['gold row', 'column', 'gold', `scorer ${firstScorer}`, `scorer ${scorer}`],
    rows: cells.map(({ own: cell, other: otherCell, otherMatch }) => [
      nameGoldRow(cell.goldRow, gold),
      cell.column,
      cell.gold,
      verdict(cell.predicted, cell.score, cell.rule, matchText(cell.matched)),
      verdict(otherCell.predicted, otherCell.rating.score, otherCell.rating.rule, matchText(otherMatch)),
    ]),
  }
}

/** Shows the fields of a schema, if the scorer has them, then the items of a gold that is not a table. */
function describeItems(score: Score, result: string): ScoringData[] {
  const { extract, items, scorer, judge, explanation = [] } = score
  const by = `(scorer ${scorer}, judge ${judge}): ${result}`
  const common = { result: writeResultLine(score, result), difference: null }
  const fields = (extract?.nodes ?? []).map(node => [
    node.path,
    node.metric,
    node.score.toFixed(2),
    node.passed ? 'yes' : 'no',
    node.presence,
  ])
  const fieldData: ScoringData = {
    ...common,
    title: `Fields of the schema ${by}`,
    columns: ['field', 'metric', 'score', 'passed', 'presence'],
    rows: fields,
    explanation,
  }
  const itemData: ScoringData = {
    ...common,
    title: `Items of the gold ${by}`,
    columns: ['item', 'gold above answer'],
    rows: items.map((item, at) => [nameItem(item), { ...describeItem(item), item: at }]),
    explanation: fields.length > 0 ? [] : explanation,
  }
  return [
    ...(fields.length > 0 ? [fieldData] : []),
    ...(items.length > 0 || fields.length === 0 ? [itemData] : []),
  ]
}

function nameItem({ id, path, turn }: ScoredItem): string {
  return turn === undefined ? (path ?? id) : `turn ${turn + 1}: ${path ?? id}`
}

function describeItem({
  gold,
  predicted,
  score,
  rule,
  class: itemClass,
  evidence,
}: ScoredItem): Omit<CellData, 'item'> {
  const place = evidence === undefined ? {} : { evidence }
  return { gold, predicted, score, rule, class: itemClass ?? '', match: '', ...place }
}

/** Longer answers are cut. */
const maxAnswerChars = 20_000

/** Returns an answer that is JSON or a text, or null when it is a table or missing. */
function answerText({ answer }: Attempt): string | null {
  const text = answer.json === undefined ? answer.text : JSON.stringify(answer.json, null, 2)
  if (text === undefined) return null
  const rest = text.length - maxAnswerChars
  return rest <= 0 ? text : `${text.slice(0, maxAnswerChars)}\n… ${rest} more characters in attempts.jsonl`
}

/** An attempt with its scores, and the metrics of their scorers. */
interface ScoredAttempt {
  readonly attempt: Attempt
  readonly scores: readonly Score[]
  readonly scorers: RunScorers
  /** Scores tables a second time, by another scorer. Absent: the page shows no such difference. */
  readonly registry?: Registry<Scorer> | undefined
  /** The forks of the same source. Absent: none. */
  readonly forks?: readonly ForkData[]
}

/**
 * Collects the data of an attempt's page.
 *
 * @param trace - Null when the trace is not part of the file. Then `view` loads it, and a plain file names `view`.
 */
export async function makeAttemptPage(
  { attempt, scores, scorers, registry, forks = [] }: ScoredAttempt,
  task: Task | null,
  trace: ShownTrace | null,
): Promise<AttemptData> {
  const table = answerTable(attempt)
  const scorings: ScoringData[] = []
  for (const score of scores) {
    const difference =
      registry === undefined ? null : await scoreWithOther(score, { attempt, answer: table, task }, registry)
    scorings.push(...describeScorings(score, { task, scorers }, difference))
  }
  return {
    id: attempt.attemptId,
    taskId: attempt.taskId,
    title: `${attempt.taskId} · ${settingLabel(attempt)} · ${attempt.model}${attempt.trial === 0 ? '' : ` · trial ${attempt.trial}`}`,
    facts: listAttemptFacts(attempt),
    questions: task === null ? [] : [task.question, ...(task.question.turns ?? [])].map(({ query }) => query),
    documentNames: task?.question.documentNames ?? [],
    funnel: listFunnelStages(attempt),
    discovery: listDiscovery(attempt),
    scorings,
    forks,
    answer: { note: answerNote(attempt), ...numberRows(table), text: answerText(attempt) },
    trace,
  }
}
