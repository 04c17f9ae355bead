import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createBlobStore } from '../../logs/blobs.ts'
import type { EventBody } from '../../logs/events.ts'
import { openTrace, tracePath } from '../../logs/writer.ts'
import { systemClock } from '../../src/core/runtime.ts'
import { displayWidth } from '../../src/report/tables/display-width.ts'
import { diffText, diffTraces } from '../../src/report/trace/trace-diff.ts'
import { traceText } from '../../src/report/trace/trace-text.ts'
import { findTrace, readAttemptTrace } from '../../src/run/records/find-trace.ts'

const called = (tool: string, args: unknown): EventBody => ({ type: 'tool-called', callId: 'c', tool, args })
const shown = (tool: string, text: string): EventBody => ({
  type: 'tool-answered',
  callId: 'c',
  tool,
  text: { text },
  truncated: false,
  observations: [],
  wallMs: 5,
})
const answered = (text: string): EventBody => ({
  type: 'model-answered',
  text: { text },
  reasoning: null,
  toolCalls: [],
  malformedCalls: [],
  finishReason: 'stop',
  usage: null,
  wallMs: 9,
})
const ended: EventBody = {
  type: 'terminated',
  termination: {
    cause: 'agent',
    reason: 'answered',
    answerProduced: true,
    forcedFinal: false,
    lastHealthyStep: 3,
    detail: null,
  },
}
const longPage = 'long page '.repeat(600)

const first: [number, EventBody][] = [
  [1, called('web_search', { queries: ['elm'] })],
  [1, shown('web_search', 'hits')],
  [2, called('fetch_page', { url: 'https://a.example', part: 1 })],
  [2, shown('fetch_page', longPage)],
  [3, answered('Firm,Revenue')],
  [3, ended],
]
const second: [number, EventBody][] = [
  [1, called('web_search', { queries: ['elm'] })],
  [1, shown('web_search', 'hits')],
  [2, called('web_search', { queries: ['elm report'] })],
  [2, shown('web_search', 'other hits')],
  [3, called('fetch_page', { part: 1, url: 'https://a.example' })],
  [3, shown('fetch_page', longPage)],
  [4, answered('Firm,Sales')],
  [4, ended],
]

describe('two compared attempts', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'diff-'))
    const blobs = createBlobStore({ folder })
    for (const [attemptId, events] of [['one.aa', first] as const, ['two.bb', second] as const]) {
      const trace = await openTrace({ folder, attemptId, clock: systemClock, blobs, secrets: [] })
      for (const [step, event] of events) trace.emit(step, event)
      await trace.close()
    }
  })

  it('are aligned despite different steps and orders of arguments, with the first divergence marked', async () => {
    const diff = diffTraces(await findTrace(join(folder, 'one.aa')), await findTrace(join(folder, 'two.bb')))
    const marks = diff.rows.map(row => (row.same ? '=' : row.a === null ? '>' : row.b === null ? '<' : '≠'))
    expect(marks.join('')).toBe('==>>==≠=')
    expect(diff.firstDivergence).toBe(2)
    const text = diffText(diff, { columns: 100, full: false })
    expect(text).toMatch(/ {20}>>> 2 web_search \{"queries":\["elm report"\]\}$/m)
    expect(text).toContain('First divergence (>>): step – of A, 2 of B.')
  })

  it.each([60, 80, 132])('fit a terminal of %i columns, with whole texts on request', async columns => {
    const page = `https://a.example/${'x'.repeat(300)} ${'文档'.repeat(200)} ${'word '.repeat(50)}`
    const move = (end: string) => ({ step: 12, kind: 'shown', text: page + end })
    const rows = [{ a: move('left'), b: move('right'), same: false }]
    const diff = { a: 'one', b: 'two', rows, firstDivergence: 0 }
    const [short, whole] = [false, true].map(full => diffText(diff, { columns, full })) as [string, string]
    for (const text of [short, whole])
      for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(columns)
    expect(short.split('\n').filter(line => / word/.test(line)).length).toBeLessThanOrEqual(3)
    expect(short).toMatch(/…word.*left .*right/s)
    expect(whole.replace(/\s/g, '')).toContain('left')
    expect(whole.split('文').length - 1).toBe(400)
  })

  it('are the same when only times differ', async () => {
    const one = await findTrace(join(folder, 'one.aa'))
    const diff = diffTraces(one, one)
    expect(diff.firstDivergence).toBeNull()
    expect(diff.rows.every(row => row.same)).toBe(true)
    expect(diffText(diff, { columns: 80, full: false })).toContain('Both attempts did the same.')
  })

  it('are found by trace file or by the beginning of an id, while unknown places are errors', async () => {
    const byFile = await findTrace(tracePath(folder, 'one.aa'))
    expect(byFile.attemptId).toBe('one.aa')
    expect(byFile.blob('0'.repeat(64))).toBeNull()
    expect((await readAttemptTrace(folder, 'tw')).attemptId).toBe('two.bb')
    const unknown = readAttemptTrace(folder, 'one.ab')
    await expect(unknown).rejects.toMatchObject({ code: 'unknown-attempt' })
    await expect(unknown).rejects.toThrow(/'one\.ab'.*'one\.aa'/)
    for (const at of [1, 2, 3, 4, 5, 6]) await writeFile(tracePath(folder, `many.${at}`), '')
    await expect(readAttemptTrace(folder, 'many')).rejects.toMatchObject({ code: 'ambiguous-attempt' })
    await expect(findTrace(join(folder, 'nowhere', 'x'))).rejects.toMatchObject({ code: 'not-a-run' })
    await expect(findTrace('one.aa')).rejects.toMatchObject({ code: 'no-trace' })
  })

  it('are shown step by step without control characters', async () => {
    const { attemptId, events, blob } = await readAttemptTrace(folder, 'two.bb')
    const hostile = {
      ...events[0]!,
      type: 'tool-failed',
      tool: 'x',
      errorClass: '\u001b[31mred',
      message: 'm\u0007',
    }
    const text = traceText(
      attemptId,
      [...events, { ...hostile, infrastructure: false, wallMs: 1 } as never],
      blob,
    )
    expect(text).toContain('   2  web_search called  (“elm report”)')
    expect(text).toContain('more characters in the trace')
    expect(text).not.toMatch(/[\u001b\u0007]/)
    expect(await readFile(tracePath(folder, 'two.bb'), 'utf8')).toContain('"blob"')
  })
})
