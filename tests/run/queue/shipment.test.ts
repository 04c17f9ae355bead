import { copyFile, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { resolveConfig, runOptions } from '../../../src/config.ts'
import { loadTasks } from '../../../src/run/plan/load-tasks.ts'
import { localOptions, shippedOptions } from '../../../src/run/plan/shipped-options.ts'
import { campaignSchema } from '../../../src/run/queue/campaign.ts'
import { hashShipment } from '../../../src/run/queue/put-campaign.ts'
import { collectShipment, requireShippable, withShipmentFolder } from '../../../src/run/queue/shipment.ts'
import { hashTaskInputs } from '../../../src/run/records/task-inputs.ts'
import { defineBenchmark } from '../../../tasks/benchmark.ts'
import { benchmarks } from '../../../tasks/registry.ts'

const record = (id: number, hint: string): string =>
  JSON.stringify({
    record_id: `financial_t${id}_4_en`,
    language: 'en',
    query: 'Compare.',
    input_doc: [hint],
    answers: [{ Filename: hint, Revenue: '1' }],
    key_cols: ['Filename'],
    target_value_columns: ['Revenue'],
    numeric_columns: [],
  })

async function ship(more: Record<string, unknown> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-ship-'))
  const at = (name: string): string => join(folder, name)
  await mkdir(at('docs/deeper'), { recursive: true })
  for (const name of ['a.txt', 'B.TXT', 'other.txt', 'deeper/c.txt', '.hidden'])
    await writeFile(at(`docs/${name}`), name)
  await writeFile(at('tasks.jsonl'), `${record(0, 'a.txt')}\n${record(1, 'b.txt')}\n`)
  for (const name of ['turns.jsonl', 'prices.json', 'faults.json']) await writeFile(at(name), '{}')
  const given = Object.fromEntries(
    Object.entries(more).map(([name, value]) => [
      name,
      JSON.parse(JSON.stringify(value).replaceAll('@', folder)),
    ]),
  )
  const config = resolveConfig({ tasks: at('tasks.jsonl'), docs: at('docs'), out: at('run'), ...given })
  const { tasks } = await loadTasks(config)
  return { folder, shipment: await collectShipment(config, tasks, null) }
}

const shippable = { agent: ['tablehunt'], agents: {}, mcp: [] }

describe('what a campaign ships', () => {
  it('marks every option that names a file or folder as shipped or as local to each machine', () => {
    const paths = Object.entries(runOptions)
      .filter(([, { value }]) => value !== null && /FILE|DIR|PATH|RUN/.test(value))
      .map(([name]) => name)
    const refused = ['record']
    const known = [...Object.keys(shippedOptions), ...Object.keys(localOptions), ...refused]
    expect(paths.filter(name => !known.includes(name))).toEqual([])
  })

  it('contains the tasks and their documents, even if their names differ in case', async () => {
    const { shipment, folder } = await ship()
    expect(shipment.files.map(file => file.place).sort()).toEqual([
      'docs/docs/B.TXT',
      'docs/docs/a.txt',
      'tasks/tasks.jsonl',
    ])
    expect(JSON.stringify(shipment.config)).not.toContain(folder)
  })

  it('contains every document when a sealed web is made from them', async () => {
    const { shipment } = await ship({ web: 'sealed' })
    expect(shipment.files.map(file => file.place)).toContain('docs/docs/deeper/c.txt')
    expect(shipment.files.map(file => file.place)).not.toContain('docs/docs/.hidden')
  })

  it('contains every file in the folder of tasks that the benchmark names', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tablehunt-ship-'))
    await mkdir(join(folder, 'finance'))
    for (const [name, text] of [
      ['finance/10q-schema.json', '{"type":"object","properties":{"a":{"type":"string"}}}'],
      ['finance/a.gold.json', '{"a":"x"}'],
      ['.settings.json', '{}'],
      ['rows.csv', 'a\n1\n'],
      ['.notes', ''],
    ] as const)
      await writeFile(join(folder, name), text)
    const { shipment } = await ship({ tasks: folder, benchmark: 'extract-bench', docs: null })
    const [store, place] = [
      await mkdtemp(join(tmpdir(), 'tablehunt-ship-')),
      withShipmentFolder(shipment.config, ''),
    ]
    for (const file of shipment.files) {
      await mkdir(dirname(join(store, file.place)), { recursive: true })
      await copyFile(file.path, join(store, file.place))
    }
    const hashesAt = (tasks: string) => hashTaskInputs({ tasks, benchmark: 'extract-bench' })
    const sent = await hashesAt(join(store, String(place.tasks)))
    expect(sent).toEqual(await hashesAt(folder))
    expect(Object.keys(sent)).toEqual(['.settings.json', 'finance/10q-schema.json', 'finance/a.gold.json'])
  })

  it('contains the task file with the files beside it that its benchmark names, or is refused', async () => {
    let beside = ['tables/x.csv']
    const question = { benchmark: 'rows', domain: 'd', language: 'en', query: 'q', documentNames: [] }
    const rows = defineBenchmark({
      summary: 'a file and tables beside it',
      answerKinds: ['text'],
      inputs: async path => beside.map(name => join(dirname(path), name)),
      load: async () => ({
        tasks: [
          {
            question: { ...question, taskId: 't', form: { kind: 'text' } },
            gold: { kind: 'text', references: ['yes'] },
            documents: [],
            evidence: null,
          },
        ],
        skipped: [],
      }),
    })
    onTestFinished(benchmarks.add('tests', { rows }))
    const { shipment, folder } = await ship({ benchmark: 'rows' })
    expect(shipment.files.map(file => file.place).filter(place => place.startsWith('tasks/'))).toEqual([
      'tasks/tables/x.csv',
      'tasks/tasks.jsonl',
    ])
    expect(withShipmentFolder(shipment.config, '/w').tasks).toBe('/w/tasks/tasks.jsonl')
    expect(JSON.stringify(shipment.config)).not.toContain(folder)
    beside = ['../x.csv']
    await expect(ship({ benchmark: 'rows' })).rejects.toMatchObject({ code: 'input-outside-folder' })
  })

  it('names a document that is a broken symbolic link', async () => {
    const { shipment, folder } = await ship()
    await symlink(join(folder, 'no-such-file'), join(folder, 'docs/gone.txt'))
    const config = resolveConfig({
      ...{ tasks: join(folder, 'tasks.jsonl'), docs: join(folder, 'docs') },
      ...{ out: join(folder, 'run'), web: 'sealed' },
    })
    const { tasks } = await loadTasks(config)
    const about = { runId: 'r', identity: {}, plugins: [], programs: {} }
    await expect(hashShipment(await collectShipment(config, tasks, null), about)).rejects.toMatchObject({
      code: 'unreadable-shipment',
      message: expect.stringMatching(/gone\.txt .* \(ENOENT\)/),
    })
    expect(await collectShipment({ ...config, web: 'live' }, tasks, null)).toMatchObject({
      files: shipment.files,
    })
  })

  it('contains the files of a script, a judge, prices and faults, and keeps the names of built-in ones', async () => {
    const { shipment } = await ship({
      model: ['scripted:@/turns.jsonl', 'extractive'],
      judge: 'scripted:@/turns.jsonl',
      prices: '@/prices.json',
      faults: '@/faults.json',
    })
    const rooted = withShipmentFolder(shipment.config, '/here')
    expect(rooted.model).toEqual(['scripted:/here/model/turns.jsonl', 'extractive'])
    expect(rooted.judge).toBe('scripted:/here/judge/turns.jsonl')
    expect(rooted.faults).toBe('/here/faults/faults.json')
    expect(rooted.prompts).toEqual(['own'])
    expect((await ship({ faults: 'flaky' })).shipment.config.faults).toBe('flaky')
  })

  it('is refused when workers would write to the same place', () => {
    const base = { ...shippable, record: null, replay: 'strict', web: 'live', chroma: null } as const
    const refusal = expect.objectContaining({ code: 'not-with-queue' })
    expect(() => requireShippable({ ...base, record: 'x' })).toThrow(refusal)
    expect(() => requireShippable({ ...base, web: 'replay:x', replay: 'auto' })).toThrow(refusal)
    expect(() => requireShippable({ ...base, chroma: 'http://127.0.0.1:1' })).toThrow(refusal)
    expect(() => requireShippable(base)).not.toThrow()
  })

  it('is refused when it would put a key into Redis; the message names the option and what to write', () => {
    const base = { ...shippable, record: null, replay: 'strict', web: 'live', chroma: null } as const
    const refusal = (message: RegExp) =>
      expect.objectContaining({ code: 'not-with-queue', message: expect.stringMatching(message) })
    expect(() => requireShippable({ ...base, mcp: ['http://h/mcp?key=abc'] })).toThrow(
      refusal(/^--mcp with --queue: .*\$\{NAME\}/),
    )
    expect(() => requireShippable({ ...base, agent: ['command: a.py --token abc'] })).toThrow(
      refusal(/^--agent with --queue: /),
    )
    expect(() => requireShippable({ ...base, mcp: [`http://h/mcp?key=\${MY_KEY}`] })).not.toThrow()
  })

  it('never contains a path outside the folder of the worker', () => {
    const sha256 = 'a'.repeat(64)
    const campaign = (place: string) => ({
      runId: 'r',
      config: {},
      distractors: null,
      identity: {},
      programs: {},
      files: [{ place, sha256 }],
    })
    expect(campaignSchema.safeParse(campaign('docs/a b.txt')).success).toBe(true)
    for (const place of ['../x', '/etc/x', 'a/../../x', 'a//x', 'a\\..\\x'])
      expect(campaignSchema.safeParse(campaign(place)).success).toBe(false)
  })
})
