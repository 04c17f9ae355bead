import { expect, it } from 'vitest'
import type { Gold } from '../../src/core/gold.ts'
import type { Evidence, Task } from '../../src/core/task.ts'
import { createDocumentComparer } from '../../src/evidence/fingerprint.ts'
import { findRevealedGold } from '../../src/evidence/revealed-gold.ts'
import { createTextIndexes } from '../../src/evidence/text-index.ts'
import { scanForGold } from '../../src/run/attempt/leak-scan.ts'
import { listGoldGroups } from '../../tasks/kinds/answer-kinds.ts'

const rivers = ['Aller River', 'Weser River', 'Fulda River', 'Werra River', 'Leine River']
const list: Gold = { kind: 'text', references: [rivers.join('\n')], items: rivers }

it('reports a text as a leak when it shows half of a gold list, but not when it shows less', () => {
  expect(findRevealedGold('Aller River, Weser River and Leine River', listGoldGroups(list))).toHaveLength(1)
  expect(findRevealedGold('Aller River and Weser River', listGoldGroups(list))).toEqual([])
})

it('never reports a leak of a single gold text, because its documents contain it', () => {
  const gold: Gold = { kind: 'text', references: ['Aller River'] }
  expect(findRevealedGold('Aller River', listGoldGroups(gold))).toEqual([])
})

it('counts each searchable value of a gold JSON once', () => {
  const value = {
    a: 'Aller River',
    b: 'Weser River',
    c: 'Fulda River',
    d: null,
    e: null,
    f: true,
    g: 'Aller River',
  }
  const gold: Gold = { kind: 'json', schemaName: 'x', schema: {}, value, text: JSON.stringify(value) }
  expect(findRevealedGold('Aller River, Weser River, Fulda River', listGoldGroups(gold))).toHaveLength(1)
})

function leaksOf(evidence: Evidence | null, url: string) {
  const textSha256 = 'text'
  const found = { contentType: 'text/html', bytes: 9, total: 1, shown: [1], links: [] }
  const body = { ...found, kind: 'body' as const, url, finalUrl: url, sha256: 'aa', textSha256 }
  const told = [{ step: 1, text: { text: rivers.join(', ') }, observations: [body] }]
  return scanForGold(told, {
    task: { documents: [], gold: list, evidence } as unknown as Task,
    documents: [],
    entries: null,
    comparer: createDocumentComparer(),
    indexes: createTextIndexes(),
    textOf: () => rivers.join(', '),
  })
}

it('finds leaks on pages that are not evidence, and none when the evidence is unknown', () => {
  const evidence: Evidence = { kind: 'urls', urls: [{ url: 'https://wiki.example/Rivers' }] }
  expect(leaksOf(evidence, 'https://wiki.example/Rivers#top')).toEqual([])
  expect(leaksOf(evidence, 'https://answers.example/')).toMatchObject([{ step: 1 }])
  expect(leaksOf(null, 'https://answers.example/')).toEqual([])
})
