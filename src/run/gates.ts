import type { RunConfig } from '../config.ts'
import { createRateGate, type RateGate } from '../core/rate-gate.ts'
import { seededRandom, systemClock } from '../core/runtime.ts'

/** Where a run's requests wait for services that refuse them: models and search services, and pages by host. */
export interface Gates {
  readonly service: RateGate
  readonly page: RateGate
}

/** A quota may take minutes to refill, and asking sooner only uses up the retries of every attempt. */
const longestServiceWaitMs = 15 * 60_000
/** One page is not worth more: the agent reads another. */
const longestPageWaitMs = 10_000

export function openGates({ concurrency, seed }: Pick<RunConfig, 'concurrency' | 'seed'>): Gates {
  // An attempt asks its model once at a time, but may make several searches and fetches side by side.
  const common = { clock: systemClock, random: seededRandom(seed), most: concurrency }
  return {
    service: createRateGate({ ...common, longestWaitMs: longestServiceWaitMs }),
    page: createRateGate({ ...common, longestWaitMs: longestPageWaitMs }),
  }
}
