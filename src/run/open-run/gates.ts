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
export interface GateOptions {
  readonly concurrency: number
  /** Milliseconds between two requests to one host. */
  readonly hostInterval: number
  readonly seed: number
}

/** What several processes that use the same services share. */
export interface SharedLimits {
  /** Tells the other processes that a service refused a request, so that they wait too. */
  announce(gate: keyof Gates, service: string, by: ProviderError, waitMs: number): void
  /** Reserves the start of a request to a host, and returns the milliseconds to wait for it. */
  reserveStart(host: string, intervalMs: number): Promise<number>
}

/**
 * Opens the rate gates of a run.
 *
 * @param shared the limits that other processes share; undefined for a run in one process
 */
export function openGates(options: GateOptions, shared?: SharedLimits, clock: Clock = systemClock): Gates {
  const reporting = (gate: keyof Gates): Partial<RateGateOptions> =>
    shared === undefined ? {} : { refused: (...refusal) => shared.announce(gate, ...refusal) }
  return {
    service: openGate(options, clock, {
      ...reporting('service'),
      longestWaitMs: longestServiceWaitMs,
      waitGrowth: serviceWaitGrowth,
    }),
    page: openPageGate(options, clock, {
      ...reporting('page'),
      ...(shared === undefined ? {} : { reserveStart: shared.reserveStart }),
    }),
  }
}

/** Opens the gate of web pages alone, for tools outside a run. */
export function openPageGate(
  options: GateOptions,
  clock: Clock = systemClock,
  shared: Partial<RateGateOptions> = {},
): RateGate {
  return openGate(options, clock, {
    ...shared,
    longestWaitMs: longestPageWaitMs,
    mostPerService: mostPerHost,
    intervalMs: options.hostInterval,
  })
}

/** An attempt makes one model request at a time, but may run several searches and fetches concurrently. */
function openGate(
  { concurrency, seed }: GateOptions,
  clock: Clock,
  limits: Omit<RateGateOptions, 'clock' | 'most' | 'random'>,
): RateGate {
  return createRateGate({ ...limits, clock, random: seededRandom(seed), most: concurrency })
}
