import type { SettingEnvironment } from '../../../agents/setting.ts'
import type { Trace } from '../../../logs/writer.ts'
import type { ToldEvent } from '../score/measure.ts'
import { type Checkpoint, checkpointOf, spentOn } from './checkpoint.ts'
import type { FoundLeak } from './shown-gold.ts'

/** What happens in an attempt while it runs, kept so that no file is read back, and written to its trace. */
export interface AttemptWatch {
  /** Takes the setting's events. */
  readonly tell: SettingEnvironment['emit']
  /** The web or our infrastructure failed, so that the agent could not have done better. */
  failed(): void
  /** A page that publishes the answers was asked for, and refused. */
  blocked(source: { readonly url: string; readonly rule: string }): void
  /** What tools answered so far, and what they got and could not show. */
  readonly told: readonly ToldEvent[]
  /** Texts of shadow answers at checkpoints so far; null where none came. */
  readonly checkpoints: readonly Checkpoint[]
  /** Requests that the block list refused so far. */
  readonly blockedLeaks: readonly FoundLeak[]
  infrastructureFailures(): number
  /** By the attempt, and by shadow answers beside it: what a whole run's budget counts. */
  spent(): Spent
}

interface Spent {
  readonly tokens: number
  readonly usd: number
  readonly searchCalls: number
}

export function watchAttempt(trace: Pick<Trace, 'emit'>): AttemptWatch {
  const spent = { tokens: 0, usd: 0, searchCalls: 0 }
  const told: ToldEvent[] = []
  const checkpoints: Checkpoint[] = []
  const blockedLeaks: FoundLeak[] = []
  let failures = 0
  let lastStep = 0
  return {
    tell(step, event) {
      lastStep = step
      trace.emit(step, event)
      if (event.type === 'budget-charged' && event.kind in spent)
        spent[event.kind as keyof Spent] += event.amount
      if (event.type === 'tool-answered')
        told.push({ step, text: event.text, observations: event.observations })
      if (event.type === 'tool-failed' && event.observations !== undefined)
        told.push({ step, text: { text: '' }, observations: event.observations })
      if (event.type === 'checkpoint') {
        checkpoints.push(checkpointOf(event))
        const { tokens, usd } = spentOn(event)
        spent.tokens += tokens
        spent.usd += usd
      }
      if (event.type === 'tool-failed' && event.infrastructure) failures++
    },
    failed() {
      failures++
    },
    blocked({ url, rule }) {
      const detail = `on the block list: ${rule}`
      blockedLeaks.push({ step: Math.max(1, lastStep), how: 'blocked', url, detail })
    },
    told,
    checkpoints,
    blockedLeaks,
    infrastructureFailures: () => failures,
    spent: () => ({ ...spent }),
  }
}
