import { describe, expect, it } from 'vitest'
import type { PlacedEvidence } from '../../../src/core/scored-item.ts'
import { findEvidenceEvent } from '../../../src/report/app/evidence-event.ts'
import type { TraceStep } from '../../../src/report/trace/trace-steps.ts'

function event(seq: number, step: number, type: TraceStep['type'], more: Partial<TraceStep> = {}): TraceStep {
  const kind = type.startsWith('tool') ? 'search' : 'other'
  return { seq, step, type, kind, title: '', facts: '', blocks: [], startMs: 0, endMs: 0, tokens: 0, ...more }
}
const hit = (url: string) => ({ blocks: [{ label: 'results', text: `A title\n  ${url}` }] })
const steps = [
  event(0, 0, 'attempt-started'),
  event(1, 1, 'model-called'),
  event(2, 1, 'tool-answered', { result: 0 }),
  event(3, 1, 'tool-answered', { result: 1, ...hit('https://a.example/report.pdf') }),
  event(4, 2, 'model-called'),
  event(5, 2, 'tool-answered', { result: 0, kind: 'fetch' }),
  event(6, 3, 'context-cut', { cutSteps: [1] }),
  event(7, 3, 'context-cut', { cutSteps: [2] }),
  event(8, 3, 'budget-refused'),
]
const place = { document: 'report.pdf', page: 2, line: 'Revenue 1' }
const seqOf = (evidence: Pick<PlacedEvidence, 'state' | 'step' | 'result'>, address: string | null = null) =>
  findEvidenceEvent(steps, { ...place, ...evidence }, address)?.seq

describe('the event of an evidence', () => {
  it('is the request or the tool result that showed it', () => {
    expect(seqOf({ state: 'shown', step: 1 })).toBe(1)
    expect(seqOf({ state: 'shown', step: 2, result: 0 })).toBe(5)
  })

  it('is the cut that removed the result of its turn', () => {
    expect(seqOf({ state: 'cut', step: 2, result: 0 })).toBe(7)
  })

  it('is the search that found the document when it was not opened, by address or name', () => {
    expect(seqOf({ state: 'missed', step: 1 }, 'https://a.example/report.pdf')).toBe(3)
    expect(seqOf({ state: 'missed', step: 1 })).toBe(3)
    expect(seqOf({ state: 'missed', step: null }, 'https://b.example/')).toBe(2)
  })

  it('is the refused call when the model was never asked', () => {
    const offline = [steps[0]!, steps[8]!]
    expect(findEvidenceEvent(offline, { ...place, state: 'missed', step: null }, null)?.seq).toBe(8)
  })

  it('is unknown for a turn that the trace lacks', () => {
    expect(seqOf({ state: 'shown', step: 9 })).toBeUndefined()
  })
})
