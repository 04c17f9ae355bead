import { describe, expect, it } from 'vitest'
import { demoPaths } from '../../tasks/demo/demo.ts'
import { recordAndReplay } from './record-and-replay.ts'

describe('a run that was recorded', () => {
  const demo = { tasks: demoPaths.tasks, docs: demoPaths.documents, limit: 4 }

  it('is replayed without any connection, with the same attempts, scores and traces', async () => {
    const { recorded, replayed } = await recordAndReplay(demo)
    expect(recorded.attempts).toHaveLength(4)
    expect(recorded.traces.flat().length).toBeGreaterThan(50)
    expect(replayed).toEqual(recorded)
  })

  it('is replayed with its faults', async () => {
    const { recorded, replayed } = await recordAndReplay(demo, 'flaky')
    expect(JSON.stringify(recorded.traces)).toContain('provider-retried')
    expect(replayed).toEqual(recorded)
  })
})
