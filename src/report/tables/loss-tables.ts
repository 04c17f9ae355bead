import { abstentionMetric, hallucinationMetric } from '../../core/metric.ts'
import { makeTable, type Table } from '../../core/table.ts'
import { labelArm, nameModels } from '../model/arm-names.ts'
import { listScoringMetrics } from '../model/metrics.ts'
import type { Report } from '../model/report.ts'
import type { ReportGroup } from '../model/report-group.ts'
import type { WaterfallRow } from '../model/report-rows.ts'
import { listScorings, nameScoring } from '../model/scorings.ts'
import { lossClasses, lossMeanings } from '../model/waterfall.ts'
import { groupColumns, measureCell, sortForReading } from './columns.ts'
import { breakHead, formatMetricHead, formatPercent } from './value-text.ts'

/** Shows how much of the evidence for the gold items retrieval found. One row for each retriever and domain. */
export function makeRetrievalTables(report: Report): Table[] {
  const groupsWithRecall = report.groups.filter(group => group.evidenceRecall !== null)
  return listScorings(groupsWithRecall).map(scoring => {
    const groups = sortForReading(groupsWithRecall.filter(group => nameScoring(group) === scoring))
    const { primary, itemNoun } = listScoringMetrics(report.scorers, groups[0]?.scorer ?? 'none')
    const ks = [...new Set(groups.flatMap(group => Object.keys(group.evidenceRecall ?? {})))]
    const sorted = ks.sort((a, b) => Number(a) - Number(b))
    return makeTable({
      title: `Retrieval (${scoring}, embedder ${report.run.embedder ?? 'none'})`,
      rows: groups,
      columns: column => [
        ...groupColumns<ReportGroup>(report.facet),
        ...sorted.map(k =>
          column(`recall@${k}`, 'share', (group: ReportGroup) => group.evidenceRecall?.[k] ?? null),
        ),
        column('in prompt', 'share', group => group.evidenceInPrompt),
        column('coverage', 'share', group => group.coverage),
        column('noise', 'share', group => group.noise),
        ...(primary === null
          ? []
          : [
              column(
                primary.label,
                'mean',
                (group: ReportGroup) =>
                  measureCell(primary, { mean: group.metrics[primary.key]?.mean ?? null }),
                { head: formatMetricHead(primary) },
              ),
            ]),
      ],
      remarks: [
        `recall@k: of the gold ${itemNoun}s with evidence in the documents, the share with evidence in the first k chunks.`,
        "in prompt: the same for the chunks in the prompt. coverage: share of each document's characters in the prompt, averaged over a task's documents.",
        'noise: share of the retrieved characters in chunks without a gold value.',
      ],
    })
  })
}

/** What the tables of lost items are made of. */
type LossSource = Report

/** Shows where each arm lost gold items, by class of the loss ledger. */
export function makeWaterfallTables(report: LossSource): Table[] {
  return listScorings(report.waterfall).map(scoring => {
    const rows = report.waterfall.filter(row => nameScoring(row) === scoring)
    const { itemNoun } = listScoringMetrics(report.scorers, rows[0]?.scorer ?? 'none')
    const present = new Set(rows.flatMap(row => Object.keys(row.classes)))
    const classes = lossClasses.filter(name => present.has(name))
    const controlled = rows.some(row => row.foundOnly !== undefined)
    return makeTable({
      title: `Where ${itemNoun}s were lost (${scoring})`,
      rows: sortForReading(rows),
      columns: column => [
        ...groupColumns<WaterfallRow>(report.facet),
        column('recall', 'share', row => row.recall),
        ...(controlled
          ? [column('found-only', 'share', (row: WaterfallRow) => row.foundOnly ?? ('' as const))]
          : []),
        ...classes.map(name => column(name, 'share', (row: WaterfallRow) => row.classes[name] ?? 0)),
      ],
      remarks: [
        `Percent of the gold ${itemNoun}s, means over tasks, over n scored attempts. Recall and the classes of lost ${itemNoun}s add up to 100.`,
        ...(report.groups.some(group => nameScoring(group) === scoring && group.unratedItems > 0)
          ? [`Without the ${itemNoun}s that the judge did not rate.`]
          : []),
        ...classes.map(name => `${name}: ${lossMeanings[name]}.`),
        ...listFindabilityRemarks(report, scoring, itemNoun),
        ...listUnseenRemarks(report, scoring),
        ...(controlled
          ? [
              'found-only: recall of the control that answers offline from the documents that online opened and parsed. The row of the control has its own n.',
            ]
          : []),
      ],
    })
  })
}

/** Says how often the search for evidence was wrong, and how many items may be on unread pages. */
function listFindabilityRemarks({ findability }: LossSource, scoring: string, itemNoun: string): string[] {
  const row = findability.find(candidate => nameScoring(candidate) === scoring)
  if (row === undefined) return []
  const { items, unfindable, correctElsewhere, errorRate, unread } = row
  const missed =
    errorRate === null
      ? []
      : [
          `Search for evidence: ${unfindable} of ${items} distinct gold ${itemNoun}s have the class no-evidence in at least one attempt. ${correctElsewhere} of these (${formatPercent(errorRate)}%) are correct in another attempt with documents, so the search missed their evidence.`,
        ]
  return unread === 0
    ? missed
    : [
        ...missed,
        `${unread} of ${items} distinct gold ${itemNoun}s may be on pages that Tablehunt could not read.`,
      ]
}

/** Shows how often each arm answers wrongly, and how often it gives no answer. */
export function makeFailureModeTables(report: Report): Table[] {
  const ratedGroups = report.groups.filter(
    ({ metrics, domain }) => domain !== 'allByDomain' && metrics[hallucinationMetric.key]?.mean !== undefined,
  )
  return listScorings(ratedGroups).map(scoring => {
    const groups = sortForReading(ratedGroups.filter(group => nameScoring(group) === scoring))
    const { itemNoun } = listScoringMetrics(report.scorers, groups[0]?.scorer ?? 'none')
    return makeTable({
      title: `Wrong and missing values (${scoring})`,
      rows: groups,
      columns: column => [
        ...groupColumns<ReportGroup>(report.facet),
        ...[hallucinationMetric, abstentionMetric].map(({ key, label }) =>
          column(label, 'share', (group: ReportGroup) => group.metrics[key]?.mean ?? null, {
            head: breakHead(label),
          }),
        ),
      ],
      remarks: [
        'Percent, means over tasks. Lower is better.',
        `hallucination rate: the share of wrong or invented values among the answer's values for gold ${itemNoun}s.`,
        `abstention rate: the share of the gold ${itemNoun}s with a value for which the answer has none.`,
      ],
    })
  })
}

/** Reports the items that an arm answered correctly without having been shown them. */
function listUnseenRemarks(report: LossSource, scoring: string): string[] {
  const rows = report.unseen.filter(
    row => nameScoring(row) === scoring && row.domain === 'all' && row.share > 0,
  )
  const models = nameModels(report.groups)
  const nounOf = ({ scorer }: (typeof rows)[number]): string =>
    listScoringMetrics(report.scorers, scorer).itemNoun
  return rows.map(row => {
    const closedBook =
      row.alsoClosedBook === null
        ? ''
        : ` Of these, ${formatPercent(row.alsoClosedBook)}% are also correct closed-book.`
    return `${labelArm(row, models)}: ${formatPercent(row.share)}% of the gold ${nounOf(row)}s are correct although the model was never shown them.${closedBook}`
  })
}

/** Shows how many of the documents of a fixed corpus that were judged relevant agents found and opened. */
export function makeJudgedDocumentsTable({ groups, facet }: Report): Table {
  return makeTable({
    title: 'Judged documents found by agents',
    rows: groups.flatMap(group => {
      const judged = group.discovery?.judged ?? null
      return judged === null ? [] : [{ ...group, judged }]
    }),
    columns: column => [
      ...groupColumns(facet),
      column('scored', 'count', group => group.scored),
      column('evidence found', 'share', ({ judged }) => judged.evidence.surfaced),
      column('evidence opened', 'share', ({ judged }) => judged.evidence.opened),
      column('gold found', 'share', ({ judged }) => judged.gold.surfaced),
      column('gold opened', 'share', ({ judged }) => judged.gold.opened),
      column('searches', 'amount', group => group.searchCalls),
    ],
    remarks: [
      'Means over scored attempts, shares in percent. found: a search returned the document. Gold documents contain the answer and are evidence too.',
    ],
  })
}
