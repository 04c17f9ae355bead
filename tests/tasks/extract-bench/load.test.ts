import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ConfigError, DataError } from '../../../src/core/errors.ts'
import { loadExtractBench } from '../../../tasks/extract-bench/load.ts'
import { loadBenchmark } from '../../../tasks/load-benchmark.ts'

const options = { spreadsheet: null, readWorkbook: () => [] }

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-extract-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function fill(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}
const schema = '{"type": "object", "properties": {"n": {"type": "integer"}}}'

describe('a folder of schemas and gold files', () => {
  it('names the task type by the schema, not by digits at the end of a file name', async () => {
    await fill({ 'hiring/resume/resume-schema.json': schema, 'hiring/resume/cv_08_09.gold.json': '{"n": 1}' })
    const { tasks } = await loadBenchmark('extract-bench', folder, options)
    expect(tasks.map(({ question }) => question.facets?.taskType)).toEqual(['resume'])
  })

  it('becomes one task per gold file, with the unwrapped schema of its folder and the document of its name', async () => {
    await fill({
      'finance/10kq/10kq-schema.json': `{"name": "x", "schema_definition": ${schema}}`,
      'finance/10kq/acme_10q.gold.json': '\uFEFF{"n": 5.0}',
      'sport/race-schema.json': schema,
      'sport/final.v2.gold.json': '{"n": 7}',
    })
    const { tasks, skipped } = await loadExtractBench(folder)
    expect(skipped).toEqual([])
    expect(tasks.map(({ question }) => [question.taskId, question.domain, question.documentNames])).toEqual([
      ['finance_10kq_acme_10q', 'finance', ['acme_10q.pdf']],
      ['sport_final.v2', 'sport', ['final.v2.pdf']],
    ])
    expect(tasks[0]?.question.form).toEqual({ kind: 'json', schema: JSON.parse(schema) })
    expect(tasks[0]?.gold).toEqual({
      kind: 'json',
      schemaName: '10kq',
      schema: JSON.parse(schema),
      value: { n: 5 },
      text: '{"n": 5.0}',
    })
  })

  it('loads without invalid gold files, which are skipped with the reason', async () => {
    await fill({
      'a/a-schema.json': schema,
      'a/good.gold.json': '{}',
      'a/broken.gold.json': '{"n": ',
      'b/lost.gold.json': '{}',
      'c/one-schema.json': schema,
      'c/two-schema.json': schema,
      'c/torn.gold.json': '{}',
      'd/d-schema.json': '[]',
      'd/x.gold.json': '{}',
      'one-schema.json': schema,
      'a_good.gold.json': '{}',
    })
    const { tasks, skipped } = await loadBenchmark('extract-bench', folder, options)
    expect(tasks.map(task => task.question.taskId)).toEqual(['a_good'])
    expect(Object.fromEntries(skipped.map(({ recordId, problem }) => [recordId, problem]))).toEqual({
      a_broken: expect.stringMatching(/^gold is not JSON/),
      b_lost: expect.stringMatching(/the folder contains no \*-schema\.json/),
      c_torn: expect.stringMatching(/several schemas: one-schema\.json, two-schema\.json/),
      d_x: expect.stringMatching(/d-schema\.json is not a JSON object/),
      a_good: expect.stringMatching(/the same id as in .*a.good\.gold\.json/),
    })
  })

  it('is an error that says what to do when it is missing, a file, or without gold files', async () => {
    await fill({ 'x.txt': '' })
    for (const [path, code] of [
      [join(folder, 'none'), 'tasks-not-found'],
      [join(folder, 'x.txt'), 'unreadable-tasks'],
    ] as const) {
      const failure = await loadExtractBench(path).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(ConfigError)
      expect((failure as ConfigError).code).toBe(code)
      expect((failure as ConfigError).message).toMatch(
        /^--tasks .*Name a folder of schemas and gold files .*$/,
      )
    }
    const failure = await loadBenchmark('extract-bench', folder, options).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(DataError)
    expect(failure).toMatchObject({ code: 'no-task', message: expect.stringContaining('no task found') })
  })
})
