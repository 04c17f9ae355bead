import { afterAll, expect, it } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import type { Task } from '../../src/core/task.ts'
import { checkDocuments } from '../../src/run/open-run/documents.ts'
import { checkOptions } from '../../src/run/plan/check-options.ts'
import { defineBenchmark } from '../../tasks/benchmark.ts'
import { benchmarks } from '../../tasks/registry.ts'

const load = async () => ({ tasks: [], skipped: [] })
const removeBenchmark = benchmarks.add('tests', {
  'web-only': defineBenchmark({
    summary: 'questions without documents',
    answerKinds: ['text'],
    settings: ['online'],
    otherSettings: ['closed-book'],
    load,
  }),
  anything: defineBenchmark({ summary: 'any question', answerKinds: ['text'], load }),
})
afterAll(removeBenchmark)

function taskOf(documents: Task['documents']): Task {
  return {
    question: {
      ...{ taskId: 'q1', benchmark: 'anything', domain: 'd', language: 'en', query: 'q', documentNames: [] },
      form: { kind: 'text' },
    },
    gold: { kind: 'text', references: ['a'] },
    documents,
    evidence: null,
  }
}
const supplied = { name: 'a', load: async () => ({ kind: 'text', text: 'a' }) as const }
const configOf = (options: Record<string, unknown>) =>
  resolveConfig({ tasks: 't', out: 'tablehunt-no-such-run', ...options })

it('uses the settings, scorers and prompts of the benchmark when none are given', () => {
  expect(configOf({ benchmark: 'web-only' })).toMatchObject({
    ...{ setting: ['online'], scorer: ['answer-f1'], prompts: ['own'] },
  })
  // The tasks decide between aoe and strict.
  expect(configOf({})).toMatchObject({ setting: ['offline', 'rag', 'online'], scorer: [] })
  expect(configOf({ benchmark: 'spreadsheet' }).scorer).toEqual(['strict'])
  expect(configOf({ benchmark: 'extract-bench' }).scorer).toEqual(['extract-bench'])
  expect(configOf({ benchmark: 'web-only', setting: 'closed-book' }).setting).toEqual(['closed-book'])
})

it('refuses a setting that the benchmark does not offer, and names the available ones', async () => {
  const config = configOf({ benchmark: 'web-only', setting: 'offline' })
  await expect(checkOptions(config, [taskOf([supplied])])).rejects.toMatchObject({
    code: 'setting-not-offered',
    message: expect.stringMatching(/--setting offline: benchmark web-only .* online, closed-book/),
  })
  await checkOptions(configOf({ benchmark: 'web-only' }), [taskOf([])])
})

it('refuses the online setting for StrucText-Eval, whose prompts show the text itself', async () => {
  for (const setting of ['offline', 'rag', 'closed-book'])
    await checkOptions(configOf({ benchmark: 'structext', setting }), [taskOf([supplied])])
  await expect(
    checkOptions(configOf({ benchmark: 'structext', setting: 'online', web: 'sealed' }), [
      taskOf([supplied]),
    ]),
  ).rejects.toMatchObject({
    code: 'setting-not-offered',
    message: expect.stringContaining('offline, rag, closed-book'),
  })
})

it('refuses a setting that reads documents when a task has none, and names setting and task', async () => {
  for (const setting of ['offline', 'rag'])
    await expect(
      checkOptions(configOf({ benchmark: 'anything', setting }), [taskOf([supplied]), taskOf([])]),
    ).rejects.toMatchObject({
      code: 'no-documents',
      message: expect.stringMatching(new RegExp(`--setting ${setting}: .* 1 of 2 tasks .* q1`)),
    })
})

it('refuses controls that need another kind of evidence than a task has, and accepts the others', async () => {
  const known: Task = { ...taskOf([supplied]), evidence: { kind: 'documents', names: ['a'] } }
  const page: Task = { ...taskOf([supplied]), evidence: { kind: 'urls', urls: [{ url: 'https://a.test/' }] } }
  const unknown = taskOf([supplied])
  const check = (controls: string, task: Task) =>
    checkOptions(configOf({ benchmark: 'anything', setting: 'rag,online', controls }), [known, task])
  for (const [controls, task] of [
    ['oracle', unknown],
    ['found-only', unknown],
    ['found-only', page],
    ['oracle-inject', page],
  ] as const)
    await expect(check(controls, task)).rejects.toMatchObject({
      code: 'no-evidence',
      message: expect.stringMatching(new RegExp(`--controls ${controls}: .* 1 of 2 .* q1`)),
    })
  await check('oracle', page)
  await check('random', unknown)
  await check('oracle,random,found-only,oracle-inject', known)
})

it('refuses controls that show documents to the model when a task has none', async () => {
  const config = configOf({ benchmark: 'anything', setting: 'online', controls: 'oracle-inject' })
  await expect(checkOptions(config, [taskOf([])])).rejects.toMatchObject({ code: 'no-documents' })
})

it('requires no documents or names online and closed-book, and no folder for supplied documents', async () => {
  const options = { docs: null, web: 'live' }
  const without = { ...options, setting: ['online', 'closed-book'] }
  await checkOptions(configOf({ benchmark: 'anything', setting: without.setting }), [taskOf([])])
  expect(await checkDocuments([taskOf([])], without)).toBeNull()
  const all = { ...options, setting: ['offline', 'rag', 'online', 'closed-book'] }
  await checkOptions(configOf({ benchmark: 'anything', setting: all.setting }), [taskOf([supplied])])
  expect(await checkDocuments([taskOf([supplied])], all)).toBeNull()
})

const jsonTask: Task = {
  ...taskOf([supplied]),
  question: { ...taskOf([]).question, form: { kind: 'json', schema: { type: 'object' } } },
}

it('accepts structured output for tasks with JSON answers', async () => {
  const config = configOf({ benchmark: 'anything', setting: 'offline', structuredOutput: true })
  expect(config.structuredOutput).toEqual(['on'])
  await checkOptions(config, [jsonTask])
})

it('refuses structured output for tasks without a JSON Schema, and names the first', async () => {
  const config = configOf({ benchmark: 'anything', setting: 'offline', structuredOutput: 'on,off' })
  await expect(checkOptions(config, [jsonTask, taskOf([supplied])])).rejects.toMatchObject({
    code: 'structured-output-not-json',
    message: expect.stringMatching(/1 of 2 tasks.*q1.*Leave the option out/),
  })
})

it('refuses structured output without a setting that asks with one request', async () => {
  const config = configOf({ benchmark: 'web-only', setting: 'online', structuredOutput: 'on' })
  await expect(checkOptions(config, [jsonTask])).rejects.toMatchObject({
    code: 'structured-output-needs-setting',
  })
})

it.each([{ record: 'tablehunt-no-such-recording' }, { web: 'replay:tablehunt-no-such-recording' }])(
  'refuses MCP servers in a run with %j, and names them and the fix',
  async options => {
    const online = { benchmark: 'anything', setting: 'online', mcp: ['https://a.example/mcp?key=hidden'] }
    await expect(checkOptions(configOf({ ...online, ...options }), [taskOf([])])).rejects.toMatchObject({
      code: 'mcp-not-recordable',
      message: expect.stringMatching(/^--mcp a\.example: a recording .* Remove --mcp, or remove --record/),
    })
    await checkOptions(configOf({ ...online, setting: 'closed-book', record: null }), [taskOf([])])
  },
)
