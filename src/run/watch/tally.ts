import { z } from 'zod/v4'
import {
  attemptSchema,
  endSchema,
  hasCallsCutOff,
  isInfrastructureCause,
  isUnfinished,
  usageSchema,
} from '../../core/attempt.ts'

/** What counting needs of a record. */
export const talliedSchema = attemptSchema.pick({ attemptId: true, setting: true, endedAt: true }).extend({
  termination: endSchema.and(
    z.object({ detail: z.string().nullable(), fatalService: z.string().optional() }),
  ),
  usage: usageSchema.pick({ wallMs: true, inputTokens: true, outputTokens: true, usd: true }),
})
export type TalliedAttempt = z.infer<typeof talliedSchema>

/** How many attempts of each setting a run is meant to have. */
export type PlannedBySetting = Readonly<Record<string, number>>

export interface EndCount {
  readonly cause: string
  readonly reason: string
  readonly n: number
  /** What the latest of them says; null where it says nothing. */
  readonly detail: string | null
}

/** How far a run is. US dollars; a figure that nobody can know yet is null. */
export interface Standing {
  readonly planned: number
  /** With a record that stands: unfinished ones are made again. */
  readonly done: number
  readonly left: number
  /** Of those done, killed by a provider or by us: unscored. Reports call failed what gave no table, too. */
  readonly failed: number
  /** Most frequent first. */
  readonly ends: readonly EndCount[]
  /** Of all attempts that have a record, those set aside included, as far as it is known; null where it is of none. */
  readonly usd: number | null
  /** Attempts of which `usd` leaves out all or a part. */
  readonly usdUnknown: number
  /** Of the whole run, if what is left costs what its setting did so far. */
  readonly usdEstimated: number | null
  /** Input and output, likewise. */
  readonly tokens: number | null
  readonly tokensUnknown: number
  /** Until all is done, if what is left takes what its setting did so far. */
  readonly leftMs: number | null
  /** Lately; null: none has ended. */
  readonly attemptsPerMinute: number | null
}

/** The time for which the process works on a run that does so now, in milliseconds since the epoch. */
export interface Lately {
  readonly since: number
  readonly now: number
}

/** Counts a run's attempts; a later record of an attempt takes the place of the earlier one. */
export interface Tally {
  add(attempt: TalliedAttempt): void
  /** What a record that was set aside has cost. */
  addSpent(attempt: TalliedAttempt): void
  /** `lately` null: nobody works on it. */
  standing(lately: Lately | null): Standing
}

/**
 * `concurrency`: attempts at a time; null: not known, as on a queue, where workers come and go: then it is taken from how
 * long those took that ended lately.
 */
export function createTally(planned: PlannedBySetting, concurrency: number | null): Tally {
  const latest = new Map<string, Entry>()
  const usd = createSum()
  const tokens = createSum()
  const addSpent = ({ usage, termination }: TalliedAttempt): void => {
    const isWhole = !hasCallsCutOff(termination.detail)
    usd.add(usage.usd, isWhole)
    tokens.add(plus(usage.inputTokens, usage.outputTokens), isWhole)
  }
  return {
    addSpent,
    add(attempt) {
      addSpent(attempt)
      const { attemptId, setting, termination, usage, endedAt } = attempt
      const { cause, reason, detail } = termination
      const isLeft = isUnfinished(termination)
      const { wallMs, usd: cost } = usage
      const ended = Date.parse(endedAt)
      latest.set(attemptId, { setting, cause, reason, detail, isLeft, wallMs, usd: cost, ended })
    },
    standing(lately) {
      const entries = [...latest.values()].filter(entry => !entry.isLeft)
      const total = Object.values(planned).reduce((sum, n) => sum + n, 0)
      const left = Math.max(0, total - entries.length)
      const ahead = forecast(planned, entries)
      const seen = lately === null ? nothingSeen : seenLately(entries, lately)
      const abreast = concurrency ?? seen.abreast
      return {
        planned: total,
        done: entries.length,
        left,
        failed: entries.filter(entry => isInfrastructureCause(entry.cause)).length,
        ends: endsOf(latest.values()),
        usd: usd.known(),
        usdUnknown: usd.unknown(),
        usdEstimated: plus(usd.known(), ahead.usd),
        tokens: tokens.known(),
        tokensUnknown: tokens.unknown(),
        leftMs:
          ahead.wallMs === null || abreast === null
            ? null
            : Math.round(ahead.wallMs / Math.max(1, Math.min(abreast, left))),
        attemptsPerMinute: seen.perMinute,
      }
    },
  }
}

interface Sum {
  /** `isWhole` false: something of it is not known. */
  add(amount: number | null, isWhole: boolean): void
  /** Null where nothing is known of anything added. */
  known(): number | null
  /** How many were added of which something is not known. */
  unknown(): number
}

function createSum(): Sum {
  let sum: number | null = null
  let unknown = 0
  return {
    add(amount, isWhole) {
      if (amount !== null) sum = (sum ?? 0) + amount
      if (amount === null || !isWhole) unknown++
    },
    known: () => (unknown === 0 ? (sum ?? 0) : sum),
    unknown: () => unknown,
  }
}

interface Seen {
  /** Attempts at a time. */
  readonly abreast: number | null
  readonly perMinute: number | null
}

const nothingSeen: Seen = { abreast: null, perMinute: null }

/** Null where none ended in that time. */
function seenLately(entries: readonly Entry[], { since, now }: Lately): Seen {
  const ended = entries.filter(entry => entry.ended >= since)
  if (ended.length === 0 || now <= since) return nothingSeen
  const workedMs = ended.reduce((sum, entry) => sum + (entry.wallMs ?? 0), 0)
  return { abreast: workedMs / (now - since), perMinute: (60_000 * ended.length) / (now - since) }
}

interface Entry {
  readonly setting: string
  readonly cause: string
  readonly reason: string
  readonly detail: string | null
  /** It is made again, so that it is not done. */
  readonly isLeft: boolean
  readonly wallMs: number | null
  readonly usd: number | null
  /** Milliseconds since the epoch. */
  readonly ended: number
}

/** What is left, by the means of each setting's attempts that know it; null where none does yet. */
function forecast(
  planned: PlannedBySetting,
  entries: readonly Entry[],
): { wallMs: number | null; usd: number | null } {
  let wallMs: number | null = 0
  let usd: number | null = 0
  for (const [setting, wanted] of Object.entries(planned)) {
    const own = entries.filter(entry => entry.setting === setting)
    const left = wanted - own.length
    if (left <= 0) continue
    const ahead = (read: (entry: Entry) => number | null): number | null => {
      const known = own.map(read).filter(value => value !== null)
      return known.length === 0 ? null : (known.reduce((a, b) => a + b, 0) / known.length) * left
    }
    wallMs = plus(
      wallMs,
      ahead(entry => entry.wallMs),
    )
    usd = plus(
      usd,
      ahead(entry => entry.usd),
    )
  }
  return { wallMs, usd }
}

function endsOf(entries: Iterable<Entry>): EndCount[] {
  const byEnd = new Map<string, EndCount>()
  for (const { cause, reason, detail } of entries) {
    const key = `${cause}/${reason}`
    const known = byEnd.get(key)
    byEnd.set(key, { cause, reason, n: (known?.n ?? 0) + 1, detail: detail ?? known?.detail ?? null })
  }
  return [...byEnd.values()].sort((a, b) => b.n - a.n)
}

function plus(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b
}
