import { describe, expect, it } from 'vitest'
import { type DiscoveryInput, measureDiscovery } from '../../src/evidence/discovery.ts'
import type { ObservedAnswer, OpenedBody } from '../../src/evidence/observed.ts'
import { evidenceOfTable } from './table-evidence.ts'

const report2024 = [
  'Brightwater Instruments annual report for the year 2024, prepared by the board of directors.',
  ...Array.from(
    { length: 40 },
    (_, at) => `Segment ${at + 100} earned revenue of ${(at + 11) * 1_337} in the year`,
  ),
].join('\n')
const texts = new Map<string, string>([['text-of-report', report2024]])

function body(over: Partial<OpenedBody> & { url: string }): OpenedBody {
  return { kind: 'body', finalUrl: over.url, sha256: 'aa', textSha256: null, shown: [1], links: [], ...over }
}

function hits(step: number, query: string, ...urls: string[]): ObservedAnswer {
  return { step, text: '', observations: [{ kind: 'hits', query, hits: urls.map(url => ({ url })) }] }
}

function opened(step: number, seen: OpenedBody, text = 'shown'): ObservedAnswer {
  return { step, text, observations: [seen] }
}

const target = { hint: 'brightwater-2024.pdf', sha256: 'aa', text: report2024 }

function measure(answers: ObservedAnswer[], over: Partial<DiscoveryInput> = {}) {
  const textOf = (hash: string): string | null => texts.get(hash) ?? null
  return measureDiscovery({ targets: [target], answers, textOf, webMap: null, correctItems: [], ...over })
}

describe('discovery', () => {
  it('records step, query and address of a document that a search found and the agent opened', () => {
    const url = 'https://files.example/report.pdf'
    const found = measure([
      hits(1, 'weather', 'https://other.example/'),
      hits(2, 'brightwater report', 'http://files.example/report.pdf?utm_source=x#page=2'),
      opened(3, body({ url, textSha256: 'text-of-report' })),
    ])
    expect(found.hints[0]).toMatchObject({ surfacedStep: 2, openedStep: 3, parsedStep: 3, usedStep: null })
    expect(found.hints[0]).toMatchObject({ query: 'brightwater report', url })
    expect(found.recall).toEqual({ surfaced: 1, opened: 1, parsed: 1, used: 0 })
  })

  it('counts a mirror with other bytes and other layout as the document', () => {
    texts.set('mirror', `Welcome to our archive | home\n${report2024.replaceAll('\n', '  \n\n')}`)
    const found = measure([
      opened(1, body({ url: 'https://mirror.example/x', sha256: 'bb', textSha256: 'mirror' })),
    ])
    expect(found.hints[0]?.openedStep).toBe(1)
    expect(found.hints[0]?.surfacedStep).toBeNull()
  })

  it('does not count a look-alike with other figures as the document', () => {
    texts.set(
      'twin',
      report2024.replace(/\d{4,}/g, figure => String(Number(figure) + 17)),
    )
    const found = measure([
      opened(1, body({ url: 'https://files.example/t', sha256: 'cc', textSha256: 'twin' })),
    ])
    expect(found.hints[0]?.openedStep).toBeNull()
    expect(found.distractorsOpened).toBe(1)
  })

  it('does not count a body with half of the text as the document', () => {
    texts.set('half', report2024.slice(0, report2024.length / 2))
    const found = measure([
      opened(1, body({ url: 'https://files.example/h', sha256: 'dd', textSha256: 'half' })),
    ])
    expect(found.recall.opened).toBe(0)
  })

  it('compares Chinese documents by their characters', () => {
    const text = `${'被告人张某某于二〇二三年在本市某区实施盗窃行为，涉案金额共计人民币48210元。'.repeat(3)}法院判决如下。`
    texts.set('case', `<导航>首页</导航>\n${text.split('，').join('，\n')}`)
    texts.set('other-case', text.replaceAll('48210', '51377'))
    const targets = [{ hint: '张某某盗窃案', sha256: null, text }]
    const seen = (hash: string): ObservedAnswer[] => [
      opened(1, body({ url: 'https://court.example/1', sha256: hash, textSha256: hash })),
    ]
    expect(measure(seen('case'), { targets }).recall.opened).toBe(1)
    expect(measure(seen('other-case'), { targets }).recall.opened).toBe(0)
  })

  it('counts a document without text as opened by its bytes, but not as parsed', () => {
    const targets = [{ hint: 'scan.pdf', sha256: 'ee', text: '' }]
    const found = measure([opened(4, body({ url: 'https://files.example/scan', sha256: 'ee' }))], { targets })
    expect(found.recall).toMatchObject({ opened: 1, parsed: 0 })
  })

  it('counts unreadable hints in every recall', () => {
    const missing = { hint: 'missing.pdf', sha256: null, text: '' }
    const answers = [opened(1, body({ url: 'https://files.example/a', textSha256: 'text-of-report' }))]
    expect(measure(answers, { targets: [target, missing] }).recall.opened).toBe(0.5)
  })

  it('counts a landing page of the sealed web among the results, even if it was never opened', () => {
    const webMap = [
      {
        url: 'https://files.example/d/1.pdf',
        landingUrl: 'https://files.example/d/',
        name: target.hint,
        sha256: 'aa',
        hint: target.hint,
        twinOf: null,
      },
    ]
    const found = measure([hits(1, 'q', 'https://files.example/d')], { webMap })
    expect(found.hints[0]).toMatchObject({
      surfacedStep: 1,
      openedStep: null,
      url: 'https://files.example/d',
    })
  })

  it('counts a result that led to the document through opened pages', () => {
    const start = body({ url: 'https://a.example/list', sha256: '01', links: ['https://a.example/filing'] })
    const middle = body({ url: 'https://a.example/filing', sha256: '02', links: ['https://a.example/r.pdf'] })
    const found = measure([
      hits(1, 'filings', 'https://a.example/list'),
      opened(2, start),
      opened(3, middle),
      opened(4, body({ url: 'https://a.example/r.pdf', textSha256: 'text-of-report' })),
    ])
    expect(found.hints[0]).toMatchObject({ surfacedStep: 1, openedStep: 4 })
    expect(found.distractorsOpened).toBe(0)
  })

  it('counts only other documents of a sealed web as distractors, each once', () => {
    const entry = { landingUrl: null, name: 'report', hint: null }
    const webMap = [
      { ...entry, url: 'https://files.example/1', sha256: 'aa', hint: target.hint, twinOf: null },
      { ...entry, url: 'https://files.example/2', sha256: 'tw', twinOf: target.hint },
    ]
    texts.set('exact-twin', report2024)
    const twin = body({ url: 'https://files.example/2', sha256: 'tw', textSha256: 'exact-twin' })
    const landing = body({ url: 'https://files.example/about', sha256: 'ab' })
    const found = measure([opened(1, twin), opened(2, landing), opened(3, twin)], { webMap })
    expect(found).toMatchObject({ distractorsOpened: 1, recall: { opened: 0 } })
  })

  it('marks a document as used at the step that showed the value of a correct cell', () => {
    const gold = {
      kind: 'table' as const,
      keyColumns: ['Segment'],
      targetColumns: ['Revenue'],
      numericColumns: ['Revenue'],
      rows: [{ Segment: '100', Revenue: '14,707' }],
    }
    const correctItems = evidenceOfTable(gold, [target.hint])
    const seen = body({ url: 'https://files.example/r.pdf', textSha256: 'text-of-report' })
    const found = measure(
      [opened(2, seen, 'page 1: nothing of note'), opened(5, seen, 'Segment 100 earned revenue of 14707 in')],
      { correctItems },
    )
    expect(found.hints[0]).toMatchObject({ openedStep: 2, usedStep: 5 })
  })
})
