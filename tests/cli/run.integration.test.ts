import { once } from 'node:events'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Attempt } from '../../src/core/attempt.ts'
import type { Score } from '../../src/core/score.ts'
import { demoPaths } from '../../tasks/demo/demo.ts'
import { startOpenAiServer } from '../models/openai-server.ts'
import { spawnTablehunt, startTablehunt, tablehunt } from './cli.ts'

const newFolder = () => mkdtemp(join(tmpdir(), 'tablehunt-run-'))
const linesOf = async <T>(path: string): Promise<T[]> =>
  (await readFile(path, 'utf8'))
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as T)

/** A record without what may differ between equal runs. */
function comparable(attempt: Attempt): unknown {
  const { startedAt, endedAt, usage, files, ...rest } = attempt
  const { wallMs, workingMs, ...spent } = usage
  return { ...rest, spent }
}

const demo = [
  '--tasks',
  demoPaths.tasks,
  '--docs',
  demoPaths.documents,
  '--web',
  'sealed',
  '--browser',
  'off',
]

describe('a run of the demo tasks', () => {
  it('writes equal records in two processes: each attempt has a termination and a score, in the order of the plan', async () => {
    const [first, second] = [join(await newFolder(), 'a'), join(await newFolder(), 'b')]
    const own = spawnTablehunt(['run', ...demo, '--limit', '4', '--out', first, '--concurrency', '1']).ended
    const here = tablehunt(['run', ...demo, '--limit', '4', '--out', second, '--concurrency', '4'])
    for (const finished of await Promise.all([own, here])) {
      expect({ code: finished.code, stderr: finished.stderr }).toMatchObject({ code: 0 })
      expect(finished.stdout).toContain('online')
    }
    const [a, b] = await Promise.all(
      [first, second].map(out => linesOf<Attempt>(join(out, 'attempts.jsonl'))),
    )
    expect(a!.map(comparable)).toEqual(b!.map(comparable))
    const scores = await Promise.all([first, second].map(out => readFile(join(out, 'scores.jsonl'), 'utf8')))
    expect(scores[0]).toBe(scores[1])
    const scored = await linesOf<Score>(join(first, 'scores.jsonl'))
    expect(scored.map(score => score.attemptId)).toEqual(a!.map(attempt => attempt.attemptId))
    expect(new Set(scored.map(score => score.status))).toEqual(new Set(['scored']))
  })

  it('rejects another seed with the same --out and names the difference', async () => {
    const out = join(await newFolder(), 'run')
    const args = ['run', ...demo, '--setting', 'offline', '--limit', '1', '--out', out]
    expect((await tablehunt(args)).code).toBe(0)
    const other = await tablehunt([...args, '--seed', '3'])
    expect(other.code).toBe(2)
    expect(other.stderr).toMatch(/seed was 0, is 3.*\[different-run\]/s)
  })

  it('ends with 130 on Ctrl-C and keeps what was finished', async () => {
    const out = join(await newFolder(), 'run')
    let asked = (): void => undefined
    const underWay = new Promise<void>(resolve => {
      asked = resolve
    })
    const server = await startOpenAiServer(asked)
    const model = ['--model', `openai:m@${server.url}`, '--context-window', '8k']
    const run = startTablehunt(['run', ...demo, '--setting', 'offline', ...model, '--out', out])
    await underWay
    run.signal('SIGINT')
    await run.saying('stopping')
    run.signal('SIGINT')
    const stopped = await run.ended
    await server.close()
    expect(stopped.code).toBe(130)
    expect(stopped.stdout).toMatch(/^Not finished: 9 of 9 attempts are left\. Continue with:$/m)
    expect(stopped.stdout).toContain(`\n  npx tablehunt run --resume --out ${out}\n`)
    const attempts = await linesOf<Attempt>(join(out, 'attempts.jsonl'))
    expect(new Set(attempts.map(attempt => attempt.termination.reason))).toEqual(new Set(['cancelled']))
    const { stdout } = await tablehunt(['logs', 'termination', out])
    expect(stdout).toMatch(
      /Note: the run is not finished: \d+ of \d+ attempts have not been made or were cancelled\.\n$/,
    )
  })

  it('that the command demo made is resumed by run --resume, on the same web', async () => {
    const out = join(await newFolder(), 'my run')
    const demoRun = await tablehunt(['demo', '--setting', 'online', '--limit', '1', '--out', out])
    expect(demoRun.stdout).toContain(`All tables: npx tablehunt report '${out}' --full`)
    const again = await tablehunt(['run', '--resume', '--out', out])
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('(1 already finished)') })
  })

  it('says why nothing could be scored, and how to fix it', async () => {
    const folder = await newFolder()
    const script = async (name: string, turn: object): Promise<string> => {
      await writeFile(join(folder, name), JSON.stringify({ turns: [turn] }))
      return `scripted:${join(folder, name)}`
    }
    const answers = await script('answers', { text: '```csv\nName,Revenue\na,1\n```' })
    const refuses = await script('refuses', { error: { reason: 'auth' } })
    const babbles = await script('babbles', { text: 'Hm.' })
    const run = async (name: string, ...more: string[]): Promise<string> => {
      const what = ['run', ...demo, '--setting', 'offline', '--limit', '1', '--out', join(folder, name)]
      const { code, stderr } = await tablehunt([...what, ...more])
      expect(code).toBe(1)
      return stderr
    }
    expect(await run('killed', '--model', refuses)).toMatch(
      /could be scored: .*'tablehunt logs termination .*--retry unscored \[nothing-scored\]/,
    )
    const judged = await run(
      'judged',
      '--model',
      answers,
      '--judge',
      babbles,
      '--cache',
      join(folder, 'cache'),
    )
    expect(judged).toContain("the judge's replies could not be read (scorer aoe, judge scripted:babbles)")
    expect(judged).toContain(
      `'tablehunt score ${join(folder, 'judged')} --judge JUDGE' scores the attempts again`,
    )
  })

  it('ends at once on Ctrl-C before the first attempt', async () => {
    let asked = (): void => undefined
    const reading = new Promise<void>(resolve => {
      asked = resolve
    })
    const silent = createServer(asked).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const model = ['--model', `openai:m@http://127.0.0.1:${port}/v1`]
    const out = join(await newFolder(), 'run')
    const run = spawnTablehunt(['run', ...demo, '--setting', 'offline', ...model, '--out', out])
    await reading
    run.signal('SIGINT')
    const stopped = await run.ended
    expect(stopped).toMatchObject({ code: 130, stderr: 'stopped before the first attempt\n' })
    silent.closeAllConnections()
    silent.close()
  })
})
