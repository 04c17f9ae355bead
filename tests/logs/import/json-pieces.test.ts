import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseJsonPieces } from '../../../logs/import/json-pieces.ts'
import { parseJson } from '../../../logs/import/json-records.ts'
import { readLogs } from '../../../src/run/import/read-logs.ts'

async function* piecesOf(text: string, length: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length)
}

describe('JSON in pieces', () => {
  const value = {
    ...{
      text: 'a "quoted" \\ text, with [brackets] {and} \u2028 é 🏊',
      empty: '',
      zero: 0,
      no: false,
      nothing: null,
    },
    ...{ list: [1, -2.5e-7, [], {}, [[{ a: { b: ['c'] } }]]], __proto__x: 1 },
  }
  it.each([1, 2, 3, 7, 64, 10_000])(
    'is read as JSON.parse reads it, in pieces of %d characters',
    async length => {
      for (const text of [
        JSON.stringify(value),
        JSON.stringify(value, null, 2),
        `\uFEFF ${JSON.stringify(value)}\n`,
      ])
        expect(await parseJsonPieces(piecesOf(text, length))).toEqual(value)
    },
  )

  it('has null in the place of NaN and Infinity', async () => {
    const text = '{"a": NaN, "b": [-Infinity, Infinity], "c": "NaN"}'
    expect(await parseJsonPieces(piecesOf(text, 3))).toEqual({ a: null, b: [null, null], c: 'NaN' })
  })

  it.each(['', '{"a": 1', '["a', '[1]]', '{"a": tru}', '{1: 2}', '[}', '{"a"}', '1 2'])(
    'rejects %s',
    async text => {
      await expect(parseJsonPieces(piecesOf(text, 2))).rejects.toThrow(SyntaxError)
    },
  )
})

it('refuses bombs: deep nesting, and literals that never end', async () => {
  const repeated = async function* (piece: string): AsyncGenerator<string> {
    for (;;) yield piece
  }
  await expect(parseJsonPieces(repeated('['.repeat(1000)))).rejects.toThrow('more than 10000 levels')
  await expect(parseJsonPieces(repeated('\0'.repeat(1000)))).rejects.toThrow(
    'more than 10000 characters in a literal',
  )
})

describe('NaN in JSON', () => {
  const long = 'x\\"'.repeat(4_000_000)
  it.each([
    ['beside a text of 12 million characters', `{"t":"${long}","n":NaN}`],
    ['before it', `{"n":NaN,"t":"${long}"}`],
    ['between two of them', `{"t":"${long}","n":NaN,"u":"${long}"}`],
  ])('is null %s', (_, text) => {
    const { n, t } = parseJson(text) as { n: unknown; t: string }
    expect([n, t.length]).toEqual([null, 8_000_000])
  })

  it('stays in texts', () => {
    expect(parseJson('{"a":"NaN \\" NaN","b":-Infinity}')).toEqual({ a: 'NaN " NaN', b: null })
    expect(() => parseJson('{"a":"NaN')).toThrow(SyntaxError)
  })
})

describe('a sample that several Inspect logs contain', () => {
  const sample = (id: string, uuid: string, over: object = {}) => ({
    ...{ id, epoch: 1, uuid, input: 'List.', messages: [{ role: 'user', content: 'List.' }] },
    ...{ output: { model: 'm', choices: [], completion: uuid }, ...over },
  })
  const log = (evaluation: object, ...samples: object[]) => ({
    ...{ version: 2, status: 'success', eval: { task: 't', model: 'm', ...evaluation }, samples },
  })
  async function read(...logs: object[]) {
    const folder = await mkdtemp(join(tmpdir(), 'inspect-retries-'))
    const paths = logs.map((_, at) => join(folder, `${at}.json`))
    for (const [at, path] of paths.entries()) await writeFile(path, JSON.stringify(logs[at]))
    const { records, skipped } = await readLogs('inspect', paths, null)
    return {
      uuids: records.map(({ attempt }) => attempt.uuid),
      problems: skipped.map(({ problem }) => problem),
    }
  }
  const first = { task_id: 'T', created: '2026-01-01T00:00:00' }
  const second = { task_id: 'T', created: '2026-01-02T00:00:00' }

  it('is one attempt, and the retry replaces a failed one', async () => {
    const a = log(first, sample('s1', 'U1'), sample('s2', 'U2', { error: { message: 'broken' } }))
    const b = log(second, sample('s1', 'U1'), sample('s2', 'U3'))
    expect((await read(a, b)).uuids).toEqual(['U1', 'U3'])
    const reversed = await read(b, a)
    expect(reversed.uuids).toEqual(['U1', 'U3'])
    expect(reversed.problems).toHaveLength(2)
  })

  it('is one attempt in copies of a log', async () => {
    const a = log(first, sample('s1', 'U1'))
    expect((await read(a, a)).uuids).toEqual(['U1'])
  })

  it('is one attempt in a log of another task id', async () => {
    expect(
      (await read(log(first, sample('s1', 'U1')), log({ task_id: 'X' }, sample('s1', 'U1')))).uuids,
    ).toEqual(['U1'])
  })

  it('is two attempts when another evaluation has the same id', async () => {
    const other = { task_id: 'X', created: '2026-01-02T00:00:00' }
    expect((await read(log(first, sample('s1', 'U1')), log(other, sample('s1', 'U2')))).uuids).toEqual([
      'U1',
      'U2',
    ])
  })
})
