import { describe, expect, it } from 'vitest'
import type { TraceEvent } from '../../logs/events.ts'
import type { CellClass } from '../../src/core/cell-classes.ts'
import { findLosses, groupByStep } from '../../src/run/fork/fork-place.ts'
import { type ForkArm, planLossForks } from '../../src/run/fork/plan-forks.ts'
import type { SourceAttempt, SourceRun } from '../../src/run/fork/source-run.ts'

interface MadeLoss {
  readonly lossClass: CellClass
  /** The step at which a search showed the document of the item; null when none did. */
  readonly surfacedStep?: number | null
  readonly openedStep?: number
  /** Whether the ledger does not name the document of the item. */
  readonly isUnplaced?: boolean
}

/** An attempt with a search in each step but the last, and these losses. */
function makeSource(losses: readonly MadeLoss[], turns = 5): SourceAttempt {
  const requests = Array.from({ length: turns }, (_, at) => ({
    ...{ type: 'model-called', step: at + 1, at: '2026-01-01T00:00:00Z', messages: [{ role: 'user' }] },
  }))
  const events = requests.flatMap(request => {
    const call = { tool: 'web_search', callId: `c${request.step}`, step: request.step, at: request.at }
    const called = { ...call, type: 'tool-called' }
    const isLast = request.step === turns
    return isLast ? [request] : [request, called, { ...call, type: 'tool-answered' }]
  })
  return {
    attempt: {
      ...{ attemptId: 'a', taskId: 't', agent: 'tablehunt', seed: 0, options: {} },
      discovery: {
        hints: losses.map(({ surfacedStep = null, openedStep = null }, at) => ({
          ...{ hint: `d${at}`, surfacedStep, openedStep, parsedStep: null, url: null },
        })),
      },
    },
    score: {
      status: 'scored',
      cells: losses.map(({ lossClass, isUnplaced }, at) => ({
        ...{ goldRow: at, column: 'c', score: 0, class: lossClass },
        ...(isUnplaced ? {} : { evidence: { document: `d${at}`, line: 'x', step: null } }),
      })),
      items: [],
    },
    ...{ events: events as unknown as TraceEvent[], turns, traceSha256: '' },
  } as unknown as SourceAttempt
}

const run = {
  folder: 'r',
  manifest: { source: 'run', runId: 'r', config: { search: [] } },
} as unknown as SourceRun
const note: ForkArm = { intervention: { kind: 'prompt-note', value: 'n' }, text: 'n' }
const give: ForkArm = { intervention: { kind: 'give', value: null }, document: 'missed' }
const control: ForkArm = { intervention: { kind: 'none', value: null } }

const plan = (source: SourceAttempt, arms: readonly ForkArm[]) =>
  planLossForks(run, source, { arms, repeats: 1 }).map(({ intervention, atStep, callId }) => [
    ...[intervention.kind, atStep, callId],
  ])

describe('forks at the loss', () => {
  it.each<[string, MadeLoss, number]>([
    ['a page that was shown and not opened', { lossClass: 'not-opened', surfacedStep: 2 }, 3],
    ['a page that was opened and not read', { lossClass: 'not-parsed', surfacedStep: 1, openedStep: 3 }, 4],
    ['a document that no search returned', { lossClass: 'not-surfaced' }, 4],
    ['a wrong value', { lossClass: 'wrong', surfacedStep: 1 }, 5],
  ])('add a note before the turn that decided: %s', (_, loss, turn) => {
    expect(plan(makeSource([loss]), [note])).toEqual([['prompt-note', turn, null]])
  })

  it('give the document in the result that came before that turn, with one control for both changes', () => {
    const source = makeSource([{ lossClass: 'not-opened', surfacedStep: 2 }])
    expect(plan(source, [control, give, note])).toEqual([
      ['none', 3, null],
      ['give', 3, 'c2'],
      ['prompt-note', 3, null],
    ])
  })

  it('take the last step that showed one of the missed documents when the document is not known', () => {
    const losses: MadeLoss[] = [1, 3].map(surfacedStep => ({
      ...{ lossClass: 'not-opened', surfacedStep, isUnplaced: true },
    }))
    expect(plan(makeSource(losses), [note])).toEqual([['prompt-note', 4, null]])
  })

  it('are refused when the attempt ended with the result, or when its step is unknown', () => {
    for (const surfacedStep of [5, null])
      expect(() => plan(makeSource([{ lossClass: 'not-opened', surfacedStep }]), [note])).toThrow(
        expect.objectContaining({
          code: 'fork-no-loss',
          message: expect.stringMatching(/\(not-opened\).*unknown or not in the trace.*Name the step/),
        }),
      )
  })

  it('leave such losses out beside others, and still group them by the result', () => {
    const source = makeSource([{ lossClass: 'not-opened', surfacedStep: 5 }, { lossClass: 'wrong' }])
    expect(plan(source, [note])).toEqual([['prompt-note', 5, null]])
    expect(groupByStep(findLosses(source)).map(({ step, losses }) => [step, losses.length])).toEqual([[5, 2]])
  })
})
