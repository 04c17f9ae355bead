import type { AuditAgreement } from '../../score/audit.ts'
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
    }

/** Formats the result of an audit for a terminal. */
export function auditText(audit: AuditResult, folder: string): string {
  const { sheet, items } = audit
  if (audit.kind === 'written')
    return `${sheet}: ${items} items. Fill in the column 'mark' (right, wrong, or a number from 0 to 1), save the sheet as CSV, and run: tablehunt audit ${folder}\n`
  if (audit.marked === 0)
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
  return renderTables([table], { columns: 100 })
}
