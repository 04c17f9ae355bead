import { expect, it } from 'vitest'
import { attemptListHtml, filtersHtml } from '../../src/report/html/html-parts.ts'
import { makeAttempt, makeScore } from './records.ts'

it.each([
  ['aoe', 'cell F1', 'fields passed'],
  ['extract-bench', 'fields passed', 'cell F1'],
])('names the score by its profile %s, whatever the benchmark', (profile, name, other) => {
  const attempts = [makeAttempt({ task: 't', setting: 'rag', over: { benchmark: 'another' } })]
  const scoreOf = () => makeScore(attempts[0]!, 0.5, { profile })
  const html = [filtersHtml(attempts, scoreOf), ...attemptListHtml(attempts, scoreOf, 'all')].join('')
  expect(html).toContain(name)
  expect(html).not.toContain(other)
})
