import { expect, it } from 'vitest'
import { readBenchmark } from '../../tasks/load-benchmark.ts'
import { benchmarks } from '../../tasks/registry.ts'

const published = benchmarks
  .entries()
  .filter(([name]) => !['spreadsheet', 'qa'].includes(name))
  .map(([name, benchmark]) => ({ name, ...benchmark }))

it.each(published)(
  '$name names the licence and the address of its data, and its answer hosts',
  ({ data, answerHosts }) => {
    expect(data?.licence).not.toBe('')
    expect(data?.source).toMatch(/^https:\/\//)
    expect(answerHosts).not.toEqual([])
  },
)

it.each(published)(
  'names the address and the layout in one line when the data of $name are missing',
  async ({ name, data }) => {
    const options = { spreadsheet: null, readWorkbook: () => [] }
    const error = await readBenchmark(name, 'no/such/place', options).catch(caught => caught)
    expect(error).toMatchObject({ code: 'tasks-not-found' })
    expect(error.message).toContain(data?.source)
    expect(error.message).toContain(data?.layout)
    expect(error.message).not.toContain('\n')
  },
)
