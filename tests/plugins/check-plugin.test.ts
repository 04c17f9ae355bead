import { describe, expect, it } from 'vitest'
import { checkPlugin } from '../../src/plugins/check-plugin.ts'

const benchmark = { summary: 'capitals', load: async () => ({ tasks: [], skipped: [] }) }
const check = (members: object) => (): unknown =>
  checkPlugin({ benchmarks: { capitals: { ...benchmark, ...members } } }, './mine.ts')

describe('the benchmark of a plug-in', () => {
  it('may leave out all but its summary and load', () => {
    expect(check({})).not.toThrow()
    expect(check({ otherSettings: [], answerHosts: [] })).not.toThrow()
  })

  it.each([
    ['an unknown kind of answer', { answerKinds: ['texts'] }],
    ['a text where a list is expected', { answerKinds: 'text' }],
    ['no setting', { settings: [] }],
    ['no scorer', { scorers: [] }],
    ['hosts that are no list', { answerHosts: 'example.org' }],
    ['prompts that are a number', { prompts: 7 }],
  ])('is refused with %s', (_, members) => {
    expect(check(members)).toThrow(expect.objectContaining({ code: 'plugin-invalid' }))
  })
})

describe('the scorer of a plug-in', () => {
  it('is refused with a configuration that is no zod schema', () => {
    const exact = {
      summary: 'exact',
      kind: 'text',
      metrics: [],
      score: async () => null,
      configuration: null,
    }
    expect(() => checkPlugin({ scorers: { exact } }, './mine.ts')).toThrow(/scorers\.exact\.configuration/)
  })
})
