import { describe, expect, it } from 'vitest'
import { checkPlugin } from '../../src/plugins/check-plugin.ts'

const benchmark = { summary: 'capitals', load: async () => ({ tasks: [], skipped: [] }) }
const check = (members: object) => (): unknown =>
  checkPlugin({ benchmarks: { capitals: { ...benchmark, ...members } } }, './mine.ts')

describe('the benchmark of a plug-in', () => {
  it('may name settings of its plug-in, and places as --block does', () => {
    const capitals = {
      ...benchmark,
      otherSettings: ['hops', 'rag'],
      answerHosts: ['huggingface.co/datasets/a', '*owner/name*', 'https://example.org'],
    }
    const hops = { summary: 'hops', source: 'memory', run: async () => null }
    expect(() => checkPlugin({ benchmarks: { capitals }, settings: { hops } }, './mine.ts')).not.toThrow()
  })

  it('may leave out all but its summary and load', () => {
    expect(check({})).not.toThrow()
    expect(check({ otherSettings: [], answerHosts: [] })).not.toThrow()
  })

  it.each([
    ['an unknown kind of answer', { answerKinds: ['texts'] }],
    ['a text where a list is expected', { answerKinds: 'text' }],
    ['no setting', { settings: [] }],
    ['no scorer', { scorers: [] }],
    ['data without a licence', { data: { source: 'https://example.org', layout: 'a.jsonl' } }],
    ['hosts that are no list', { answerHosts: 'example.org' }],
    ['prompts that are a number', { prompts: 7 }],
    ['an unknown way to cut documents', { cut: 'middle' }],
    ['an unknown default setting', { settings: ['offlin'] }],
    ['an unknown other setting', { otherSettings: ['offlin'] }],
    ['an address with a space for a host', { answerHosts: ['example .org'] }],
    ['an empty host', { answerHosts: [''] }],
    ['a pattern that is not closed', { answerHosts: ['*answers'] }],
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
    expect(() => checkPlugin({ scorers: { exact } }, './mine.ts')).toThrow(
      expect.objectContaining({ code: 'plugin-invalid', message: expect.stringContaining('configuration') }),
    )
  })
})
