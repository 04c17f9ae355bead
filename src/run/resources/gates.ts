import type { RunConfig } from '../../config.ts'
import type { ProviderError } from '../../core/errors.ts'
import { type Clock, seededRandom, systemClock } from '../../core/runtime.ts'
import { createRateGate, type RateGate, type RateGateOptions } from '../../system/rate-gate.ts'

/** The rate gates at which a run's requests wait for services that refuse them. */
export interface Gates {
  /** Models and search services. */
  readonly service: RateGate
  /** Web pages, by host. */
  readonly page: RateGate
}

/** A quota may take minutes to refill, and asking earlier would use up the retries of every attempt. */
const longestServiceWaitMs = 15 * 60_000
/**
 * Most services limit requests per minute, and many name no waiting time. With this growth the tries of an
 * attempt wait 0.5, 2.5, 12.5 and 60 s. Together this is more than a minute, but short for services that
 * limit requests per second.
 */
const serviceWaitGrowth = 5
/** An agent can read another page instead of waiting longer. */
const longestPageWaitMs = 10_000

/** As many requests as browsers send to a host at a time, or fewer. */
const mostPerHost = 4

/** The options that limit how many requests run at a time. */
export type GateOptions = Pick<RunConfig, 'concurrency' | 'hostInterval' | 'seed'>

/**
 * Opens the rate gates of a run.
 *
 * @param refused called at each refusal, so that other processes that use the same services can wait too
 */
export function openGates(
  options: GateOptions,
  refused?: (gate: keyof Gates, service: string, by: ProviderError, waitMs: number) => void,
  clock: Clock = systemClock,
): Gates {
  const reporting = (gate: keyof Gates): Pick<RateGateOptions, 'refused'> =>
    refused === undefined ? {} : { refused: (...refusal) => refused(gate, ...refusal) }
  return {
    service: createRateGate({
      ...commonOf(options, clock),
      ...reporting('service'),
      longestWaitMs: longestServiceWaitMs,
      waitGrowth: serviceWaitGrowth,
    }),
    page: openPageGate(options, clock, reporting('page')),
  }
}

/** Opens the gate of web pages alone, for tools outside a run. */
export function openPageGate(
  options: GateOptions,
  clock: Clock = systemClock,
  reporting: Pick<RateGateOptions, 'refused'> = {},
): RateGate {
  return createRateGate({
    ...commonOf(options, clock),
    ...reporting,
    longestWaitMs: longestPageWaitMs,
    mostPerService: mostPerHost,
    intervalMs: options.hostInterval,
  })
}

/** An attempt makes one model request at a time, but may run several searches and fetches concurrently. */
function commonOf(
  { concurrency, seed }: GateOptions,
  clock: Clock,
): Pick<RateGateOptions, 'clock' | 'most' | 'random'> {
  return { clock, random: seededRandom(seed), most: concurrency }
}
