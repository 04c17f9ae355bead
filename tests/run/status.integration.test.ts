import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { prepareCampaign } from '../../bench/parts/campaign.ts'
import { fixedDelayWeb } from '../../bench/parts/fixed-delay-web.ts'
import { resolveConfig } from '../../src/config.ts'
import { answeredMetric } from '../../src/core/metric.ts'
import { withCutOffNote } from '../../src/core/termination.ts'
import type { RunEvent } from '../../src/run/progress/progress.ts'
import { createProgress } from '../../src/run/progress/progress.ts'
import { readStatus } from '../../src/run/progress/status.ts'
import { formatPace, listStatusLines } from '../../src/run/progress/status-lines.ts'
import { type TalliedAttempt, Tally } from '../../src/run/progress/tally.ts'
import { executeRun } from '../../src/run.ts'
import { demoPaths } from '../../tasks/demo/demo.ts'
import { hastyClock } from '../agents/harness.ts'

const attempt = (id: string, setting: string, over: Partial<TalliedAttempt> = {}): TalliedAttempt => ({
  attemptId: id,
  setting,
  endedAt: '2026-01-01T00:00:10.000Z',
  termination: { cause: 'agent', reason: 'answered', detail: null },
  usage: { wallMs: 1_000, inputTokens: 10, outputTokens: 5, usd: 0.5 },
  ...over,
})
const ended = (cause: 'provider' | 'operator', reason: 'rate-limited' | 'cancelled', detail: string | null) =>
  ({ termination: { cause, reason, detail } }) as Partial<TalliedAttempt>

describe('the progress of a run', () => {
  it('estimates remaining cost and time from the finished attempts of each setting', () => {
    const tally = new Tally({ offline: 4, online: 4 }, 2)
    tally.add(attempt('a', 'offline'))
    tally.add(
      attempt('b', 'online', { usage: { wallMs: 9_000, inputTokens: 100, outputTokens: 50, usd: 4 } }),
    )
    expect(tally.standing(null)).toEqual({
      planned: 8,
      done: 2,
      missingDocuments: null,
      left: 6,
      failed: 0,
      ends: [{ cause: 'agent', reason: 'answered', n: 2, detail: null }],
      usd: 4.5,
      usdUnknown: 0,
      usdEstimated: 4.5 + 3 * 0.5 + 3 * 4,
      tokens: 165,
      tokensUnknown: 0,
      leftMs: (3 * 1_000 + 3 * 9_000) / 2,
      attemptsPerMinute: null,
    })
  })

  it('estimates no time and cost until every setting has a finished attempt', () => {
    const tally = new Tally({ offline: 2, online: 2 }, 2)
    tally.add(attempt('a', 'offline'))
    expect(tally.standing(null)).toMatchObject({ usd: 0.5, usdEstimated: null, leftMs: null })
  })

  it('estimates the time left on a queue from the observed number of parallel attempts', () => {
    const tally = new Tally({ offline: 10 }, null)
    const of = (id: string, wallMs: number, endedAt: string) =>
      attempt(id, 'offline', { endedAt, usage: { wallMs, inputTokens: 1, outputTokens: 1, usd: null } })
    // Made by workers while no coordinator was there.
    tally.add(of('before', 6_000, '2026-01-01T00:00:00.000Z'))
    const since = Date.parse('2026-01-01T00:01:00.000Z')
    expect(tally.standing({ since, now: since + 10_000 })).toMatchObject({
      leftMs: null,
      attemptsPerMinute: null,
    })
    for (const id of ['a', 'b', 'c', 'd', 'e']) tally.add(of(id, 6_000, '2026-01-01T00:01:09.000Z'))
    // 5 x 6 s of work in 10 s: 3 at a time; 4 are left, of 6 s each.
    const standing = { left: 4, leftMs: (4 * 6_000) / 3, attemptsPerMinute: 30 }
    expect(tally.standing({ since, now: since + 10_000 })).toMatchObject(standing)
    expect(tally.standing(null)).toMatchObject({ leftMs: null, attemptsPerMinute: null })
  })

  it('counts a repeated attempt once, and the cost of both tries', () => {
    const tally = new Tally({ offline: 2 }, 1)
    tally.add(attempt('a', 'offline', ended('provider', 'rate-limited', 'slow down')))
    tally.add(attempt('b', 'offline', ended('operator', 'cancelled', null)))
    expect(tally.standing(null)).toMatchObject({ done: 1, left: 1, failed: 1 })
    tally.add(attempt('a', 'offline'))
    expect(tally.standing(null)).toMatchObject({ done: 1, failed: 0, usd: 1.5 })
  })

  it('has no cost when no cost is known', () => {
    const tally = new Tally({ offline: 2 }, 1)
    const usage = { wallMs: 1, inputTokens: null, outputTokens: 5, usd: null }
    tally.add(attempt('a', 'offline', { usage }))
    const standing = tally.standing(null)
    expect(standing).toMatchObject({ usd: null, usdEstimated: null, tokens: null })
    expect(formatPace(standing, null)).toMatch(/^US\$ unknown, /)
  })

  it('says how many attempts an incomplete sum leaves out', () => {
    const tally = new Tally({ offline: 4 }, 1)
    tally.add(attempt('a', 'offline'))
    tally.add(
      attempt('crashed', 'offline', {
        usage: { wallMs: null, inputTokens: null, outputTokens: null, usd: null },
      }),
    )
    tally.add(attempt('cut off', 'offline', ended('operator', 'cancelled', withCutOffNote(1, null))))
    const standing = tally.standing(null)
    expect(standing).toMatchObject({ usd: 1, usdUnknown: 2, usdEstimated: 2, tokens: 30, tokensUnknown: 2 })
    expect(formatPace(standing, null)).toMatch(/^US\$ at least 1\.00 of about 2\.00, /)
  })
})

describe('the status of a run', () => {
  it('is read while another process writes: finished attempts, running attempts and pace', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tablehunt-status-'))
    const times = { turnMs: 60 }
    const config = await prepareCampaign({ folder, attempts: 8, steps: 3, concurrency: 2, ...times })
    let during: Awaited<ReturnType<typeof readStatus>> | null = null
    let ends = 0
    await executeRun(config, {
      web: fixedDelayWeb(10),
      tell: event => {
        if (event.type !== 'attempt-ended' || ++ends !== 3) return
        readStatus(config.out, Date.now()).then(status => {
          during ??= status
        })
      },
    })
    expect(during).toMatchObject({
      state: 'running',
      process: { pid: process.pid },
      planned: 8,
      failed: 0,
      tokens: expect.any(Number),
      usd: null,
    })
    const { done } = during!
    expect(done).toBeGreaterThanOrEqual(3)
    expect(done).toBeLessThan(8)
    expect(during!.left).toBe(8 - done)
    expect(during!.attemptsPerMinute).toBeGreaterThan(0)
    expect(during!.leftMs).toBeGreaterThan(0)
    expect(during!.running.length).toBeGreaterThan(0)
    // As many again may be answered and not recorded yet.
    expect(during!.running.length).toBeLessThanOrEqual(4)
    expect(listStatusLines(during!).join('\n')).toContain(`${done} of 8 attempts done (`)

    const names = (await readdir(config.out)).sort()
    const before = await readFile(join(config.out, 'manifest.json'), 'utf8')
    const after = await readStatus(config.out, Date.now())
    // Not `failed`: reports call so what gave no table, killed or not.
    expect(listStatusLines(after)[1]).toBe(
      '8 of 8 attempts done (100%), 0 left, 0 ended by a failure of the provider or the harness',
    )
    expect(after).toMatchObject({
      state: 'done',
      process: null,
      left: 0,
      running: [],
      attemptsPerMinute: null,
    })
    expect((await readdir(config.out)).sort()).toEqual(names)
    expect(await readFile(join(config.out, 'manifest.json'), 'utf8')).toBe(before)
  })

  it('never prints control characters of a provider', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tablehunt-status-'))
    const error = { reason: 'unavailable', message: 'HTTP 500: \u001b]0;pwned\u0007' }
    await writeFile(join(folder, 'script.jsonl'), JSON.stringify({ turns: [{ error }] }))
    const { tasks, documents: docs } = demoPaths
    const model = `scripted:${join(folder, 'script.jsonl')}`
    const what = { tasks, docs, model, setting: 'offline', limit: 1, out: join(folder, 'run') }
    await executeRun(resolveConfig({ ...what, cache: join(folder, 'cache') }), { clock: hastyClock })
    const text = listStatusLines(await readStatus(what.out, Date.now())).join('\n')
    expect(text).toContain('HTTP 500:  ]0;pwned')
    expect(text).not.toMatch(/[^\P{Cc}\n]/u)
  })

  it('is refused for a folder without a run', async () => {
    await expect(readStatus(join(tmpdir(), 'no-such-run'), 0)).rejects.toMatchObject({ code: 'not-a-run' })
  })
})

describe('progress', () => {
  const standing = () => {
    const tally = new Tally({ offline: 3 }, 1)
    tally.add(attempt('a', 'offline'))
    tally.add(attempt('b', 'offline', ended('provider', 'rate-limited', 'slow down')))
    const { attemptsPerMinute: _none, ...standing } = tally.standing(null)
    return standing
  }

  it('prints pace, cost, time left and failures, at most every half minute without a bar', () => {
    let now = 0
    let written = ''
    const output = { write: (text: string) => void (written += text) }
    const progress = createProgress(output, false, () => now)
    const tell = (at: number) => {
      now = at
      progress.tell({ type: 'progress', standing: standing(), attemptsPerMinute: 2 } satisfies RunEvent)
    }
    tell(1_000)
    expect(written).toBe('')
    tell(31_000)
    tell(32_000)
    expect(written).toBe(
      '2 of 3 attempts done, 2.0 a minute, US$ 1.00 of about 1.50, about 1s left, failed: rate-limited 1\n',
    )
  })

  it('lists no attempt that has a score, and at most three with the same failure', () => {
    let written = ''
    const output = { write: (text: string) => void (written += text) }
    const progress = createProgress(output, false, () => 0)
    const tell = (label: string, cellF1: number | null, reason: string) => {
      const termination = { cause: 'provider', reason, detail: null }
      const attempt = { attemptId: label, termination, usage: { wallMs: 1 }, context: null }
      const score = cellF1 === null ? null : { metric: answeredMetric, value: cellF1, metrics: {} }
      progress.tell({ type: 'attempt-ended', attempt: attempt as never, label, score })
    }
    tell('scored', 0.5, 'timeout')
    for (const label of ['a', 'b', 'c', 'd', 'e']) tell(label, null, 'auth')
    tell('f', null, 'timeout')
    expect(written.split('\n').map(line => line.split(' ')[1])).toEqual(['a', 'b', 'c', 'f', undefined])
  })

  it.each([undefined, true])('never prints control characters of a service (on a terminal: %s)', isTTY => {
    let written = ''
    const output = { write: (text: string) => void (written += text), ...(isTTY && { isTTY }) }
    const progress = createProgress(output, false, () => 0)
    const detail = 'HTTP 500: \u001b]0;pwned\u0007\u009b31mred'
    const termination = { cause: 'provider', reason: 'unavailable', detail }
    const ended = { attemptId: 'a', termination, usage: { wallMs: 1 }, context: null }
    progress.tell({ type: 'notice', text: 'documents: \u001b[2J.pdf: missing' })
    progress.tell({
      type: 'attempt-ended',
      attempt: ended as never,
      label: 'a\u001b[2J',
      score: null,
    })
    progress.end()
    expect(written).toContain('HTTP 500:  ]0;pwned  31mred')
    expect(written.replaceAll('\r\u001b[2K', '')).not.toMatch(/[^\P{Cc}\n]/u)
  })

  it('prints long times in days and hours', () => {
    const left = (hours: number) => formatPace({ ...standing(), leftMs: hours * 3_600_000 }, null)
    expect([48, 71.4, 71.7].map(left).map(text => /about (\d+d \d+h) left/.exec(text)?.[1])).toEqual([
      '2d 0h',
      '2d 23h',
      '3d 0h',
    ])
  })

  it('omits an unknown cost', () => {
    const unknown = { ...standing(), usd: 0, usdUnknown: 0, usdEstimated: null }
    expect(formatPace(unknown, null)).toBe('US$ 0, about 1s left')
  })

  it('names model and trial of an attempt only when the run has several', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tablehunt-labels-'))
    await writeFile(join(folder, 'script.jsonl'), JSON.stringify({ turns: [{ text: 'none' }] }))
    const scripted = `scripted:${join(folder, 'script.jsonl')}`
    const labels = async (name: string, over: object): Promise<string[]> => {
      const told: string[] = []
      const { tasks, documents: docs } = demoPaths
      const what = { tasks, docs, setting: 'offline', limit: 1, out: join(folder, name) }
      await executeRun(resolveConfig({ ...what, cache: join(folder, 'cache'), ...over }), {
        tell: event => {
          if (event.type === 'attempt-ended') told.push(event.label)
        },
      })
      return told.sort()
    }
    const [plain = ''] = await labels('plain', {})
    expect(plain).toMatch(/^\S+ offline$/)
    const task = plain.split(' ')[0]!
    expect(await labels('trials', { trials: 2 })).toEqual([1, 2].map(n => `${plain} trial ${n} of 2`))
    const [first = '', second = ''] = await labels('models', { model: ['extractive', scripted] })
    expect(first).toBe(`${task} extractive offline`)
    expect(second).toBe(`${task} script.jsonl offline`)
  })
})
