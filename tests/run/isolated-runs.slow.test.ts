import { existsSync } from 'node:fs'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findBubblewrapProblem } from '../../agents/external/isolation/isolation.ts'
import { tablehunt } from '../cli/cli.ts'

const problem = await findBubblewrapProblem()
const bubblewrap =
  problem === null ? 'bubblewrap' : `bubblewrap (skipped: ${problem}; install the package bubblewrap)`
const tasks = 'tasks/demo/tasks.jsonl'
const agents = resolve('tests/fixtures/agents/outside')

/** Runs an agent on two tasks of the demo, and returns the run's folder and what was printed. */
async function run(script: string, isolate: string) {
  const out = join(await mkdtemp(join(tmpdir(), 'isolated-run-')), 'runs', 'one')
  const program = { py: 'python3', sh: 'sh', mjs: 'node' }[script.split('.').at(-1)!]!
  const config = join(out, '../../config.json')
  const definition = {
    command: [program, join(agents, script)],
    env: { OUT_FOLDER: out, TASKS_FILE: resolve(tasks) },
  }
  await writeFile(config, JSON.stringify({ agents: { outside: definition } }))
  const result = await tablehunt([
    ...['run', '--tasks', tasks, '--docs', 'tasks/demo/documents', '--limit', '2'],
    ...['--web', 'sealed', '--setting', 'online', '--browser', 'off', '--out', out],
    ...['--config', config, '--agent', 'outside', '--isolate', isolate],
  ])
  return { out, ...result }
}

/** The fields of records and events that the tests look at. */
interface Line {
  readonly attemptId: string
  readonly isolation?: string
  readonly termination: { readonly reason: string }
  readonly usage?: object
  readonly type?: string
  readonly text: { readonly text: string }
}

async function readLines(out: string, name: string): Promise<Line[]> {
  const text = await readFile(join(out, name), 'utf8')
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
}

/** What the agents of a run wrote to standard error. */
async function readNotes(out: string): Promise<string[]> {
  const attempts = await readLines(out, 'attempts.jsonl')
  const traces = await Promise.all(
    attempts.map(({ attemptId }) => readLines(out, `traces/${attemptId}.jsonl`)),
  )
  return traces.flat().flatMap(event => (event.type === 'agent-output' ? [event.text.text.trim()] : []))
}

describe.skipIf(problem !== null)(`a run under ${bubblewrap}`, () => {
  it('hides the tasks with their answers from an agent that looks for them in /proc', async () => {
    const { out, code, stdout, stderr } = await run('read_gold.py', 'bubblewrap')
    expect([code, await readNotes(out)]).toEqual([0, Array(2).fill('found nothing')])
    expect(stderr).toContain('isolation: bubblewrap: agents of your own see')
    expect(stdout).not.toContain('not isolated')
    for (const { isolation } of await readLines(out, 'attempts.jsonl')) expect(isolation).toBe('bubblewrap')
  })

  it('keeps the records out of reach', async () => {
    const { out, code } = await run('append_records.py', 'bubblewrap')
    expect(code).toBe(0)
    expect((await readNotes(out)).join()).toContain('attempts.jsonl: No such file or directory')
    expect(existsSync(join(out, 'damaged.txt'))).toBe(false)
  })

  it('has nobody on its network but the gateway', async () => {
    const { out } = await run('read_sealed_web.py', 'bubblewrap')
    expect(await readNotes(out)).toEqual(Array(2).fill('front pages: 0'))
  })

  it.each(['benign.sh', 'benign.py', 'benign.mjs'])('records the same as without it for %s', async script => {
    const records = await Promise.all(
      ['none', 'bubblewrap'].map(async isolate => {
        const { out, code } = await run(script, isolate)
        expect(code).toBe(0)
        const attempts = await readLines(out, 'attempts.jsonl')
        expect(attempts.map(({ isolation }) => isolation)).toEqual([isolate, isolate])
        expect(attempts.map(({ termination }) => termination.reason)).toEqual(['answered', 'answered'])
        return [...attempts, ...(await readLines(out, 'scores.jsonl'))].map(record => ({
          ...record,
          ...{ isolation: '', startedAt: '', endedAt: '', files: [], checksum: '' },
          usage: record.usage && { ...record.usage, wallMs: 0, workingMs: 0 },
        }))
      }),
    )
    expect(records[1]).toEqual(records[0])
  })
})

describe('a run with --isolate none', () => {
  it('says what an agent can reach, and the report names the arm', async () => {
    const { out, stdout, stderr } = await run('read_gold.py', 'none')
    expect(await readNotes(out)).toEqual(Array(2).fill('found the gold'))
    expect(stderr).toContain(
      "isolation: none (--isolate none): agents of your own run as your user. They can read the tasks with their answers, this run's folder and your other files, and use the network",
    )
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'not isolated: agents of online [agent=outside] could read the tasks with their answers',
    )
  })

  it('moves the lines that an agent adds to the records out of the way, and loses nothing', async () => {
    const { out, code, stderr } = await run('append_records.py', 'none')
    expect(code).toBe(0)
    const [attempts, scores] = [await readLines(out, 'attempts.jsonl'), await readLines(out, 'scores.jsonl')]
    expect([attempts.length, scores.length]).toEqual([2, 2])
    expect(attempts.map(({ termination }) => termination.reason)).toEqual(['answered', 'answered'])
    expect(await readFile(join(out, 'damaged.txt'), 'utf8')).toContain('{"attemptId":"forged"}')
    expect(stderr).toContain('attempts.jsonl: another program wrote to it during the run; moved')
    expect((await tablehunt(['verify', out])).code).toBe(0)
  })

  it('lets no agent read the sealed web without its gateway', async () => {
    const { out } = await run('read_sealed_web.py', 'none')
    expect(await readNotes(out)).toEqual(Array(2).fill('front pages: 0'))
  })
})

it('refuses an isolation that this machine does not have', async () => {
  const { code, stderr } = await tablehunt([
    ...['run', '--tasks', 'tasks/demo/tasks.jsonl', '--setting', 'online', '--web', 'sealed', '--docs'],
    ...['tasks/demo/documents', '--out', 'never', '--agent', 'command: node a.js'],
    ...['--isolate', 'container:no-such-image-of-tablehunt'],
  ])
  expect([code, stderr]).toEqual([2, expect.stringContaining('[isolation-not-available]')])
})
