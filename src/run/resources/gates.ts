import type { RunConfig } from '../../config.ts'
import type { ProviderError } from '../../core/errors.ts'
import { type Clock, seededRandom, systemClock } from '../../core/runtime.ts'
import { createRateGate, type RateGate, type RateGateOptions } from '../../system/rate-gate.ts'

/** Where a run's requests wait for services that refuse them: models and search services, and pages by host. */
export interface Gates {
  readonly service: RateGate
  readonly page: RateGate
}

/** A quota may take minutes to refill, and asking sooner only uses up the retries of every attempt. */
const longestServiceWaitMs = 15 * 60_000
/**
 * Most services count by the minute, and many name no time: 0.5, 2.5, 12.5 and 60 s are what an attempt's tries wait, which
 * is longer than that minute and still short for those that count by the second.
 */
const serviceWaitGrowth = 5
/** One page is not worth more: the agent reads another. */
const longestPageWaitMs = 10_000

/** The options that say how many requests are made at a time. */
export type GateOptions = Pick<RunConfig, 'concurrency' | 'seed'>

/** `refused` is told of each refusal, for other processes that ask the same services. */
export function openGates(
  { concurrency, seed }: GateOptions,
  refused?: (gate: keyof Gates, service: string, by: ProviderError, waitMs: number) => void,
  clock: Clock = systemClock,
): Gates {
  const telling = (gate: keyof Gates): Pick<RateGateOptions, 'refused'> =>
    refused === undefined ? {} : { refused: (...refusal) => refused(gate, ...refusal) }
  // An attempt asks its model once at a time, but may make several searches and fetches side by side.
  const common = { clock, random: seededRandom(seed), most: concurrency }
  return {
    service: createRateGate({
      ...common,
      ...telling('service'),
      longestWaitMs: longestServiceWaitMs,
      waitGrowth: serviceWaitGrowth,
    }),
    page: createRateGate({ ...common, ...telling('page'), longestWaitMs: longestPageWaitMs }),
  }
}
