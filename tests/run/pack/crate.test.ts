import { expect, it } from 'vitest'
import { describeCrate } from '../../../src/run/pack/crate.ts'

it.each([
  ['runs/a/scores.jsonl', 'Scores, one per line'],
  ['runs/a/traces/blobs/00', 'Text of traces'],
  ['inputs/documents-1/traces/blobs/scores.jsonl', 'Document'],
  ['inputs/tasks-1/answers/a/manifest.json', 'Tasks'],
  ['inputs/files-1/prices.json', 'File that an option names'],
  ['inputs/forks-1/plan.json', 'Plan of forks'],
  ['prices.json', 'Prices'],
  ['runs/a/audit.csv', 'File'],
])('describes %s by its place in the pack', (name, description) => {
  const citation = { authors: [], title: 't', licence: 'CC0-1.0' }
  const runs = new Map()
  const files = [{ name, bytes: 1, sha256: '0' }]
  const { '@graph': graph } = JSON.parse(
    describeCrate({ citation, runs, files, attempts: 0, withheld: [] }),
  ) as { '@graph': Record<string, unknown>[] }
  expect(graph.find(({ '@id': id }) => id === name)).toMatchObject({ description })
})
