import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scoreExtractBatch } from '../../../src/run/score-files/score-extract-batch.ts'
import { scoreBatch } from '../../../src/run/score-files/score-table-batch.ts'
import { noJudge } from '../../../src/score/contract/judge.ts'

const folder = await mkdtemp(join(tmpdir(), 'tablehunt-batch-'))
const fileOf = async (text: string): Promise<string> => {
  const file = join(folder, `${Math.random()}.json`)
  await writeFile(file, text)
  return file
}
const all = async (lines: AsyncGenerator<string>): Promise<string[]> => {
  const read: string[] = []
  for await (const line of lines) read.push(line)
  return read
}
const tables = async (file: string): Promise<string[]> =>
  await all(scoreBatch(file, { scorer: 'aoe', judge: noJudge }))
const extractions = async (file: string): Promise<string[]> =>
  await all(scoreExtractBatch(file, { schemas: null, judge: noJudge }))

const task = {
  answers: [{ k: 'a', v: '1' }],
  key_cols: ['k'],
  target_value_columns: ['v'],
  numeric_columns: [],
}
const table = { id: 1, task, answer_csv: '```csv\nk,v\na,1\n```' }
const extraction = {
  id: 1,
  schema_inline: { type: 'object', properties: {} },
  gold: {},
  prediction: '{}',
}

describe('a batch file', () => {
  it('that is missing is refused with the flag and the expected form', async () => {
    const missing = join(folder, 'none.json')
    const error = {
      code: 'unreadable-batch',
      message: expect.stringMatching(/none\.json: no such file\. Name a file of \[/),
    }
    await expect(tables(missing)).rejects.toMatchObject(error)
    await expect(extractions(missing)).rejects.toMatchObject(error)
  })

  it('that is empty is refused', async () => {
    await expect(tables(await fileOf(' \n'))).rejects.toMatchObject({ code: 'empty-batch' })
  })

  it('with a wrong second case is refused after the first was scored', async () => {
    const file = await fileOf(JSON.stringify([table, { id: 2, task }]))
    const lines: string[] = []
    const read = async (): Promise<void> => {
      for await (const line of scoreBatch(file, { scorer: 'aoe', judge: noJudge })) lines.push(line)
    }
    await expect(read()).rejects.toMatchObject({
      code: 'invalid-case',
      message: expect.stringMatching(/case 2: .*answer_csv.*Correct the case; expected: \[\{ id, task/),
    })
    expect(lines).toHaveLength(1)
    await expect(extractions(await fileOf(JSON.stringify([extraction, {}])))).rejects.toMatchObject({
      code: 'invalid-case',
      message: expect.stringMatching(/case 2: .*expected: \[\{ id, schema/),
    })
  })

  it('that is not JSON, or is cut off, is refused with the number of the case', async () => {
    await expect(tables(await fileOf('{}'))).rejects.toMatchObject({ code: 'invalid-case' })
    const cut = JSON.stringify([table, table]).slice(0, -20)
    await expect(tables(await fileOf(cut))).rejects.toMatchObject({
      code: 'invalid-case',
      message: expect.stringContaining('case 2: '),
    })
  })

  it('is read like Python reads it: whole numbers of any size, 5.0 distinct from 5, NaN as missing', async () => {
    const answers =
      '[{"k": "a", "v": 9007199254740993}, {"k": "b", "v": 5.0}, {"k": "c", "v": NaN}, {"k": "d", "v": "x"}]'
    const scored = async (csv: string): Promise<number> => {
      const text = `[{"id": 1, "task": {"answers": ${answers}, "key_cols": ["k"], "target_value_columns": ["v"], "numeric_columns": []}, "answer_csv": ${JSON.stringify(csv)}}]`
      const [line] = await tables(await fileOf(text))
      return JSON.parse(line!).tp_score_sum
    }
    expect(await scored('k,v\na,9007199254740993\nb,5.0\nc,\nd,x\n')).toBe(4)
    expect(await scored('k,v\na,9007199254740992\nb,5\nc,NaN\nd,x\n')).toBe(2)
  })

  it('takes the gold only from the task, whatever else is named answers or contains that name', async () => {
    const other = '[{"k": "z", "v": "9"}]'
    const rest =
      '"key_cols": ["k"], "target_value_columns": ["v"], "numeric_columns": []}, "answer_csv": "k,v\\na,1\\n"'
    const own = '"answers": [{"k": "a", "v": "1"}]'
    const cases = [
      `{"id": 1, "answers": ${other}, "task": {${own}, ${rest}}`,
      `{"id": 2, "task": {"query": "the \\"answers\\": [{\\"k\\": 1}]", ${own}, ${rest}}`,
      `{"id": 3, "task": {"answers": ${other}, ${own}, ${rest}}`,
      `{"id": 4, "task": {"of": {"answers": ${other}}, ${own}, ${rest}}`,
    ]
    const lines = await tables(await fileOf(`[${cases.join(', ')}]`))
    expect(lines.map(line => JSON.parse(line).cell_f1)).toEqual([1, 1, 1, 1])
  })
})
