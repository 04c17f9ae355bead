import type { ChildProcess } from 'node:child_process'
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
import { tablehunt } from './cli.ts'

const newFolder = () => mkdtemp(join(tmpdir(), 'tablehunt-run-'))
const linesOf = async <T>(path: string): Promise<T[]> =>
  (await readFile(path, 'utf8'))
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as T)

/** A record without what may differ between equal runs. */
function comparable(attempt: Attempt): unknown {
  const { startedAt, endedAt, usage, ...rest } = attempt
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
  it('gives equal records twice, each attempt with a termination and a score, in the order of the plan', async () => {
    const [first, second] = [join(await newFolder(), 'a'), join(await newFolder(), 'b')]
    for (const [out, concurrency] of [
      [first, '1'],
      [second, '4'],
    ] as const) {
      const finished = await tablehunt(['run', ...demo, '--out', out, '--concurrency', concurrency])
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
  }, 180_000)

  it('stopped by a signal, goes on where it was and makes nothing twice', async () => {
    const out = join(await newFolder(), 'run')
    const args = ['run', ...demo, '--setting', 'offline,online', '--concurrency', '1', '--out', out]
    let events = ''
    const stopped = await tablehunt([...args, '--json'], {
      started: child =>
        child.stderr?.on('data', (text: Buffer) => {
          events += text.toString()
          if (events.split('"attempt-ended"').length > 3) child.kill('SIGKILL')
        }),
    })
    expect(stopped.code).toBeNull()
    const before = await linesOf<Attempt>(join(out, 'attempts.jsonl'))
    expect(before.length).toBeGreaterThanOrEqual(3)
    // The summary names the command that goes on.
    const { stdout } = await tablehunt(['report', out])
    expect(stdout).toMatch(/^Not finished: \d+ of 18 attempts are left\. Go on with:$/m)
    const [, command = ''] = /^ {2}npx tablehunt (.*)$/m.exec(stdout) ?? []
    expect(command).toBe(`run --resume --out ${out}`)
    const again = await tablehunt(command.split(' '))
    expect({ code: again.code, stderr: again.stderr }).toMatchObject({ code: 0 })
    const after = await linesOf<Attempt>(join(out, 'attempts.jsonl'))
    expect(new Set(after.map(attempt => attempt.attemptId)).size).toBe(after.length)
    const byId = new Map(after.map(attempt => [attempt.attemptId, attempt]))
    for (const attempt of before) expect(byId.get(attempt.attemptId)).toEqual(attempt)
  }, 120_000)

  it('refuses another model, seed or budget under the same --out and names the difference', async () => {
    const out = join(await newFolder(), 'run')
    const args = ['run', ...demo, '--setting', 'offline', '--limit', '1', '--out', out]
    expect((await tablehunt(args)).code).toBe(0)
    const other = await tablehunt([...args, '--seed', '3'])
    expect(other.code).toBe(2)
    expect(other.stderr).toMatch(/seed was 0, is 3/)
  }, 60_000)

  it('ends with 130 on Ctrl-C and keeps what was finished', async () => {
    const out = join(await newFolder(), 'run')
    const slow = join(await newFolder(), 'slow.jsonl')
    await writeFile(slow, `${JSON.stringify({ turns: [{ text: 'none', delayMs: 60_000 }] })}\n`)
    const args = ['run', ...demo, '--setting', 'offline', '--model', `scripted:${slow}`, '--out', out]
    const stopped = await tablehunt(args, {
      started: child =>
        child.stderr?.on('data', (text: Buffer) => {
          if (!text.toString().includes('attempts ->')) return
          setTimeout(() => child.kill('SIGINT'), 1500)
          setTimeout(() => child.kill('SIGINT'), 2500)
        }),
    })
    expect(stopped.code).toBe(130)
    const attempts = await linesOf<Attempt>(join(out, 'attempts.jsonl'))
    expect(new Set(attempts.map(attempt => attempt.termination.reason))).toEqual(new Set(['cancelled']))
    const { stdout } = await tablehunt(['logs', 'termination', out])
    expect(stdout).toMatch(
      /Note: \d+ of \d+ attempts have not been made or were cancelled: the run is not finished\.\n$/,
    )
  }, 60_000)

  it('says why nothing could be scored, and what makes it good', async () => {
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
      expect(code).toBe(0)
      return stderr
    }
    expect(await run('killed', '--model', refuses)).toMatch(
      /could be scored: tablehunt logs termination.*--retry unscored/,
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
    expect(judged).toContain(
      `the judge gave nothing that could be read; tablehunt score ${join(folder, 'judged')}`,
    )
  }, 60_000)

  it('ends at once on Ctrl-C as long as no attempt has begun', async () => {
    let child: ChildProcess | null = null
    const silent = createServer(() => child?.kill('SIGINT')).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const model = ['--model', `openai:m@http://127.0.0.1:${port}/v1`]
    const args = ['run', ...demo, '--setting', 'offline', ...model, '--out', join(await newFolder(), 'run')]
    const stopped = await tablehunt(args, {
      started: started => {
        child = started
      },
    })
    expect(stopped).toMatchObject({ code: 130, stderr: 'stopped before its first attempt\n' })
    silent.closeAllConnections()
    silent.close()
  }, 20_000)
})
