import { z } from 'zod/v4'
import { attemptSchema } from '../../core/attempt.ts'
import { countMissingDocuments, type MissingDocuments } from '../../core/missing-documents.ts'
import { plausibleMs } from '../../core/runtime.ts'
import { endSchema, hasCallsCutOff, isInfrastructureCause, isUnfinished } from '../../core/termination.ts'
import { addOrNull, usageSchema } from '../../core/usage.ts'
import type { RepeatedSpending } from '../../report/model/report.ts'

/** The fields of an attempt record that a tally needs. */
export const talliedSchema = attemptSchema
  .pick({ attemptId: true, setting: true, endedAt: true, missingDocuments: true })
  .extend({
    termination: endSchema.and(
      z.object({ detail: z.string().nullable(), fatalService: z.string().optional() }),
    ),
    usage: usageSchema.pick({ wallMs: true, inputTokens: true, outputTokens: true, usd: true }),
  })
export type TalliedAttempt = z.infer<typeof talliedSchema>

/** The number of planned attempts of each setting. */
export type PlannedBySetting = Readonly<Record<string, number>>

/** How many attempts ended by a cause and reason. */
export interface EndCount {
  readonly cause: string
  readonly reason: string
  readonly n: number
  /** The detail of the latest one; null when it has none. */
  readonly detail: string | null
}

/** How far a run is. Amounts are in US dollars; an unknown figure is null. */
export interface Standing {
  readonly planned: number
  /** Recorded attempts, without unfinished ones, which are made again. */
  readonly done: number
  readonly left: number
  /** How many of these attempts a failure of a provider or of the harness ended. They are unscored. */
  readonly failed: number
  /** The attempts that lacked documents, and the names of these documents; null when none did. */
  readonly missingDocuments: MissingDocuments | null
  /** Most frequent first. */
  readonly ends: readonly EndCount[]
  /** The known cost of all attempts, including stopped and superseded ones; null when no cost is known. */
  readonly usd: number | null
  /** The number of attempts whose cost is not, or not wholly, in `usd`. */
  readonly usdUnknown: number
  /** The estimated cost of the whole run, if the remaining attempts cost as much as those of their setting so far. */
  readonly usdEstimated: number | null
  /** Input and output tokens, counted as `usd`. */
  readonly tokens: number | null
  readonly tokensUnknown: number
  /** The estimated time until the end, if the remaining attempts take as long as those of their setting so far. */
  readonly leftMs: number | null
  /** In the observed period; null when none has ended in it. */
  readonly attemptsPerMinute: number | null
}

/** The time during which the present process has worked on a run, in milliseconds since the epoch. */
export interface ObservedPeriod {
  readonly since: number
  readonly now: number
}

/** A sum of amounts of which some are unknown. */
class KnownSum {
  #sum: number | null = null
  /** How many amounts are unknown or incomplete. */
  unknown = 0

  /** @param isWhole false when a part of the amount is unknown */
  add(amount: number | null, isWhole: boolean): void {
    if (amount !== null) this.#sum = (this.#sum ?? 0) + amount
    if (amount === null || !isWhole) this.unknown++
  }

  /** Null when all added amounts are unknown. */
  get known(): number | null {
    return this.unknown === 0 ? (this.#sum ?? 0) : this.#sum
  }
}

/** Counts a run's attempts. A later record of an attempt replaces the earlier one. */
export class Tally {
  readonly #planned: PlannedBySetting
  readonly #concurrency: number | null
  readonly #latest = new Map<string, TalliedEntry>()
  readonly #usd = new KnownSum()
  readonly #tokens = new KnownSum()

  /**
   * @param concurrency attempts at a time; null when unknown, as with workers. It is then computed from the
   * durations of the attempts that ended in the observed period
   */
  constructor(planned: PlannedBySetting, concurrency: number | null) {
    this.#planned = planned
    this.#concurrency = concurrency
  }

  /** Adds what was spent on attempts without a record. */
  addRepeated({ usd, tokens, isWhole }: RepeatedSpending): void {
    this.#usd.add(usd, isWhole)
    this.#tokens.add(tokens, isWhole)
  }

  add({ attemptId, setting, termination, usage, endedAt, missingDocuments = [] }: TalliedAttempt): void {
    const { cause, reason, detail } = termination
    const isWhole = !hasCallsCutOff(detail)
    this.#usd.add(usage.usd, isWhole)
    this.#tokens.add(addOrNull(usage.inputTokens, usage.outputTokens), isWhole)
    this.#latest.set(attemptId, {
      setting,
      cause,
      reason,
      detail,
      isLeft: isUnfinished(termination),
      wallMs: plausibleMs(usage.wallMs ?? Number.NaN),
      usd: usage.usd,
      ended: Date.parse(endedAt),
      missingDocuments,
    })
  }

  /** @param period null when no process works on the run */
  standing(period: ObservedPeriod | null): Standing {
    const entries = [...this.#latest.values()].filter(entry => !entry.isLeft)
    const planned = Object.values(this.#planned).reduce((sum, n) => sum + n, 0)
    const left = Math.max(0, planned - entries.length)
    const ahead = forecast(this.#planned, entries)
    const pace = period === null ? unknownPace : measurePace(entries, period)
    const atATime = this.#concurrency ?? pace.concurrency
    return {
      planned,
      done: entries.length,
      left,
      failed: entries.filter(entry => isInfrastructureCause(entry.cause)).length,
      missingDocuments: countMissingDocuments(entries),
      ends: countEnds(this.#latest.values()),
      usd: this.#usd.known,
      usdUnknown: this.#usd.unknown,
      usdEstimated: addOrNull(this.#usd.known, ahead.usd),
      tokens: this.#tokens.known,
      tokensUnknown: this.#tokens.unknown,
      leftMs:
        ahead.wallMs === null || atATime === null
          ? null
          : Math.round(ahead.wallMs / Math.max(1, Math.min(atATime, left))),
      attemptsPerMinute: pace.perMinute,
    }
  }
}

/** How fast attempts were made. */
interface MeasuredPace {
  readonly concurrency: number | null
  readonly perMinute: number | null
}

const unknownPace: MeasuredPace = { concurrency: null, perMinute: null }

/** Computes the pace of the attempts that ended in a period; unknown when none has. */
function measurePace(entries: readonly TalliedEntry[], { since, now }: ObservedPeriod): MeasuredPace {
  const ended = entries.filter(entry => entry.ended >= since)
  if (ended.length === 0 || now <= since) return unknownPace
  const workedMs = ended.reduce((sum, entry) => sum + (entry.wallMs ?? 0), 0)
  return { concurrency: workedMs / (now - since), perMinute: (60_000 * ended.length) / (now - since) }
}

interface TalliedEntry {
  readonly missingDocuments: NonNullable<TalliedAttempt['missingDocuments']>
  readonly setting: string
  readonly cause: string
  readonly reason: string
  readonly detail: string | null
  /** It is made again, so it does not count as done. */
  readonly isLeft: boolean
  readonly wallMs: number | null
  readonly usd: number | null
  /** Milliseconds since the epoch. */
  readonly ended: number
}

/** Estimates time and cost of the remaining attempts by the means of their settings; null when a setting has no known value yet. */
function forecast(
  planned: PlannedBySetting,
  entries: readonly TalliedEntry[],
): { wallMs: number | null; usd: number | null } {
  let wallMs: number | null = 0
  let usd: number | null = 0
  for (const [setting, plannedCount] of Object.entries(planned)) {
    const entriesOfSetting = entries.filter(entry => entry.setting === setting)
    const left = plannedCount - entriesOfSetting.length
    if (left <= 0) continue
    const ahead = (measure: (entry: TalliedEntry) => number | null): number | null => {
      const values = entriesOfSetting.map(measure).filter(value => value !== null)
      return values.length === 0 ? null : (values.reduce((a, b) => a + b, 0) / values.length) * left
    }
    wallMs = addOrNull(
      wallMs,
      ahead(entry => entry.wallMs),
    )
    usd = addOrNull(
      usd,
      ahead(entry => entry.usd),
    )
  }
  return { wallMs, usd }
}

function countEnds(entries: Iterable<TalliedEntry>): EndCount[] {
  const byEnd = new Map<string, EndCount>()
  for (const { cause, reason, detail } of entries) {
    const key = `${cause}/${reason}`
    const earlierCount = byEnd.get(key)
    byEnd.set(key, {
      cause,
      reason,
      n: (earlierCount?.n ?? 0) + 1,
      detail: detail ?? earlierCount?.detail ?? null,
    })
  }
  return [...byEnd.values()].sort((a, b) => b.n - a.n)
}
