import { armLabel, modelNaming } from '../model/arm-names.ts'
import { metricsOf } from '../model/metrics.ts'
import type { Report } from '../model/report.ts'
import type { LossClass } from '../model/report-rows.ts'
import { scoringOf, scorings } from '../model/scorings.ts'
import { groupCells, groupColumns } from './group-columns.ts'
import { headOf, metricText } from './metric-text.ts'
import { percent } from './numbers.ts'
import { type ReportTable, readingOrder, right } from './report-table.ts'

/** How much of the evidence of the gold's items retrieval found: one row for each retriever and domain. */
export function retrievalTables(report: Report): ReportTable[] {
  const all = report.groups.filter(group => group.evidenceRecall !== null)
  return scorings(all).map(scoring => {
    const groups = readingOrder(all.filter(group => scoringOf(group) === scoring))
    const models = modelNaming(groups)
    const { primary, itemNoun } = metricsOf(report.scorers, groups[0]?.profile ?? 'none')
    const ks = [...new Set(groups.flatMap(group => Object.keys(group.evidenceRecall ?? {})))]
    const sorted = ks.sort((a, b) => Number(a) - Number(b))
    return {
      title: `Retrieval (${scoring}, embedder ${report.run.embedder ?? 'none'})`,
      columns: [
        ...groupColumns(models, report.facet),
        ...sorted.map(k => right(`recall@${k}`)),
        right('in prompt'),
        right('coverage'),
        right('noise'),
        ...(primary === null ? [] : [right(headOf(primary))]),
      ],
      rows: groups.map(group => [
        ...groupCells(group, models, report.facet),
        ...sorted.map(k => percent(group.evidenceRecall?.[k] ?? null)),
        percent(group.evidenceInPrompt),
        percent(group.coverage),
        percent(group.noise),
        ...(primary === null ? [] : [metricText(primary, group.metrics[primary.key]?.mean ?? null)]),
      ]),
      remarks: [
        `recall@k: share of the gold ${itemNoun}s with evidence in the documents whose evidence is in the first k chunks. coverage: mean over a task's documents of the share of each one's characters in the prompt; noise: share of the retrieved characters in chunks without a gold value.`,
      ],
    }
  })
}

/** Where each setting lost items of the gold, by the loss ledger. */
export function waterfallTables(report: Report): ReportTable[] {
  return scorings(report.waterfall).map(scoring => {
    const rows = report.waterfall.filter(row => scoringOf(row) === scoring)
    const models = modelNaming(rows)
    const { itemNoun } = metricsOf(report.scorers, rows[0]?.profile ?? 'none')
    const present = new Set(rows.flatMap(row => Object.keys(row.classes)))
    const classes = waterfallClasses.filter(name => present.has(name))
    const controlled = rows.some(row => row.foundOnly !== undefined)
    return {
      title: `Where ${itemNoun}s were lost (${scoring})`,
      columns: [
        ...groupColumns(models, report.facet),
        right('recall'),
        ...(controlled ? [right('found-only')] : []),
        ...classes.map(right),
      ],
      rows: readingOrder(rows).map(row => [
        ...groupCells(row, models, report.facet),
        percent(row.recall),
        ...(controlled ? [row.foundOnly === undefined ? '' : percent(row.foundOnly)] : []),
        ...classes.map(name => percent(row.classes[name] ?? 0)),
      ]),
      remarks: [
        `Percent of the gold ${itemNoun}s, means over tasks, n scored attempts; recall and classes add up to 100.`,
        ...(classes.length === 0
          ? []
          : [`${classes.map(name => `${name}: ${lossMeanings[name]}`).join('; ')}.`]),
        ...unseenRemarks(report, scoring),
        ...(controlled
          ? [
              'found-only: recall of offline on just the documents that online opened and parsed, over the scored attempts of that control: its own row has their n.',
            ]
          : []),
      ],
    }
  })
}

/** What each arm had right without having been shown it; none where everything that is right was shown. */
function unseenRemarks(report: Report, scoring: string): string[] {
  const rows = report.unseen.filter(
    row => scoringOf(row) === scoring && row.domain === 'all' && row.share > 0,
  )
  const models = modelNaming(report.groups)
  const nounOf = ({ profile }: (typeof rows)[number]): string => metricsOf(report.scorers, profile).itemNoun
  return rows.map(row => {
    const closedBook =
      row.alsoClosedBook === null ? '' : ` (of these ${percent(row.alsoClosedBook)}% also right closed-book)`
    return `${armLabel(row, models)}: right without having been seen: ${percent(row.share)}% of the gold ${nounOf(row)}s${closedBook}.`
  })
}

/** In the order in which an item can be lost. */
export const waterfallClasses: readonly LossClass[] = [
  'no-evidence',
  'not-surfaced',
  'not-opened',
  'not-parsed',
  'not-in-view',
  'not-retrieved',
  'not-in-answer',
  'wrong',
  'unreadable',
  'budget',
  'unknown',
]

/** What a reader is told about each class of lost items. */
const lossMeanings: Readonly<Record<LossClass, string>> = {
  'no-evidence': 'the gold value was not found in any document',
  'not-surfaced': 'the agent did not find its document',
  'not-opened': 'the agent did not open its document',
  'not-parsed': 'the agent got no text from its document',
  'not-in-view': 'the model was not shown that part of its document',
  'not-retrieved': 'no retrieved chunk contains it',
  'not-in-answer': 'the model was shown the value, or asked closed-book, and the answer lacks it',
  wrong:
    'the model was shown the value, or asked closed-book, and the answer differs, or the credit is partial',
  unreadable: 'the answer contains nothing of the asked kind that can be read',
  budget: 'the budget ended before an answer',
  unknown: 'lost, and nobody knows where, because the evidence or the documents of the task are unknown',
}
