import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadDeepWideSearch, loadWideSearch } from '../../../tasks/widesearch/load.ts'

const settings = { preprocess: [], metric: ['number_near'], criterion: 0 }
const record = {
  instance_id: 'ws_1',
  query: 'List the hotels.',
  evaluation: JSON.stringify({
    required: ['hotelname', 'beds'],
    unique_columns: ['hotelname'],
    eval_pipeline: { beds: settings },
  }),
}
const deep = { instance_id: 'ws_1', question: 'Which hotels?', entity: '```json\n{"entity": ["Alder"]}\n```' }
const linesOf = (...records: readonly unknown[]): string => records.map(one => JSON.stringify(one)).join('\n')

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'tablehunt-widesearch-'))
  await mkdir(join(path, 'widesearch_gold'))
  await writeFile(join(path, 'widesearch_gold', 'ws_1.csv'), '\ufeffHotel Name,Beds\nAlder,12\n')
  await writeFile(join(path, 'widesearch_gold', 'ws_3.csv'), 'Hotel Name\nAlder\n')
  const others = ['ws_2', 'ws_3'].map(instance_id => ({ ...record, instance_id }))
  await writeFile(join(path, 'widesearch.jsonl'), linesOf(record, ...others))
  await writeFile(
    join(path, 'deep.jsonl'),
    linesOf(deep, { ...deep, instance_id: 'ws_9' }, { ...deep, entity: ' ' }),
  )
  return path
}

describe("the loader of WideSearch's tasks", () => {
  it('reads a question and its gold table, and names records without a complete table', async () => {
    const { tasks, skipped } = await loadWideSearch(join(await folder(), 'widesearch.jsonl'))
    expect(tasks.map(task => task.gold)).toMatchObject([
      {
        keyColumns: ['hotelname'],
        targetColumns: ['beds'],
        numericColumns: ['beds'],
        rows: [{ hotelname: 'Alder', beds: '12' }],
      },
    ])
    expect(tasks[0]!.question).toMatchObject({ taskId: 'ws_1', query: 'List the hotels.', documentNames: [] })
    expect(skipped).toMatchObject([
      { line: 2, recordId: 'ws_2', problem: expect.stringContaining('widesearch_gold/ws_2.csv is missing') },
      { line: 3, recordId: 'ws_3', problem: expect.stringContaining("no column 'beds'") },
    ])
  })

  it("reads DeepWideSearch's own download: settings in the record, gold tables in FILE_tables", async () => {
    const path = await folder()
    await mkdir(join(path, 'overall_tables'))
    await writeFile(join(path, 'overall_tables', 'deep_1.csv'), 'Hotel Name,Beds\nBirch,30\n')
    const own = {
      ...deep,
      instance_id: 'deep_1',
      entity: 'Ulm',
      evaluation: record.evaluation,
      language: 'zh',
    }
    await writeFile(join(path, 'overall.jsonl'), linesOf(own))
    const { tasks } = await loadDeepWideSearch(join(path, 'overall.jsonl'))
    expect(tasks).toMatchObject([
      {
        question: { taskId: 'deep_1', query: 'Which hotels?', language: 'zh' },
        gold: { rows: [{ hotelname: 'Birch', beds: '30' }], scoring: { entity: ['Ulm'] } },
      },
    ])
  })

  it('reads the hidden subject of DeepWideSearch, and names records without one', async () => {
    const { tasks, skipped } = await loadDeepWideSearch(join(await folder(), 'deep.jsonl'))
    expect(tasks.map(task => [task.question.query, task.gold.scoring])).toMatchObject([
      ['Which hotels?', { entity: ['Alder'] }],
    ])
    expect(skipped.map(one => one.line)).toEqual([2, 3])
    expect(skipped[0]!.problem).toContain('no record ws_9')
    expect(skipped[1]!.problem).toContain('names no subject')
  })
})
