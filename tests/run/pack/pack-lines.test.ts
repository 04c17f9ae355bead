import { expect, it } from 'vitest'
import { packBibtex } from '../../../src/run/pack/pack-lines.ts'
import { packVerificationLines } from '../../../src/run/pack-verification-lines.ts'
import type { RunVerification } from '../../../src/run/records/verify-run.ts'

it('escapes every special character of LaTeX in BibTeX, and keeps the braces around whole names', () => {
  const pack = {
    files: 1,
    bytes: 1,
    identity: 'f'.repeat(64),
    title: '50% of {a}\\b ~ ^_',
    day: '2026-01-02',
  }
  const authors = [{ name: 'R&D {Team}' }, { name: 'Ann O_o', givenName: 'Ann', familyName: 'O_o' }]
  const lines = packBibtex(pack, { authors, licence: 'CC_0', title: null }).split('\n')
  expect(lines.slice(1, 5)).toEqual([
    '  title = {50\\% of \\{a\\}\\textbackslash{}b \\textasciitilde{} \\textasciicircum{}\\_},',
    '  author = {{R\\&D \\{Team\\}} and O\\_o, Ann},',
    '  year = {2026},',
    `  note = {Tablehunt pack, licence CC\\_0, sha256:${'f'.repeat(64)}}`,
  ])
})

it('prints what is wrong with the run of a pack, without advice for folders', () => {
  const records: RunVerification = {
    ...{ isWhole: false, attempts: 2, whole: 1, damaged: [], lost: [], unscored: ['a1'], unrecorded: ['a2'] },
    ...{ lostLeaks: [], damagedLines: [], manifest: 'whole' },
  }
  const nothing = { equal: 0, different: [], notDone: [] }
  const runs = [{ run: 'runs/a', records, scores: nothing, figures: [], replay: null }]
  const facts = { identity: 'x', files: 1, bytes: 1, damages: [], runs, limits: [], isEqual: false }
  expect(packVerificationLines('p.zip', facts, { columns: 80, isFull: false }).slice(2)).toEqual([
    '',
    'runs/a: 2 attempts: 1 whole, 0 damaged, 0 lost; manifest whole',
    '  a1: no line in scores.jsonl',
    '  a2: no line in attempts.jsonl',
    'scored again: 0 equal, 0 different',
    'figures: 0 equal, 0 different',
    'Not everything is equal: see above.',
  ])
})
