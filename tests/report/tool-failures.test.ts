import { expect, it } from 'vitest'
import type { Attempt } from '../../src/core/attempt.ts'
import { buildReport } from '../../src/report/model/build-report.ts'
import { listToolFailureLines } from '../../src/report/tables/end-tables.ts'
import { renderTerminal } from '../../src/report/tables/terminal.ts'
import { makeAttempt, scorers } from './records.ts'

const online = (task: string, toolFailures: Attempt['toolFailures'], variant = ''): Attempt =>
  makeAttempt({ task, setting: 'online', variant, over: toolFailures === undefined ? {} : { toolFailures } })

const none = { calls: 4, failed: {} }

const report = buildReport({
  scorers,
  manifest: { runId: 'r1', startedAt: null, endedAt: null, config: {} },
  attempts: [
    online('a', { search: none, fetch: { calls: 6, failed: { timeout: 1 } } }),
    online('b', { search: none, fetch: { calls: 4, failed: { timeout: 0, 'http-status': 2 } } }),
    // Of a version that did not count.
    online('c', undefined),
    online('a', { search: none, fetch: { calls: 6, failed: { timeout: 1 } } }, 'cot=off'),
  ],
  scores: [],
  skippedTasks: [],
})

it('adds up failed calls by arm and error class', () => {
  const arm = { setting: 'online', model: 'extractive', options: {} }
  expect(report.toolFailures.slice(0, 2)).toEqual([
    { ...arm, tool: 'search', calls: 8, failed: 0, share: 0, classes: {} },
    { ...arm, tool: 'fetch', calls: 10, failed: 3, share: 0.3, classes: { 'http-status': 2, timeout: 1 } },
  ])
})

it('warns about an arm in which a fifth of the calls failed, and shows all arms in a table', () => {
  const warning =
    'Warning: online · extractive: 30.0% of the fetches failed (3 of 10: http-status 2, timeout 1).'
  expect(listToolFailureLines(report)).toEqual([warning])
  const text = renderTerminal(report, { columns: 120 })
  expect(text).toContain(warning)
  expect(text).toMatch(/online \[cot=off\]\s+fetches\s+6\s+1\s+16\.7\s+timeout 1/)
})
