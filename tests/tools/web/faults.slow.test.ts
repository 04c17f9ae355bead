import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ToolError } from '../../../src/core/errors.ts'
import type { Clock } from '../../../src/core/runtime.ts'
import type { CorpusEntry } from '../../../tools/web/corpus.ts'
import { buildCorpus } from '../../../tools/web/corpus-build.ts'
import {
  type Fault,
  type FaultProfile,
  loadFaultProfile,
  shippedProfiles,
} from '../../../tools/web/fault-profile.ts'
import { createFaultyTransport, type SilentFault, watchFaults } from '../../../tools/web/faults.ts'
import { createRecordingTransport } from '../../../tools/web/record.ts'
import { createReplayTransport } from '../../../tools/web/replay.ts'
import { type SealedWeb, serveCorpus } from '../../../tools/web/sealed.ts'
import { type Transport, transportFor, type WebRequest } from '../../../tools/web/transport.ts'
import { noSignal, pageRequest, textOf } from './local-server.ts'
import { sampleInput } from './sample-corpus.ts'

let web: SealedWeb
let entries: readonly CorpusEntry[]
let folder: string
beforeAll(async () => {
  const corpus = await buildCorpus(sampleInput(20))
  entries = corpus.items.map(item => item.entry)
  web = await serveCorpus(corpus)
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-faults-'))
})
afterAll(async () => {
  await web.close()
  await rm(folder, { recursive: true, force: true })
})

/** A clock whose waits take no time and are recorded. */
function patientClock(): Clock & { readonly waits: number[] } {
  const waits: number[] = []
  return {
    waits,
    now: () => 0,
    sleep: (ms, signal) => {
      waits.push(ms)
      return signal?.aborted === true ? Promise.reject(signal.reason) : Promise.resolve()
    },
  }
}

const profileOf = (...faults: Fault[]): FaultProfile => ({ name: 'test', summary: '', faults })
const faulty = (profile: FaultProfile, seed = 0, clock: Clock = patientClock()) =>
  createFaultyTransport(web.transport, { profile, seed, clock })
const searchRequest = (q: string): WebRequest =>
  pageRequest(`${web.searchUrl}/search`, {
    method: 'POST',
    purpose: 'service',
    headers: { 'x-api-key': 'k' },
    body: JSON.stringify({ q }),
  })

/** Returns the outcome of a request in one word. */
async function outcome(transport: Transport, request: WebRequest): Promise<string> {
  try {
    const answer = await transport.send(request, noSignal())
    return `${answer.status} ${answer.headers['x-injected-fault'] ?? ''}`.trim()
  } catch (error) {
    if (error instanceof ToolError) return error.errorClass
    throw error
  }
}

const pdf = () => entries.find(entry => entry.hint?.endsWith('.pdf'))!
const landing = () => entries.find(entry => entry.landingUrl !== null)!.landingUrl!

describe('a fault', () => {
  it('of kind status answers the given number of times, with Retry-After, and then lets requests through', async () => {
    const busy: Fault = {
      kind: 'status',
      on: 'search',
      share: 1,
      times: 2,
      status: 429,
      retryAfterSeconds: 3,
    }
    const transport = faulty(profileOf(busy))
    const first = await transport.send(searchRequest('report'), noSignal())
    expect(first).toMatchObject({ status: 429, headers: { 'retry-after': '3' } })
    expect(await outcome(transport, searchRequest('report'))).toBe('429 status 429')
    expect(await outcome(transport, searchRequest('report'))).toBe('200')
    expect(await outcome(transport, pageRequest(landing()))).toBe('200')
  })

  it('of kind reset or hang is an infrastructure failure', async () => {
    const clock = patientClock()
    const broken = faulty(profileOf({ kind: 'reset', on: 'any', share: 1, times: null }))
    await expect(broken.send(pageRequest(landing()), noSignal())).rejects.toMatchObject({
      errorClass: 'network',
      infrastructure: true,
    })
    const hanging = faulty(profileOf({ kind: 'hang', on: 'any', share: 1, times: 1 }), 0, clock)
    await expect(
      hanging.send(pageRequest(landing(), { timeoutMs: 60_000 }), noSignal()),
    ).rejects.toMatchObject({
      errorClass: 'timeout',
      infrastructure: true,
    })
    expect(clock.waits).toEqual([60_000])
    expect(await outcome(hanging, pageRequest(landing()))).toBe('200')
  })

  it('of kind slow waits and then answers, or times out when the wait is too long', async () => {
    const clock = patientClock()
    const slow = faulty(
      profileOf({ kind: 'slow', on: 'page', share: 1, times: null, delayMs: 700 }),
      0,
      clock,
    )
    expect(await outcome(slow, pageRequest(landing()))).toBe('200')
    expect(clock.waits).toEqual([700])
    expect(await outcome(slow, pageRequest(landing(), { timeoutMs: 500 }))).toBe('timeout')
  })

  it('of kind captcha replaces a page, truncate shortens a PDF, change alters figures', async () => {
    const captcha = faulty(profileOf({ kind: 'captcha', on: 'page', share: 1, times: null }))
    const answer = await captcha.send(pageRequest(pdf().url), noSignal())
    expect(answer.status).toBe(200)
    expect(textOf(answer.body)).toContain('not a robot')
    const cut = faulty(profileOf({ kind: 'truncate', on: 'page', share: 1, times: null, keep: 0.5 }))
    const half = await cut.send(pageRequest(pdf().url), noSignal())
    expect(half.body.byteLength).toBe(Math.floor(pdf().bytes / 2))
    expect(await outcome(cut, pageRequest(landing()))).toBe('200')
    const stale = faulty(profileOf({ kind: 'change', on: 'page', share: 1, times: null }))
    const entry = entries.find(candidate => candidate.hint === '张某某诈骗案')!
    const page = textOf((await stale.send(pageRequest(entry.url), noSignal())).body)
    expect(page).toContain('<h1>张某某诈骗案</h1>')
    expect(page).not.toContain('25,300')
    expect(await outcome(stale, pageRequest(pdf().url))).toBe('200')
  })

  it('affects the given share of requests, which depend on the seed', async () => {
    const profile = profileOf({ kind: 'status', on: 'search', share: 0.3, times: null, status: 503 })
    const hit = async (seed: number) => {
      const transport = faulty(profile, seed)
      const queries = Array.from({ length: 300 }, (_unused, index) => `query ${index}`)
      const outcomes = []
      for (const query of queries) outcomes.push(await outcome(transport, searchRequest(query)))
      return outcomes.map(one => one.startsWith('503'))
    }
    const [first, again, other] = [await hit(0), await hit(0), await hit(1)]
    expect(again).toEqual(first)
    expect(other).not.toEqual(first)
    const share = first.filter(Boolean).length / first.length
    expect(share).toBeGreaterThan(0.22)
    expect(share).toBeLessThan(0.38)
  })

  it('counts each attempt separately', async () => {
    const transport = faulty(profileOf({ kind: 'status', on: 'page', share: 1, times: 1, status: 502 }))
    for (const id of ['a', 'b']) {
      const own = transportFor(transport, id)
      expect(await outcome(own, pageRequest(landing()))).toBe('502 status 502')
      expect(await outcome(own, pageRequest(landing()))).toBe('200')
    }
  })

  it('stops waiting when the attempt is cancelled', async () => {
    const transport = createFaultyTransport(web.transport, {
      profile: profileOf({ kind: 'slow', on: 'page', share: 1, times: null, delayMs: 5_000 }),
      seed: 0,
    })
    const controller = new AbortController()
    const answer = transport.send(pageRequest(landing()), controller.signal)
    controller.abort(new Error('cancelled'))
    await expect(answer).rejects.toThrow('cancelled')
  })

  it('survives recording and replay, and is reported when it looked like a normal answer', async () => {
    const profile = profileOf(
      { kind: 'status', on: 'search', share: 1, times: 1, status: 503 },
      { kind: 'captcha', on: 'page', share: 1, times: 1 },
    )
    const requests = [searchRequest('x'), searchRequest('x'), pageRequest(landing()), pageRequest(landing())]
    const through = async (transport: Transport) => {
      const seen: SilentFault[] = []
      const watched = transportFor(
        watchFaults(transport, fault => seen.push(fault)),
        'a',
      )
      const outcomes = []
      for (const request of requests) outcomes.push(await outcome(watched, request))
      return { outcomes, seen }
    }
    const recorded = await through(await createRecordingTransport(faulty(profile), { folder }))
    expect(recorded).toEqual({
      outcomes: ['503 status 503', '200', '200 captcha', '200'],
      seen: [{ url: landing(), fault: 'captcha' }],
    })
    expect(await through(await createReplayTransport({ folder }))).toEqual(recorded)
  })
})

describe('the shipped profiles', () => {
  it('are the five documented ones', async () => {
    expect(await shippedProfiles()).toEqual(['anti-bot', 'flaky', 'rate-limited', 'slow', 'stale'])
  })

  it.each(['anti-bot', 'flaky', 'rate-limited', 'slow', 'stale'])(
    '%s affects some requests and lets most through',
    async name => {
      const profile = await loadFaultProfile(name)
      const clock = patientClock()
      const transport = faulty(profile, 0, clock)
      let befallen = 0
      let working = 0
      const requests = entries.flatMap(entry => [pageRequest(entry.url), searchRequest(entry.title)])
      for (const request of requests) {
        const tries = []
        for (let turn = 0; turn < 3; turn++) tries.push(await outcome(transport, request))
        if (tries.some(one => one !== '200')) befallen++
        if (tries.includes('200')) working++
      }
      expect(befallen + clock.waits.length).toBeGreaterThan(0)
      expect(working / requests.length).toBeGreaterThan(0.7)
    },
  )

  it("can be the user's own; an invalid one is rejected with the reason", async () => {
    const path = join(folder, 'own.json')
    await writeFile(path, '{"summary":"mine","faults":[{"kind":"reset","on":"any","share":1,"times":null}]}')
    expect(await loadFaultProfile(path)).toMatchObject({ name: path, faults: [{ kind: 'reset' }] })
    await writeFile(path, '{"summary":"mine","faults":[{"kind":"rest","on":"any","share":1,"times":null}]}')
    await expect(loadFaultProfile(path)).rejects.toMatchObject({ code: 'invalid-fault-profile' })
    await expect(loadFaultProfile('flakey')).rejects.toMatchObject({
      code: 'unknown-fault-profile',
      message: expect.stringContaining('anti-bot, flaky, rate-limited, slow, stale'),
    })
  })
})
