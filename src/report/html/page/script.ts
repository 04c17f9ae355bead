import { attemptViewSource } from './attempt-view.ts'
import { filterAttemptsSource } from './filter-attempts.ts'
import { navigateSource } from './navigate.ts'
import { sortTablesSource } from './sort-tables.ts'

/**
 * The page's script: its functions as text, then their start. Nothing from a record is ever part of it, so that its hash
 * can stand in the page's content policy and no other script runs there.
 */
export function pageScript(): string {
  const functions = [...sortTablesSource, ...filterAttemptsSource, ...attemptViewSource, ...navigateSource]
  return [
    "'use strict';",
    ...functions.map(one => one.toString()),
    'sortTables(document);',
    'filterAttempts(document);',
    'navigate(document, window, { attemptView, traceView });',
  ].join('\n')
}
