import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import { readRun } from '../../src/run/records/read-records.ts'
import { scoreRun } from '../../src/run/scores/score-run.ts'
import { executeRun } from '../../src/run.ts'
import { completion, send, startOpenAiServer } from '../models/openai-server.ts'

/** Invented prompts in the layout of AOE's published file. */
const yaml = `Overall_eval:
  Instruction: |
    Rate the table. Write <score1>{int}</score1> and so on.
  Output: |
    Asked: {query}

    Right: {gold_csv_txt}
    Given: {predict_csv_txt}
  Examples: |
    - Example: {"all": 100}

Row_evaluation:
  Instruction: |
    Find the row.
  Output: |
    Key:
    {mapped_key_value}

    Keys:
    {gold_key_list_str}

    Answer <output>xxxx</output>
  Examples: |
    None so far.

Cell_evaluation:
  Instruction: |
    Compare two cells.
  Output: |
    Column: {column_name}
    Gold: "{gold_text}"
    Given: "{predicted_text}"
    {{literal}} <output>0|1|0.x</output>
  Examples: |
    1 is 1.

Details:
  solving_fields_error:
    Instruction: unused
  mapping_predict_tables:
    Instruction: |
      Rename the columns.
    Output: |
      Table:
       {predict_txt}
      Columns:
       {gold_header_string}
    Examples: |
      a becomes b.
`

const task = {
  record_id: 'academic_boats_1',
  language: 'en',
  domain: 'academic',
  query: 'List the boats.',
  input_doc: ['notes.md'],
  answers: [
    { boat: 'Alder', crew: 5, note: 'a red hull', port: 'Hull' },
    { boat: 'Birch', crew: null, note: 'two masts', port: 'Cork' },
  ],
  key_cols: ['boat'],
  target_value_columns: ['crew', 'note'],
  numeric_columns: ['crew'],
}
const answer = 'Here it is.\n```csv\nBoat name,crew,note\nAlder,5,RED hull\nthe second,,2 masts\n```\n'
const rewritten = '```csv\nboat,crew,note\nAlder,5,RED hull\nthe second,,2 masts\n```'

let folder = ''
let server: Awaited<ReturnType<typeof startOpenAiServer>>
let asked: { prompt: string; messages: number; maxTokens: unknown }[]

beforeEach(async () => {
  asked = []
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-judge-prompts-'))
  server = await startOpenAiServer((request, response) => {
    const messages = request.body.messages as { content: string }[]
    const prompt = messages[0]!.content
    const maxTokens = request.body.max_completion_tokens ?? request.body.max_tokens
    asked.push({ prompt, messages: messages.length, maxTokens })
    send(response, 200, completion({ content: replyTo(prompt) }))
  })
  await writeFile(join(folder, 'prompts.yaml'), yaml)
  await writeFile(join(folder, 'notes.md'), 'Notes.')
  await writeFile(join(folder, 'tasks.jsonl'), JSON.stringify(task))
  await writeFile(
    join(folder, 'script.jsonl'),
    JSON.stringify({ taskId: task.record_id, turns: [{ text: answer }] }),
  )
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

function replyTo(prompt: string): string {
  if (prompt.startsWith('Rename')) return rewritten
  if (prompt.startsWith('Find')) return '<output>Birch</output>'
  if (prompt.startsWith('Compare')) return '<output>0.5</output>'
  return '<score1>90</score1><score2>80</score2><score3>70</score3><score4>60</score4>'
}

const run = async (options: Record<string, unknown> = {}): Promise<void> => {
  await executeRun(
    resolveConfig({
      tasks: join(folder, 'tasks.jsonl'),
      model: `scripted:${join(folder, 'script.jsonl')}`,
      docs: folder,
      setting: 'offline',
      out: join(folder, 'run'),
      cache: join(folder, 'cache'),
      ...options,
    }),
  )
}
const withPrompts = () => ({
  judgePrompts: join(folder, 'prompts.yaml'),
  judge: `openai:judge@${server.url}`,
})

const rewriting =
  'Rename the columns.\n\n\na becomes b.\n\n\nTable:\n Boat name,crew,note\nAlder,5,RED hull\nthe second,,2 masts\nColumns:\n boat,crew,note,port\n'
const matching =
  'Find the row.\n\n\nNone so far.\n\n\nKey:\nthe second\n\nKeys:\n- Alder\n- Birch\n\nAnswer <output>xxxx</output>\n'
const cell = (gold: string, given: string): string =>
  `Compare two cells.\n\n\n1 is 1.\n\n\nColumn: note\nGold: "${gold}"\nGiven: "${given}"\n{literal} <output>0|1|0.x</output>\n`
const rating =
  'Rate the table. Write <score1>{int}</score1> and so on.\n\n\n- Example: {"all": 100}\n\n\nAsked: List the boats.\n\nRight: boat,crew,note,port\nAlder,5.0,a red hull,Hull\nBirch,,two masts,Cork\n\nGiven: Boat name,crew,note\nAlder,5,RED hull\nthe second,,2 masts\n'

describe('published prompts for the judge', () => {
  it('are sent by scorer aoe as the published code sends them, one message each', async () => {
    await run({ ...withPrompts(), scorer: ['aoe'] })
    expect(asked.map(({ prompt }) => prompt).sort()).toEqual(
      [rewriting, matching, cell('a red hull', 'RED hull'), cell('two masts', '2 masts'), rating].sort(),
    )
    expect(asked.every(({ messages }) => messages === 1)).toBe(true)
    const limits = new Map(asked.map(({ prompt, maxTokens }) => [prompt.slice(0, 4), maxTokens]))
    expect(Object.fromEntries(limits)).toEqual({ Rena: 3000, Find: 200, Comp: 20, Rate: 500 })
    const { scores } = await readRun(join(folder, 'run'))
    expect(scores[0]!.cells.map(({ score, rule }) => [score, rule])).toEqual([
      [1, 'numeric'],
      [0.5, 'judge'],
      [1, 'numeric'],
      [0.5, 'judge'],
    ])
  })

  it('are sent by scorer paper, whose rows choose among the free gold keys', async () => {
    await run({ ...withPrompts(), scorer: ['paper'] })
    const choosing = matching.replace('- Alder\n', '')
    expect(asked.map(({ prompt }) => prompt).sort()).toEqual(
      [rewriting, choosing, cell('a red hull', 'RED hull'), cell('two masts', '2 masts'), rating].sort(),
    )
  })

  it('leave the other scorers with their own prompts for columns, rows and cells', async () => {
    await run({ ...withPrompts(), scorer: ['strict'] })
    expect(asked.some(({ prompt }) => /^(?:Rename|Find|Compare)/.test(prompt))).toBe(false)
  })

  it('are part of the identity of a run, of the name of the judge and of the key of its cache', async () => {
    await run({ ...withPrompts(), scorer: ['aoe'] })
    const { manifest, scores } = await readRun(join(folder, 'run'))
    const hash = String(manifest.identity?.judgePromptsSha256)
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    expect(scores[0]!.judge).toContain(`+prompts@${hash.slice(0, 12)}`)
    const before = asked.length
    const config = resolveConfig({
      ...{ tasks: '-', out: '-', cache: join(folder, 'cache'), scorer: ['aoe'] },
      ...withPrompts(),
    })
    const again = { config, repeats: 1, signal: new AbortController().signal }
    await scoreRun(join(folder, 'run'), again)
    expect(asked.length).toBe(before)
    await writeFile(join(folder, 'prompts.yaml'), yaml.replace('1 is 1.', '2 is 2.'))
    await scoreRun(join(folder, 'run'), again)
    // Every prompt is asked again, because its cache key contains the file's hash.
    expect(asked.length).toBe(2 * before)
    const names = (await readFile(join(folder, 'run', 'manifest.json'), 'utf8')).match(
      /\+prompts@[0-9a-f]{12}/g,
    )
    expect(new Set(names).size).toBe(2)
  })

  it.each([['rules', 'needs-judge-model', /Add --judge PROVIDER:NAME/]])(
    'need a judge model: --judge %s',
    async (judge, code, message) => {
      await expect(run({ ...withPrompts(), judge })).rejects.toMatchObject({
        code,
        message: expect.stringMatching(message),
      })
    },
  )

  it.each([
    [null, 'unreadable-judge-prompts', /prompts\.yaml/],
    ['- a\n- b\n', 'invalid-judge-prompts', /Name AOE's YAML file/],
    [yaml.replace('Cell_evaluation', 'Cells'), 'invalid-judge-prompts', /Cell_evaluation/],
    [yaml.replace('{gold_text}', 'gold'), 'invalid-judge-prompts', /Cell_evaluation lacks \{gold_text\}/],
    [yaml.replace('{{literal}}', '{literal}'), 'invalid-judge-prompts', /unknown \{literal\}/],
    ['a: [', 'invalid-judge-prompts', /not YAML/],
  ])('are checked before anything is asked (%#)', async (text, code, message) => {
    if (text === null) await rm(join(folder, 'prompts.yaml'))
    else await writeFile(join(folder, 'prompts.yaml'), text)
    await expect(run({ ...withPrompts(), scorer: ['aoe'] })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    })
    expect(asked).toEqual([])
  })
})
