import { copyFile, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readTrace } from '../../../logs/reader.ts'
import { importLogs } from '../../../src/run/import/import-logs.ts'
import { readRun } from '../../../src/run/records/read-records.ts'
import { packageRoot } from '../../../src/system/paths.ts'

const fixtures = join(packageRoot, 'tests', 'logs', 'import', 'fixtures')
const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'atif-'))

async function importFiles(...files: string[]) {
  const folder = join(await newFolder(), 'run')
  const paths = files.map(file => (file.startsWith('/') ? file : join(fixtures, file)))
  const summary = await importLogs('atif', paths, folder)
  const { attempts } = await readRun(folder)
  const eventsOf = async (at: number) => (await readTrace(folder, attempts[at]!.attemptId)).events
  return { folder, attempts, summary, eventsOf }
}

it('reads messages, reasoning, images by their names, and helpers before the result of their call', async () => {
  const { attempts, eventsOf } = await importFiles('atif.json')
  expect(attempts[0]).toMatchObject({
    sourceId: 'run-7/hotels',
    model: 'vendor/model-f',
    termination: { cause: 'agent', reason: 'answered', answerProduced: true },
    startedAt: '2026-01-01T00:00:00.000Z',
    endedAt: '2026-01-01T00:00:09.000Z',
  })
  const events = await eventsOf(0)
  const asked = events.find(event => event.type === 'model-called')
  expect(asked?.messages.map(({ role, content }) => [role, content])).toEqual([
    ['system', { text: 'You find facts.' }],
    ['user', { text: 'How many beds has Hotel Alder?\n[image: images/alder.png]' }],
  ])
  const told = events.flatMap(event => {
    if (event.type === 'model-answered') return [`model: ${JSON.stringify(event.text)}`]
    if (event.type === 'tool-answered') return [`${event.tool}: ${JSON.stringify(event.text)}`]
    return event.type === 'tool-failed' ? [`${event.tool} failed: ${event.message}`] : []
  })
  expect(told).toEqual([
    'model: {"text":"I search."}',
    expect.stringMatching(/^web_search/),
    'model: {"text":""}',
    'fetch_page: {"text":"Hotel Alder has 12 beds."}',
    'model: {"text":"12 beds."}',
    'ask_agent: {"text":"12 beds."}',
    'model: {"text":""}',
    'fetch_page failed: 404',
    'log_note: {"text":"noted"}',
    'model: {"text":"12"}',
  ])
  const turn = events.find(event => event.type === 'model-answered')
  expect(turn?.reasoning).toEqual({ text: 'The name is known.' })
  expect(turn?.usage).toEqual({
    ...{ inputTokens: 100, cachedInputTokens: 40, outputTokens: 20, reasoningTokens: 8 },
  })
  const hits = events.flatMap(event => (event.type === 'tool-answered' ? event.observations : []))
  expect(hits[0]).toMatchObject({ kind: 'hits', hits: [{ url: 'https://example.org/alder' }] })
})

it('sums the usage of the agent and its helpers, and counts no call for steps without a model', async () => {
  const { attempts } = await importFiles('atif.json')
  expect(attempts[0]?.usage).toMatchObject({
    ...{ inputTokens: 560, cachedInputTokens: 40, outputTokens: 41, reasoningTokens: 8, modelCalls: 5 },
    ...{ searchCalls: 1, fetchCalls: 2, toolErrors: 1, wallMs: 9000 },
  })
  expect(attempts[0]?.usage.usd).toBeCloseTo(0.032)
})

it('follows a trajectory into the files that it continues in, whose totals may include the earlier ones', async () => {
  const files = ['cont-1.json', 'json', 'summary.json'].map(end => `atif-continued.${end}`)
  const { attempts, summary, eventsOf } = await importFiles(...files)
  expect(summary.skipped.map(({ problem }) => problem)).toEqual([
    's-1 is part of an attempt in another file; it counts once',
    's-1-summary is part of an attempt in another file; it counts once',
  ])
  expect(attempts).toHaveLength(1)
  expect(attempts[0]).toMatchObject({
    ...{ sourceId: 's-1', model: 'model-o', termination: { reason: 'answered', detail: 'finish' } },
    usage: { inputTokens: 60, outputTokens: 9, modelCalls: 3 },
  })
  const events = await eventsOf(0)
  const texts = events.flatMap(event =>
    event.type === 'model-called' ? event.messages.map(({ content }) => content) : [],
  )
  // Steps that a later file copies are read once.
  expect(texts.filter(text => 'text' in text && text.text.startsWith('Name the town'))).toHaveLength(1)
  expect(events.find(event => event.type === 'tool-answered')).toMatchObject({
    callId: 'a',
    tool: 'bash_command',
  })
})

it('counts the usage of a copied step once', async () => {
  const folder = await newFolder()
  const files = ['cont-1.json', 'json', 'summary.json'].map(end => `atif-continued.${end}`)
  for (const file of files) {
    const { final_metrics: _, ...log } = JSON.parse(await readFile(join(fixtures, file), 'utf8'))
    for (const step of log.steps)
      if (step.is_copied_context) step.metrics = { prompt_tokens: 1000, completion_tokens: 100 }
    await writeFile(join(folder, file), JSON.stringify(log))
  }
  const { attempts } = await importFiles(...files.map(file => join(folder, file)))
  expect(attempts[0]?.usage).toMatchObject({ inputTokens: 60, outputTokens: 9, modelCalls: 3 })
})

it('reads no file beside a log that is a link to another folder', async () => {
  const [folder, elsewhere] = [await newFolder(), await newFolder()]
  const [log, next] = ['atif-continued.json', 'atif-continued.cont-1.json']
  await copyFile(join(fixtures, log), join(folder, log))
  await copyFile(join(fixtures, next), join(elsewhere, next))
  await symlink(join(elsewhere, next), join(folder, next))
  const { attempts, summary } = await importFiles(join(folder, log))
  expect(attempts[0]?.termination.detail).toBe(`continued in ${next}`)
  const problems = summary.skipped.map(({ problem }) => problem)
  expect(problems).toContainEqual(expect.stringMatching(/cont-1\.json cannot be read: .*leads out of/))
})

it('reads how a trajectory ends from its last step, and says what it could not read', async () => {
  const { attempts, summary } = await importFiles('atif-ends.jsonl')
  const ends = attempts.map(({ sourceId, termination: { cause, reason, answerProduced, detail } }) =>
    [sourceId, `${cause}/${reason}`, answerProduced, detail].join(' | '),
  )
  expect(ends).toEqual([
    'text | agent/answered | true | the last step is from the agent',
    'submitted | agent/answered | true | submit',
    'done without words | agent/answered | false | mark_task_complete',
    'done in the text | agent/answered | true | task_complete',
    'open call | unknown/unmapped | false | ',
    'result not read | unknown/unmapped | false | ',
    'no step of the agent | unknown/unmapped | false | ',
    'continuation missing | unknown/unmapped | false | continued in gone.json',
    'continuation elsewhere | unknown/unmapped | false | continued in secret.json',
  ])
  expect(summary.skipped.map(({ place, problem }) => [Number(place.split(':')[1]), problem])).toEqual([
    [8, expect.stringMatching(/^gone\.json cannot be read: .*ENOENT/)],
    [9, '../secret.json is not in the folder of the log, and was not read'],
    [10, 'the version ATIF-v2.0 is not known, only ATIF-v1 [unknown-log-record]'],
    [11, expect.stringMatching(/steps\[0\]\.source.* \[damaged-log-record\]$/)],
    [12, expect.stringMatching(/'tablehunt' .*Remove the member .* \[damaged-original-record\]$/)],
  ])
})

it.each([
  ['AgentTimeoutError', 'budget/wall-clock'],
  ['CancelledError', 'operator/cancelled'],
  ['RateLimitError', 'provider/rate-limited'],
  ['constructor', 'harness/crash'],
])('takes task and end from the result that Harbor writes above a trajectory: %s', async (type, end) => {
  const trial = await newFolder()
  await mkdir(join(trial, 'agent'))
  const log = join(trial, 'agent', 'trajectory.json')
  await writeFile(log, await readFile(join(fixtures, 'atif.json')))
  const exception = { exception_type: type, exception_message: 'stopped' }
  const result = { task_name: 'hotels', trial_name: 'hotels__x1', exception_info: exception }
  await writeFile(join(trial, 'result.json'), JSON.stringify(result))
  const { attempts } = await importFiles(log)
  const [{ taskId, sourceId, termination } = undefined!] = attempts
  expect([taskId, sourceId, `${termination.cause}/${termination.reason}`]).toEqual([
    'hotels',
    'hotels__x1',
    end,
  ])
})
