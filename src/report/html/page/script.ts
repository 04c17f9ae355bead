import { attemptViewSource } from './attempt-view.ts'
import { filterAttemptsSource } from './filter-attempts.ts'
import { navigateSource } from './navigate.ts'
import { sortTablesSource } from './sort-tables.ts'

/**
 * Returns the page's script: the source of its functions, then the calls that start them. It contains no text from
 * records, so the page's content policy can allow it by its hash and block every other script.
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
