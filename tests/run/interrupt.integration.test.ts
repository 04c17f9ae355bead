import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { prepareCampaign } from '../../bench/parts/campaign.ts'
import { fixedDelayWeb } from '../../bench/parts/fixed-delay-web.ts'
import type { Attempt } from '../../src/core/attempt.ts'
import type { Clock } from '../../src/core/runtime.ts'
import { listenForInterrupt } from '../../src/run/interrupt.ts'
import { readStatus } from '../../src/run/progress/status.ts'
import { listStatusLines } from '../../src/run/progress/status-lines.ts'
import { readRun } from '../../src/run/records/read-records.ts'
import { executeRun } from '../../src/run.ts'

/** A clock whose sleeps end when the test says so. */
function heldClock() {
  const asleep: { ms: number; wake: () => void }[] = []
  const clock: Clock = {
    now: () => 0,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        asleep.push({ ms, wake: resolve })
        signal?.addEventListener('abort', () => reject(signal.reason as Error))
      }),
  }
  return { clock, asleep }
}

describe('Ctrl-C', () => {
  const settled = () => new Promise(resolve => setImmediate(resolve))

  it('once stops new attempts, and running ones after ten seconds', async () => {
    const { clock, asleep } = heldClock()
    let told = 0
    const interrupt = listenForInterrupt(clock, () => told++)
    process.emit('SIGINT')
    expect([interrupt.stopping.aborted, interrupt.cancelled.aborted, told]).toEqual([true, false, 1])
    expect(asleep.map(sleep => sleep.ms)).toEqual([10_000])
    asleep[0]!.wake()
    await settled()
    expect(interrupt.cancelled.aborted).toBe(true)
    interrupt.dispose()
  })

  it('twice stops running attempts at once', () => {
    const interrupt = listenForInterrupt(heldClock().clock, () => undefined)
    process.emit('SIGINT')
    process.emit('SIGINT')
    expect(interrupt.cancelled.aborted).toBe(true)
    interrupt.dispose()
  })

  it('three times ends the process', () => {
    const listeners = process.listenerCount('SIGINT')
    const interrupt = listenForInterrupt(heldClock().clock, () => undefined)
    process.emit('SIGINT')
    process.emit('SIGINT')
    expect(process.listenerCount('SIGINT')).toBe(listeners)
    interrupt.dispose()
  })

  it.each([
    ['ends a run that has something of the terminal', true],
    ['leaves one alone that has nothing of it, as under nohup', false],
  ])('has the same effect as a terminal that closes %s', (_what, hasTerminal) => {
    const interrupt = listenForInterrupt(heldClock().clock, () => undefined, hasTerminal)
    process.emit('SIGHUP')
    expect(interrupt.cancelled.aborted).toBe(hasTerminal)
    interrupt.dispose()
    expect(process.listenerCount('SIGHUP')).toBe(0)
  })

  it('is not handled after the run has ended', () => {
    const listeners = process.listenerCount('SIGINT')
    listenForInterrupt(heldClock().clock, () => undefined).dispose()
    expect(process.listenerCount('SIGINT')).toBe(listeners)
  })
})

describe('a run that is stopped', () => {
  const campaign = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tablehunt-stop-'))
    const times = { turnMs: 100 }
    return await prepareCampaign({ folder, attempts: 6, steps: 3, concurrency: 2, ...times })
  }
  const web = () => fixedDelayWeb(0)

  it('finishes running attempts and starts no new ones', async () => {
    const config = await campaign()
    const stopping = new AbortController()
    const tell = (event: { type: string }) => {
      if (event.type === 'attempt-ended') stopping.abort()
    }
    const { left } = await executeRun(config, { web: web(), stopping: stopping.signal, tell })
    const { attempts, manifest } = await readRun(config.out)
    // At two at a time: two that run, and two that were answered and not recorded yet.
    expect(attempts.length).toBeLessThanOrEqual(4)
    expect(left).toBe(6 - attempts.length)
    expect(new Set(attempts.map(attempt => attempt.termination.cause))).toEqual(new Set(['agent']))
    expect(manifest.endedAt).toBeNull()
    expect(await readStatus(config.out, Date.now())).toMatchObject({
      state: 'stopped',
      left,
      stopped: { by: 'caller' },
    })
  })

  it.each([
    ['SIGINT', 'by Ctrl-C'],
    ['SIGTERM', 'by the signal SIGTERM'],
    ['SIGHUP', 'when its terminal closed'],
  ] as const)('by %s says so in its status, until it goes on', async (signal, words) => {
    const config = await campaign()
    const interrupt = listenForInterrupt(heldClock().clock, () => undefined, true)
    const tell = (event: { type: string }) => {
      if (event.type === 'attempt-ended' && !interrupt.stopping.aborted) process.emit(signal)
    }
    await executeRun(config, {
      web: web(),
      stopping: interrupt.stopping,
      cancelled: interrupt.cancelled,
      tell,
    })
    interrupt.dispose()
    const status = await readStatus(config.out, Date.now())
    expect(listStatusLines(status)[0]).toMatch(
      new RegExp(
        `: stopped ${words}.* at \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC; ${status.left} attempts? (?:is|are) left; go on with: tablehunt run --resume --out ${config.out}$`,
      ),
    )
    await executeRun(config, { web: web() })
    expect(await readStatus(config.out, Date.now())).toMatchObject({ state: 'done', stopped: null })
    expect((await readRun(config.out)).manifest).not.toHaveProperty('stopped')
  })

  it('repeats cancelled attempts with the same command, and marks their old records as superseded', async () => {
    const config = await campaign()
    const stop = new AbortController()
    const signals = { stopping: stop.signal, cancelled: stop.signal }
    let started = 0
    const tell = (event: { type: string }) => {
      if (event.type === 'attempt-started' && ++started === 4) setTimeout(() => stop.abort(), 50)
    }
    await executeRun(config, { web: web(), ...signals, tell })
    const before = (await readRun(config.out)).attempts
    const cancelled = before.filter(attempt => attempt.termination.cause === 'operator')
    expect(cancelled.length).toBeGreaterThan(0)
    const made: string[] = []
    await executeRun(config, {
      web: web(),
      tell: event => {
        if (event.type === 'attempt-started') made.push(event.attemptId)
      },
    })
    const { attempts, scores } = await readRun(config.out)
    expect(attempts).toHaveLength(6)
    expect(scores).toHaveLength(6)
    expect(new Set(attempts.map(attempt => attempt.termination.cause))).toEqual(new Set(['agent']))
    const kept = before.filter(attempt => attempt.termination.cause !== 'operator')
    expect(made).toHaveLength(6 - kept.length)
    const aside = (await readFile(join(config.out, 'superseded.jsonl'), 'utf8')).trim().split('\n')
    expect(aside.map(line => JSON.parse(line) as Attempt & { superseded: boolean })).toMatchObject(
      cancelled.map(({ attemptId }) => ({ attemptId, superseded: true, termination: { cause: 'operator' } })),
    )
  })
})
