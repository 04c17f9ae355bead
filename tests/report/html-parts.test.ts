import { expect, it } from 'vitest'
import { attemptListHtml, filtersHtml, listedScores } from '../../src/report/html/html-parts.ts'
import { makeAttempt, makeScore, scorers } from './records.ts'

it.each([
  ['aoe', 'Cell F1', 'Fields passed'],
  ['extract-bench', 'Fields passed', 'Cell F1'],
])('lists the metrics of scorer %s for any benchmark', (profile, name, other) => {
  const attempts = [makeAttempt({ task: 't', setting: 'rag', over: { benchmark: 'another' } })]
  const scoreOf = () => makeScore(attempts[0]!, 0.5, { profile })
  const listed = listedScores(attempts, scoreOf, scorers)
  const html = [filtersHtml(attempts, listed), ...attemptListHtml(attempts, listed, 'all')].join('')
  expect(html).toContain(name)
  expect(html).not.toContain(other)
})
