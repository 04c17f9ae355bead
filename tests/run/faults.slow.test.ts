import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readTrace } from '../../logs/reader.ts'
import { resolveConfig } from '../../src/config.ts'
import type { Attempt } from '../../src/core/attempt.ts'
import type { Score } from '../../src/core/score.ts'
import { executeRun } from '../../src/run.ts'
import { demoPaths } from '../../tasks/demo/demo.ts'
import { shippedProfiles } from '../../tools/web/fault-profile.ts'
import { hastyClock } from '../agents/harness.ts'

let folder: string
let undisturbed: Awaited<ReturnType<typeof run>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-faults-'))
  undisturbed = await run(null)
})

/** The first demo tasks; a fault that befalls every request is tried with two of them. */
const [allTasks, fewTasks] = [4, 2]

/** So many demo tasks, online, over a web with those faults. */
async function run(faults: string | null, limit = allTasks) {
  const out = await mkdtemp(join(folder, 'run-'))
  const config = resolveConfig({
    tasks: demoPaths.tasks,
    docs: demoPaths.documents,
    out,
    setting: 'online',
    web: 'sealed',
    browser: 'off',
    concurrency: '9',
    limit: String(limit),
    cache: join(folder, 'cache'),
    ...(faults === null ? {} : { faults }),
  })
  const { report } = await executeRun(config, { env: {}, clock: hastyClock })
  const read = async <T>(name: string): Promise<T[]> =>
    (await readFile(join(out, name), 'utf8'))
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as T)
  const attempts = await read<Attempt>('attempts.jsonl')
  const events = await Promise.all(
    attempts.map(async ({ attemptId }) => (await readTrace(out, attemptId)).events),
  )
  return { attempts, scores: await read<Score>('scores.jsonl'), events: events.flat(), report }
}

/** A profile of one fault, as a user would write it. */
async function profileOf(fault: Record<string, unknown>): Promise<string> {
  const path = join(await mkdtemp(join(folder, 'profile-')), 'profile.json')
  await writeFile(path, JSON.stringify({ summary: 'of this test', faults: [fault] }))
  return path
}

const always = { share: 1, times: null }

/** What must hold of a run whatever the web did: all attempts there, and no fault of the web's counted as the model's. */
function expectSound({ attempts, scores, report }: Awaited<ReturnType<typeof run>>, tasks = allTasks): void {
  expect(attempts).toHaveLength(tasks)
  expect(scores.map(score => score.attemptId)).toEqual(attempts.map(attempt => attempt.attemptId))
  for (const [index, { termination }] of attempts.entries()) {
    const score = scores[index]!
    const ours = termination.cause === 'provider' || termination.cause === 'harness'
    expect({ ...termination, status: score.status }).toMatchObject({ status: ours ? 'unscored' : 'scored' })
    expect(termination.cause).not.toBe('harness')
    const before = undisturbed.scores[index]!.metrics.cellF1!
    const zero = score.status === 'scored' && score.metrics.cellF1! === 0 && before > 0
    if (zero) expect(score.infrastructureFailures).toBeGreaterThan(0)
  }
  const all = report.groups.find(group => group.domain === 'all')!
  const marked = scores.filter(score => score.status === 'scored' && score.infrastructureFailures > 0)
  expect(all).toMatchObject({ n: tasks, infrastructureFailures: marked.length })
}

describe('a web without faults', () => {
  it('answers every attempt separately and marks none of them', () => {
    expectSound(undisturbed)
    for (const score of undisturbed.scores) expect(score.infrastructureFailures).toBe(0)
  })
})

describe.each(await shippedProfiles())('the shipped profile %s', profile => {
  it('loses no attempt, records the cause of each end, and marks every zero that the web caused', async () => {
    const disturbed = await run(profile)
    expectSound(disturbed)
    // The shipped profiles fail searches for a while and never for good: nothing of the provider's remains.
    for (const { termination } of disturbed.attempts) expect(termination.cause).toBe('agent')
    const troubled = disturbed.events.filter(
      event => event.type === 'provider-retried' || event.type === 'tool-failed',
    )
    const silent = disturbed.scores.filter(score => score.infrastructureFailures > 0)
    if (profile !== 'slow') expect(troubled.length + silent.length).toBeGreaterThan(0)
  })
})

describe('a search service that stays down', () => {
  it.each([
    ['429', { kind: 'status', status: 429 }, 'rate-limited'],
    ['503', { kind: 'status', status: 503 }, 'unavailable'],
    ['401', { kind: 'status', status: 401 }, 'auth'],
    ['402', { kind: 'status', status: 402 }, 'auth'],
    ['broken connections', { kind: 'reset' }, 'unavailable'],
    ['captchas', { kind: 'captcha' }, 'bad-response'],
  ])('with %s ends every attempt as provider, unscored', async (_what, fault, reason) => {
    const disturbed = await run(await profileOf({ ...always, on: 'search', ...fault }), fewTasks)
    expectSound(disturbed, fewTasks)
    for (const { termination } of disturbed.attempts)
      expect(termination).toMatchObject({ cause: 'provider', reason })
  })
})

describe('pages that never come', () => {
  it.each([
    ['429', { kind: 'status', status: 429 }],
    ['503', { kind: 'status', status: 503 }],
    ['403', { kind: 'status', status: 403 }],
    ['404', { kind: 'status', status: 404 }],
    ['broken connections', { kind: 'reset' }],
    ['captchas', { kind: 'captcha' }],
  ])('with %s are observations: each attempt is scored and marked', async (_what, fault) => {
    const disturbed = await run(await profileOf({ ...always, on: 'page', ...fault }), fewTasks)
    expectSound(disturbed, fewTasks)
    for (const [index, score] of disturbed.scores.entries()) {
      expect(disturbed.attempts[index]!.termination.cause).toBe('agent')
      expect(score.infrastructureFailures).toBeGreaterThan(0)
    }
  })
})
