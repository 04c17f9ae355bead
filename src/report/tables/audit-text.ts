import type { AuditAgreement } from '../../score/audit.ts'
import { percent } from './numbers.ts'
import { left, right } from './report-table.ts'
import { renderTables } from './terminal.ts'

/** A sheet that was written for a person to mark, or what the marks in it say. */
export type AuditResult =
  | { readonly kind: 'written'; readonly sheet: string; readonly items: number }
  | {
      readonly kind: 'read'
      readonly sheet: string
      readonly items: number
      readonly marked: number
      readonly agreement: readonly AuditAgreement[]
    }

/** What an audit came to, for a terminal. */
export function auditText(audit: AuditResult, folder: string): string {
  const { sheet, items } = audit
  if (audit.kind === 'written')
    return `${sheet}: ${items} items. Fill the column 'mark' (right, wrong, or 0 to 1), save it as CSV, then: tablehunt audit ${folder}\n`
  if (audit.marked === 0) return `${sheet}: none of its ${items} items is marked yet.\n`
  const table = {
    title: `A person beside the scorer: ${audit.marked} of ${items} items marked`,
    columns: [left('rule'), ...['marked', 'agreement', "Cohen's kappa"].map(right)],
    rows: audit.agreement.map(row => [
      row.rule,
      String(row.marked),
      percent(row.agreement),
      row.kappa === null ? '–' : row.kappa.toFixed(3),
    ]),
    remarks: [
      'Right is a score or mark of 0.5 or more. – : kappa is not defined where all are marked and scored alike.',
    ],
  }
  return renderTables([table], { columns: 100 })
}
