import { makeTable, type Table } from '../../core/table.ts'
import type { AuditAgreement, MarkerAgreement } from '../../score/audit.ts'
import { renderTables } from './terminal.ts'

/** The result of an audit: a sheet was written for a person to mark, or the marks in a sheet were read. */
export type AuditResult =
  | { readonly kind: 'written'; readonly sheet: string; readonly items: number }
  | {
      readonly kind: 'read'
      readonly sheet: string
      readonly items: number
      readonly marked: number
      readonly agreement: readonly AuditAgreement[]
      /** Items that a second person marked. Absent, like `markers`, without one. */
      readonly marked2?: number
      readonly markers?: readonly MarkerAgreement[]
    }

/** Formats the result of an audit for a terminal. */
export function formatAudit(audit: AuditResult, folder: string): string {
  const { sheet, items } = audit
  if (audit.kind === 'written')
    return `${sheet}: ${items} items. Fill in the column 'mark' (right, wrong, or a number from 0 to 1), and 'mark2' for a second person. Save the sheet as CSV, and run: tablehunt audit ${folder}\n`
  if (audit.marked === 0 && audit.markers === undefined)
    return `${sheet}: none of the ${items} items is marked. Fill in the column 'mark' and run the same command again.\n`
  const table = makeTable({
    title: `Agreement of the scorer with a person: ${audit.marked} of ${items} items marked`,
    rows: audit.agreement,
    columns: column => [
      column('rule', 'text', row => row.rule),
      column('marked', 'count', row => row.marked),
      column('agreement', 'share', row => row.agreement),
      column("Cohen's kappa", 'agreement', row => row.kappa),
    ],
    remarks: [
      'A score or mark of 0.5 or more counts as right. agreement: percent of the marked items.',
      '–: kappa is undefined, because all marks and scores are the same.',
    ],
  })
  const { markers } = audit
  const tables =
    markers === undefined ? [table] : [makeMarkersTable(audit.marked2 ?? 0, markers, items), table]
  return renderTables(tables, { columns: 100 })
}

function makeMarkersTable(marked2: number, markers: readonly MarkerAgreement[], items: number): Table {
  return makeTable({
    title: `Agreement of two markers: the second marked ${marked2} of ${items} items`,
    rows: markers,
    columns: column => [
      column('between', 'text', row => row.sides),
      column('n', 'count', row => row.items),
      column('agreement', 'share', row => row.agreement),
      column("Cohen's kappa", 'agreement', row => row.kappa),
    ],
    remarks: [
      'n: the items that both sides marked. Items without a mark are left out.',
      'consensus: the items that both markers call right, or both call wrong.',
    ],
  })
}
