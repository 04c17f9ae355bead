import { join } from 'node:path'
import { expect, it } from 'vitest'
import { reportFile } from '../../src/run/report-run.ts'

it.each([
  ['domain', 'report.html'],
  ['tier', 'report-by-tier.html'],
  ['task type', 'report-by-task-type.html'],
  ['../x', 'report-by-..-x.html'],
])('writes a report by %s to %s', (facet, name) => {
  expect(reportFile('run', facet)).toBe(join('run', name))
})
