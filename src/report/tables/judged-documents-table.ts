import { modelNaming } from '../model/arm-names.ts'
import type { Report } from '../model/report.ts'
import { groupCells, groupColumns } from './group-columns.ts'
import { compactCount, percent } from './numbers.ts'
import { type ReportTable, right } from './report-table.ts'

/** Shows how many of the documents of a fixed corpus that were judged relevant agents found and opened. */
export function judgedDocumentsTable({ groups, facet }: Report): ReportTable {
  const models = modelNaming(groups)
  return {
    title: 'Judged documents found by agents',
    columns: [
      ...groupColumns(models, facet),
      ...['scored', 'evidence found', 'evidence opened', 'gold found', 'gold opened', 'searches'].map(right),
    ],
    rows: groups.flatMap(group => {
      const judged = group.discovery?.judged ?? null
      if (judged === null) return []
      return [
        [
          ...groupCells(group, models, facet),
          String(group.scored),
          percent(judged.evidence.surfaced),
          percent(judged.evidence.opened),
          percent(judged.gold.surfaced),
          percent(judged.gold.opened),
          compactCount(group.searchCalls),
        ],
      ]
    }),
    remarks: [
      'Means over scored attempts, shares in percent. found: a search returned the document. Gold documents contain the answer and are evidence too.',
    ],
  }
}
