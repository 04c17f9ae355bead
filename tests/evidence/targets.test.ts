import { describe, expect, it } from 'vitest'
import type { Evidence } from '../../src/core/task.ts'
import { withLossClasses } from '../../src/evidence/attempt-views.ts'

import {
  type DiscoveryInput,
  listKnownTexts,
  listShownDocuments,
  measureDiscovery,
} from '../../src/evidence/discovery.ts'
import { readLedgerAnswer } from '../../src/evidence/ledger-answer.ts'

import { findItemEvidence } from '../../src/evidence/matcher.ts'
import type { ObservedAnswer } from '../../src/evidence/observed.ts'
import { listDiscoveryTargets } from '../../src/evidence/targets.ts'
import { createTextIndexes } from '../../src/evidence/text-index.ts'
import type { WebMapEntry } from '../../src/evidence/web-map.ts'
import { listGoldItems } from '../../tasks/kinds/answer-kinds.ts'

const rivers = 'https://wiki.example/Rivers'
const lakes = 'https://wiki.example/Lakes'
const urls: Evidence = { kind: 'urls', urls: [{ url: rivers, revision: '7' }, { url: lakes }] }
const texts: Record<string, string> = { t1: 'The Aller is 263 km long', t2: 'Lakes of all kinds' }

const hits = (step: number, ...found: string[]): ObservedAnswer => ({
  step,
  text: '',
  observations: [{ kind: 'hits', query: 'q', hits: found.map(url => ({ url })) }],
})
const opened = (step: number, url: string, textSha256: string, finalUrl = url): ObservedAnswer => ({
  step,
  text: texts[textSha256] ?? '',
  observations: [
    { kind: 'body', url, finalUrl, sha256: `bytes of ${textSha256}`, textSha256, shown: [1], links: [] },
  ],
})

function inputOf(
  evidence: Evidence,
  answers: readonly ObservedAnswer[],
  webMap: readonly WebMapEntry[] | null = null,
): DiscoveryInput {
  const targets = listDiscoveryTargets(evidence, null, webMap) ?? []
  return { targets, answers, textOf: hash => texts[hash] ?? null, webMap, correctItems: [] }
}

describe('pages by address', () => {
  it('are surfaced by a search hit, and opened and parsed when a call fetched them, also after redirects', () => {
    const answers = [
      hits(1, 'http://wiki.example/Rivers/?utm_source=x'),
      opened(2, 'https://short.example/r', 't1', rivers),
    ]
    const { hints, recall } = measureDiscovery(inputOf(urls, answers))
    expect(hints.map(hint => hint.hint)).toEqual([rivers, lakes])
    expect(hints[0]).toMatchObject({ surfacedStep: 1, openedStep: 2, parsedStep: 2, url: rivers })
    expect(recall).toEqual({ surfaced: 0.5, opened: 0.5, parsed: 0.5, used: 0 })
  })

  it('are used when they showed the value of a right item', () => {
    const gold = { kind: 'text' as const, references: ['263 km'] }
    const correctItems = findItemEvidence(listGoldItems(gold), [])
    const { hints } = measureDiscovery({ ...inputOf(urls, [opened(2, rivers, 't1')]), correctItems })
    expect(hints[0]?.usedStep).toBe(2)
  })

  it('have the text that was opened; other values were lost with the page that came furthest', () => {
    const classOf = (reference: string, answers: readonly ObservedAnswer[]) => {
      const input = inputOf(urls, answers)
      const item = { id: '0', index: 0, gold: reference, predicted: 'x', score: 0, rule: 'x', class: null }
      const sight = {
        kind: 'web',
        discovery: measureDiscovery(input),
        shown: listShownDocuments(input),
        allShown: () => answers.map(({ text }) => text),
      } as const
      const { items } = withLossClasses({ cells: [], items: [item] }, sight, {
        evidence: findItemEvidence(listGoldItems({ kind: 'text', references: [reference] }), []),
        documents: listKnownTexts(input),
        answer: readLedgerAnswer(
          { csv: null, rows: null, columns: null, parseStatus: 'unreadable', parseNote: null },
          { answered: true },
        ),
        cause: 'agent',
        indexes: createTextIndexes(),
      })
      return items[0]?.class
    }
    expect(classOf('263 km', [opened(2, rivers, 't1')])).toBe('wrong')
    expect(classOf('Loch Ness', [opened(2, rivers, 't1')])).toBe('not-surfaced')
    expect(classOf('Loch Ness', [hits(1, lakes), opened(2, rivers, 't1')])).toBe('not-opened')
    expect(classOf('Loch Ness', [opened(1, lakes, 't2'), opened(2, rivers, 't1')])).toBe('no-evidence')
  })
})

describe('judged documents', () => {
  const judgements: Evidence = {
    kind: 'judgements',
    judgements: [
      { documentId: 'd1', relevance: 2 },
      { documentId: 'd2', relevance: 0 },
      { documentId: 'gone', relevance: 1 },
    ],
  }
  const entry = (name: string, sha256: string): WebMapEntry => ({
    url: `https://corpus.example/${name}`,
    landingUrl: `https://corpus.example/about/${name}`,
    sha256,
    name,
    hint: null,
    twinOf: null,
  })
  const webMap = [entry('d1.txt', 'aa'), entry('d2.txt', 'bb')]

  it('are found by their id in the corpus, and only the relevant ones count', () => {
    const answers = [
      hits(1, 'https://corpus.example/about/d1.txt'),
      opened(2, 'https://corpus.example/d1.txt', 't1'),
    ]
    const { hints } = measureDiscovery(inputOf(judgements, answers, webMap))
    expect(hints).toMatchObject([
      { hint: 'd1', surfacedStep: 1, openedStep: 2, relevance: 2 },
      { hint: 'gone', surfacedStep: null, openedStep: null, relevance: 1 },
    ])
  })

  it('list all documents of the corpus that searches returned, each once', () => {
    const addresses = [
      'https://corpus.example/d2.txt',
      'https://other.example/',
      'https://corpus.example/d1.txt',
    ]
    const answers = [hits(1, ...addresses), hits(2, 'https://corpus.example/about/d2.txt')]
    const retrievedFor = (evidence: Evidence) =>
      measureDiscovery(inputOf(evidence, answers, webMap)).retrieved
    expect(retrievedFor(judgements)).toEqual(['d2.txt', 'd1.txt'])
    expect(retrievedFor({ kind: 'documents', names: ['d1'] })).toBeUndefined()
  })

  it('are told apart by ids that differ in case or look like extensions', () => {
    const close = [entry('A1', 'aa'), entry('a1', 'bb'), entry('a1.txt', 'cc')]
    const hashOf = (documentId: string) => {
      const evidence: Evidence = { kind: 'judgements', judgements: [{ documentId, relevance: 1 }] }
      return listDiscoveryTargets(evidence, null, close)![0]!.sha256
    }
    expect(['A1', 'a1', 'a1.txt'].map(hashOf)).toEqual(['aa', 'bb', 'cc'])
  })

  it('are unknown on a web without ids', () => {
    expect(listDiscoveryTargets(judgements, null, null)).toBeNull()
  })
})

it('has no targets when the evidence is unknown or its documents are not available', () => {
  expect(listDiscoveryTargets(null, [], [])).toBeNull()
  expect(listDiscoveryTargets({ kind: 'documents', names: ['a.pdf'] }, null, null)).toBeNull()
})

it('has the named documents as targets, including one that was not loaded', () => {
  const documents = [
    { hint: 'b.pdf', sha256: 'bb', text: 'b' },
    { hint: 'a.pdf', sha256: 'aa', text: 'a' },
  ]
  expect(listDiscoveryTargets({ kind: 'documents', names: ['a.pdf', 'c.pdf'] }, documents, null)).toEqual([
    documents[1],
    { hint: 'c.pdf', sha256: null, text: '' },
  ])
})
