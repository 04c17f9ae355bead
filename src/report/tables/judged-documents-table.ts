import { makeTable, type Table } from '../../core/table.ts'
import type { Report } from '../model/report.ts'
import { groupColumns } from './columns.ts'

/** Shows how many of the documents of a fixed corpus that were judged relevant agents found and opened. */
export function judgedDocumentsTable({ groups, facet }: Report): Table {
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
