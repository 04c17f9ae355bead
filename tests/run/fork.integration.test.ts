import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readTrace } from '../../logs/reader.ts'
import { tracePath } from '../../logs/writer.ts'
import type { Attempt } from '../../src/core/attempt.ts'
import { readRun } from '../../src/run/records/read-records.ts'
import { packageRoot } from '../../src/system/paths.ts'
import { tablehunt } from '../cli/cli.ts'

const demo = [
  ...['--tasks', 'tasks/demo/tasks.jsonl', '--docs', 'tasks/demo/documents'],
  ...['--web', 'sealed', '--setting', 'online', '--browser', 'off'],
]

const untimed = ({ startedAt: _s, endedAt: _e, files: _f, usage, ...attempt }: Attempt) => ({
  ...attempt,
  usage: { ...usage, wallMs: 0, workingMs: 0 },
})

describe('forks of our own agent', () => {
  let folder = ''
  let source: Attempt
  const path = (name: string): string => join(folder, name)
  const fork = async (run: string, out: string, ...more: string[]) =>
    await tablehunt(['fork', path(run), '--out', path(out), ...more])
  const attemptsOf = async (out: string): Promise<readonly Attempt[]> => (await readRun(path(out))).attempts

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forks-'))
    const { code, stderr } = await tablehunt([
      ...['run', ...demo, '--filter', 'quarter', '--faults', 'anti-bot', '--out', path('run')],
    ])
    expect([code, stderr]).toEqual([0, expect.anything()])
    source = (await readRun(path('run'))).attempts[0]!
  })

  it('bring lost items back with the missed documents, and repeat the source without a change', async () => {
    const { code, stdout, stderr } = await fork(
      'run',
      'given',
      source.attemptId,
      '--at',
      'loss',
      '--give',
      'missed',
      '--repeat',
      '2',
    )
    expect([code, stderr]).toEqual([0, expect.anything()])
    const { attempts, scores } = await readRun(path('given'))
    const [before] = (await readRun(path('run'))).scores
    expect(before!.metrics.cellF1).toBeLessThan(1)
    for (const attempt of attempts) {
      const score = scores.find(({ attemptId }) => attemptId === attempt.attemptId)!
      const isGiven = attempt.fork!.intervention.kind === 'give'
      expect(score.metrics.cellF1).toBeGreaterThanOrEqual(before!.metrics.cellF1!)
      if (isGiven) expect(attempt.fork!.tookEffect).toBe(true)
      else expect(score.cells).toEqual(before!.cells)
    }
    const best = Math.max(...scores.map(({ metrics }) => metrics.cellF1!))
    expect(best).toBeGreaterThan(before!.metrics.cellF1!)
    expect(stdout).toMatch(/give +\d+ +agent \/ answered/)
  })

  it('have a trace that refers to the recorded part, and reads as a whole', async () => {
    await fork('run', 'control', source.attemptId, '--at', '2')
    const [attempt] = await attemptsOf('control')
    const { attemptId } = attempt!
    const own = await readFile(tracePath(path('control'), attemptId), 'utf8')
    expect(own.match(/"type":"model-called"/g)!.length).toBe(source.usage.modelCalls! - 1)
    const { events } = await readTrace(path('control'), attemptId)
    const sourceEvents = (await readTrace(path('run'), source.attemptId)).events
    const typesOf = (list: typeof events): string[] => list.map(({ type, step }) => `${step} ${type}`)
    expect(typesOf(events).filter(type => type !== '0 forked')).toEqual(typesOf(sourceEvents))
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at))
    expect(attempt).toMatchObject({
      discovery: source.discovery,
      usage: { modelCalls: source.usage.modelCalls! - 1 },
      fork: { attemptId: source.attemptId, atStep: 2, replayed: { modelCalls: 1 } },
    })
    expect((await tablehunt(['verify', path('control')])).code).toBe(0)
    const { scores } = await readRun(path('control'))
    await tablehunt(['score', path('control')])
    expect((await readRun(path('control'))).scores[0]!.cells).toEqual(scores[0]!.cells)
  })

  it('are equal when they are made twice, and are resumed', async () => {
    const flags = [
      source.attemptId,
      '--at',
      '2',
      '--answer-now',
      '--prompt-note',
      'Be brief.',
      '--repeat',
      '2',
    ]
    await fork('run', 'first', ...flags)
    await fork('run', 'second', ...flags)
    const [first, second] = [await attemptsOf('first'), await attemptsOf('second')]
    expect(first).toHaveLength(6)
    expect(second.map(untimed)).toEqual(first.map(untimed))
    expect((await readRun(path('second'))).scores).toEqual((await readRun(path('first'))).scores)
    const again = await fork('run', 'first', ...flags)
    expect(again.code).toBe(0)
    expect(await attemptsOf('first')).toEqual(first)
    const hurried = first.filter(({ fork }) => fork!.intervention.kind === 'answer-now')
    for (const { termination, usage } of hurried) {
      expect(termination).toMatchObject({ cause: 'budget', reason: 'model-calls', forcedFinal: true })
      expect(usage.modelCalls).toBe(1)
    }
  })

  it('can be forked again', async () => {
    await fork('run', 'parent', source.attemptId, '--at', '2')
    const [parent] = await attemptsOf('parent')
    await fork('parent', 'child', parent!.attemptId, '--at', '3')
    const [child] = await attemptsOf('child')
    expect(child!.termination).toEqual(source.termination)
    expect(child).toMatchObject({
      answer: source.answer,
      discovery: source.discovery,
      fork: { attemptId: parent!.attemptId, atStep: 3, replayed: { modelCalls: 2 } },
    })
  })

  it.each([
    ['a note', ['--at', '2', '--prompt-note', 'Check every value.'], '3'],
    ['a budget', ['--at', '2', '--budget-model-calls', '40'], '3'],
    ['a context policy', ['--at', '2', '--context-policy', 'keep-last:1'], '3'],
    // The address of the document opens in the second fork, too.
    ['a document', ['--at', 'loss', '--give', 'missed'], '2'],
  ])('can be forked again after the step at which %s came', async (name, flags, step) => {
    const [parent, child] = [`parent of ${name}`, `child of ${name}`]
    await fork('run', parent, source.attemptId, ...flags)
    const [changed] = await attemptsOf(parent)
    await fork(parent, child, changed!.attemptId, '--at', step)
    const [again] = await attemptsOf(child)
    expect(again!.termination).toEqual(changed!.termination)
    expect(again!.answer).toEqual(changed!.answer)
  })

  it('are refused with the place and what to do', async () => {
    const refusal = async (...flags: string[]): Promise<string> => {
      const { code, stderr } = await fork('run', 'refused', source.attemptId, ...flags)
      expect(code).toBe(2)
      return stderr
    }
    expect(await refusal('--at', '99')).toMatch(
      /--at: '99' is no step .* the steps 1 to \d+\..*\[fork-step\]/,
    )
    expect(await refusal('--at', '1', '--give', 'other.pdf')).toMatch(
      /--give: 'other.pdf' is no document of the task.*\[fork-document\]/,
    )
    expect(await refusal('--at', '1', '--web', 'live', '--answer-now')).toMatch(/\[fork-web\]/)
    expect(await refusal('--at', '1', '--tool-result', path('missing.txt'))).toMatch(
      /--tool-result .*missing\.txt: no such file.*\[fork-tool-result\]/,
    )
    expect(await refusal('--at', '1', '--tool-result', folder)).toMatch(/is a folder.*\[not-a-file\]/)
    expect(await refusal('--at', '1', '--prompt-note', '')).toMatch(/--prompt-note.*\[invalid-option\]/)
    const { stderr } = await fork('run', 'refused', 'nothing', '--at', '1')
    expect(stderr).toMatch(/unknown-attempt/)
  })

  it('leave a run with other forks or none as it was', async () => {
    await fork('run', 'kept', source.attemptId, '--at', '2', '--answer-now')
    const plan = await readFile(path('kept/forks/plan.json'), 'utf8')
    const other = await fork('run', 'kept', source.attemptId, '--at', '3', '--answer-now')
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringMatching(/contains other forks.*--out.*different-run/),
    ])
    expect(await readFile(path('kept/forks/plan.json'), 'utf8')).toBe(plan)
    const own = await fork('run', 'run', source.attemptId, '--at', '3')
    expect([own.code, own.stderr]).toEqual([2, expect.stringMatching(/contains another run.*different-run/)])
    await expect(readFile(path('run/forks/plan.json'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('give several documents, each in a fork of its own', async () => {
    const names = source.documents!.flatMap(name => ['--give', name])
    const { code, stderr } = await fork('run', 'two', source.attemptId, '--at', '2', ...names)
    expect([code, stderr]).toEqual([0, expect.anything()])
    const given = (await attemptsOf('two')).map(({ fork }) => fork!.intervention.value)
    expect(given.toSorted()).toEqual(source.documents!.toSorted())
  })

  it('are estimated from what their source used', async () => {
    const { stdout } = await tablehunt(['causes', path('run'), '--dry-run'])
    expect(stdout).toMatch(
      /\d+ forks\. If each continues as its source did: \d+ model calls, \d+ searches, \d+ fetches/,
    )
  })
})

/** An agent that asks a model, searches twice and asks again. */
const agentScript = `
const ask = async messages => {
  const response = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: process.env.TABLEHUNT_MODEL, messages }),
  })
  if (!response.ok) process.exit(1)
  return (await response.json()).choices[0].message.content
}
const search = async q => {
  const response = await fetch(process.env.SERPER_BASE_URL + '/search', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ q }),
  })
  return JSON.stringify(await response.json())
}
const noise = ''
const messages = [{ role: 'user', content: 'Which words?' }]
const query = await ask(messages)
const found = await Promise.all([search(query), search(query + ' report')])
messages.push({ role: 'assistant', content: query }, { role: 'user', content: found.join(' ') + noise })
messages.push({ role: 'assistant', content: await ask(messages) }, { role: 'user', content: 'Write the table.' })
console.log(await ask(messages))
`

describe('forks of an external agent', () => {
  let folder = ''
  let attempt: Attempt
  const path = (name: string): string => join(folder, name)

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forks-external-'))
    await writeFile(path('agent.mjs'), agentScript)
    const turns = [
      { text: 'harbourlight' },
      { text: 'I read.' },
      { text: '```csv\nFilename,Value\na.pdf,1\n```' },
    ]
    await writeFile(path('script.jsonl'), JSON.stringify({ turns }))
    const { code, stderr } = await tablehunt([
      ...['run', ...demo, '--filter', 'quarter', '--out', path('run')],
      ...['--agent', `command: node ${path('agent.mjs')}`, '--model', `scripted:${path('script.jsonl')}`],
    ])
    expect([code, stderr]).toEqual([0, expect.anything()])
    attempt = (await readRun(path('run'))).attempts[0]!
    expect(attempt).toMatchObject({
      termination: { reason: 'answered' },
      usage: { modelCalls: 3, searchCalls: 2 },
    })
  })

  it('answer its calls from the recording, and only pay what comes after', async () => {
    // The scripted model plays its turns from the first one again.
    const { code, stderr } = await tablehunt([
      'fork',
      path('run'),
      attempt.attemptId,
      '--at',
      '3',
      '--out',
      path('forks'),
    ])
    expect([code, stderr]).toEqual([0, expect.anything()])
    const [fork] = (await readRun(path('forks'))).attempts
    expect(fork).toMatchObject({
      termination: { cause: 'agent', reason: 'answered-without-table' },
      usage: { modelCalls: 1, searchCalls: 0 },
      fork: { replayed: { modelCalls: 2, searchCalls: 2 } },
    })
    expect(await readFile(join(path('forks'), 'answers', `${fork!.attemptId}.txt`), 'utf8')).toContain(
      'harbourlight',
    )
  })

  it('end as diverged when the agent departs from the recording, naming the step', async () => {
    await writeFile(path('agent.mjs'), agentScript.replace("noise = ''", 'noise = String(Math.random())'))
    const { stdout } = await tablehunt([
      'fork',
      path('run'),
      attempt.attemptId,
      '--at',
      '3',
      '--out',
      path('diverged'),
    ])
    const { attempts, scores } = await readRun(path('diverged'))
    expect(attempts[0]!.termination).toMatchObject({ cause: 'harness', reason: 'diverged' })
    expect(attempts[0]!.termination.detail).toMatch(
      /^step 2 differs from the trace: message \d+ \(user\) for the model/,
    )
    expect(scores[0]!.status).toBe('unscored')
    expect(stdout).toMatch(/step 2 differs from the trace/)
    // Nothing is known of its items: right, regained and newly lost are no zeros.
    expect(stdout).toMatch(/none +3 +harness \/ diverged +\d+ +– +– +–/)
  })

  it('read the values of its variables, which runs do not store, from the config file', async () => {
    const command = ['node', path('secret.mjs')]
    await writeFile(
      path('secret.mjs'),
      `if (process.env.MY_MODE !== 'one two') process.exit(1)\n${agentScript}`,
    )
    const agents = { mine: { command, env: { MY_MODE: 'one two' } } }
    await writeFile(path('tablehunt.config.json'), JSON.stringify({ agents }))
    const ofDemo = demo.map(word => (word.includes('/') ? join(packageRoot, word) : word))
    const inFolder = { cwd: folder }
    const model = ['--model', `scripted:${path('script.jsonl')}`]
    await tablehunt(
      ['run', ...ofDemo, '--filter', 'quarter', '--agent', 'mine', ...model, '--out', 'secret'],
      inFolder,
    )
    const flags = [attempt.attemptId.split('.')[0]!, '--at', '3']
    const forked = await tablehunt(['fork', 'secret', ...flags, '--out', 'secret-fork'], inFolder)
    expect([forked.code, forked.stderr]).toEqual([0, expect.anything()])
    await writeFile(path('tablehunt.config.json'), '{}')
    const refused = await tablehunt(['fork', 'secret', ...flags, '--out', 'other'], inFolder)
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/agents .*put it in tablehunt\.config\.json.*\[secret-not-kept\]/),
    ])
    await rm(path('tablehunt.config.json'))
  })

  it('refuse changes of its messages', async () => {
    const { code, stderr } = await tablehunt([
      ...['fork', path('run'), attempt.attemptId, '--at', '3', '--prompt-note', 'x', '--out', path('note')],
    ])
    expect([code, stderr]).toEqual([2, expect.stringContaining('[fork-agent]')])
  })
})

describe('forks of an imported log', () => {
  it('continue its messages with our own agent', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'forks-imported-'))
    const path = (name: string): string => join(folder, name)
    const [line] = (await readFile('tasks/demo/tasks.jsonl', 'utf8')).split('\n')
    const { record_id: taskId, query } = JSON.parse(line!)
    const called = (id: string, name: string, args: object) => ({
      role: 'assistant',
      content: '',
      tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
    })
    const messages = [
      { role: 'system', content: 'You use visit.' },
      { role: 'user', content: query },
      called('1', 'google', { q: 'northwind' }),
      { role: 'tool', tool_call_id: '1', content: 'https://one.example/a Northwind' },
      called('2', 'visit', { url: 'https://one.example/a' }),
      { role: 'tool', tool_call_id: '2', content: 'A page.' },
      { role: 'assistant', content: 'No table.' },
    ]
    await writeFile(
      path('log.jsonl'),
      `${JSON.stringify({ id: 'x', taskId, question: query, termination: 'agent/answered', messages })}\n`,
    )
    const sources = ['--tasks', 'tasks/demo/tasks.jsonl', '--docs', 'tasks/demo/documents']
    await tablehunt(['logs', 'import', 'generic', path('log.jsonl'), '--out', path('run'), ...sources])
    const [imported] = (await readRun(path('run'))).attempts
    const estimate = await tablehunt([
      ...['fork', path('run'), imported!.attemptId, '--at', '2', '--dry-run', ...sources],
    ])
    expect(estimate.stdout).toContain(
      '1 fork. If each continues as its source did: 2 model calls, 0 searches, 1 fetch, an unknown number of tokens, cost unknown.',
    )
    await writeFile(
      path('script.jsonl'),
      JSON.stringify({ turns: [{ text: '```csv\nFilename,Value\na.pdf,1\n```' }] }),
    )
    const { code, stderr } = await tablehunt([
      ...['fork', path('run'), imported!.attemptId, '--at', '3', '--out', path('forks'), ...sources],
      ...['--model', `scripted:${path('script.jsonl')}`, '--web', 'sealed'],
    ])
    expect([code, stderr]).toEqual([0, expect.anything()])
    const [fork] = (await readRun(path('forks'))).attempts
    expect(fork).toMatchObject({
      termination: { cause: 'agent', reason: 'answered' },
      usage: { modelCalls: 1 },
      fork: { attemptId: imported!.attemptId, atStep: 3, replayed: { modelCalls: 2 } },
    })
    const { events } = await readTrace(path('forks'), fork!.attemptId)
    const live = events.findLast(event => event.type === 'model-called')
    expect(live?.messages.at(-1)).toMatchObject({ role: 'tool', content: { text: 'A page.' } })
  })
})
