import type { AuditAgreement, MarkerAgreement } from '../../score/audit.ts'
import { percent } from './numbers.ts'
import { left, right } from './report-table.ts'
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
export function auditText(audit: AuditResult, folder: string): string {
  const { sheet, items } = audit
  if (audit.kind === 'written')
    return `${sheet}: ${items} items. Fill in the column 'mark' (right, wrong, or a number from 0 to 1), and 'mark2' for a second person. Save the sheet as CSV, and run: tablehunt audit ${folder}\n`
  if (audit.marked === 0 && audit.markers === undefined)
    return `${sheet}: none of the ${items} items is marked. Fill in the column 'mark' and run the same command again.\n`
  const table = {
    title: `Agreement of the scorer with a person: ${audit.marked} of ${items} items marked`,
    columns: [left('rule'), ...['marked', 'agreement', "Cohen's kappa"].map(right)],
    rows: audit.agreement.map(row => [
      row.rule,
      String(row.marked),
      percent(row.agreement),
      row.kappa === null ? '–' : row.kappa.toFixed(3),
    ]),
    remarks: [
      'A score or mark of 0.5 or more counts as right. agreement: percent of the marked items.',
      '–: kappa is undefined, because all marks and scores are the same.',
    ],
  }
  const { markers } = audit
  const tables = markers === undefined ? [table] : [markersTable(audit.marked2 ?? 0, markers, items), table]
  return renderTables(tables, { columns: 100 })
}

function markersTable(marked2: number, markers: readonly MarkerAgreement[], items: number) {
  return {
    title: `Agreement of two markers: the second marked ${marked2} of ${items} items`,
    columns: [left('between'), ...['n', 'agreement', "Cohen's kappa"].map(right)],
    rows: markers.map(({ sides, items: n, agreement, kappa }) => [
      sides,
      String(n),
      agreement === null ? '–' : percent(agreement),
      kappa === null ? '–' : kappa.toFixed(3),
    ]),
    remarks: [
      'n: the items that both sides marked. Items without a mark are left out.',
      'consensus: the items that both markers call right, or both call wrong.',
    ],
  }
}
