import { hostname } from 'node:os'
import type { Redis } from 'ioredis'
import { z } from 'zod/v4'
import { ProviderError } from '../../core/errors.ts'
import type { Gates, SharedLimits } from '../open-run/gates.ts'
import type { RedisLink } from './redis.ts'

/**
 * Shares the pauses that services ask for: when a service tells one worker to wait, all workers wait. All workers together
 * also keep the interval between two requests to the same host.
 */
export interface SharedPauses extends SharedLimits {
  /**
   * Applies the pauses of other workers to gates, also those that were announced before.
   *
   * @returns a function that ends this
   */
  heed(gates: Gates): Promise<() => void>
}

const channel = 'tablehunt:pauses'
const keyPrefix = 'tablehunt:pause:'
const startPrefix = 'tablehunt:start:'

/** Reserves the next start for a host, by the clock of Redis. KEYS: the host's next start. ARGV: the interval in ms. */
const reserveScript = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local start = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '0'))
local free = start + tonumber(ARGV[1])
redis.call('SET', KEYS[1], string.format('%d', free), 'PX', free - now + 1000)
return start - now
`

const pauseSchema = z.object({
  from: z.string(),
  gate: z.enum(['service', 'page']),
  service: z.string(),
  waitMs: z.number(),
  reason: z.enum(['rate-limited', 'unavailable']).catch('rate-limited'),
  message: z.string(),
})
type Pause = z.infer<typeof pauseSchema>

/** Opens the shared pauses of a worker. */
export function sharePauses(link: RedisLink, workerId: string): SharedPauses {
  const heeding = new Set<Gates>()
  const hear = (text: string, leftMs: number | null): void => {
    const pause = pauseSchema.parse(JSON.parse(text))
    if (pause.from === workerId) return
    for (const gates of heeding) apply(gates, pause, leftMs ?? pause.waitMs)
  }
  const listener = link.another()
  listener.on('message', (_channel, text) => hear(text, null))
  // The client subscribes again whenever Redis is back.
  void listener.subscribe(channel).catch(() => undefined)
  return {
    announce(gate, service, by, waitMs) {
      const name = nameFor(service)
      const pause = { from: workerId, gate, service: name, waitMs, reason: by.reason, message: by.message }
      const text = JSON.stringify(pause)
      link.client
        .multi()
        .set(`${keyPrefix}${gate}:${name}`, text, 'PX', Math.max(1, Math.round(waitMs)))
        .publish(channel, text)
        .exec()
        // Rejects when the worker ends and closes the connection.
        .catch(() => undefined)
    },
    reserveStart: async (host, intervalMs) =>
      Number(
        await link.client.eval(reserveScript, 1, `${startPrefix}${nameFor(host)}`, Math.ceil(intervalMs)),
      ),
    async heed(gates) {
      heeding.add(gates)
      for (const [text, leftMs] of await readStanding(link.client)) hear(text, leftMs)
      return () => void heeding.delete(gates)
    },
  }
}

function apply(gates: Gates, pause: Pause, waitMs: number): void {
  const service = readOwnName(pause.service)
  if (service === null) return
  const by = new ProviderError(pause.reason, pause.message, { retryable: true, retryAfterMs: waitMs })
  gates[pause.gate].pauseService(service, by, waitMs)
}

/** Reads the pauses that were announced before, with their remaining time. */
async function readStanding(redis: Redis): Promise<[string, number][]> {
  const pauses: [string, number][] = []
  let cursor = '0'
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', `${keyPrefix}*`, 'COUNT', 500)
    for (const key of keys) {
      const [text, leftMs] = await Promise.all([redis.get(key), redis.pttl(key)])
      if (text !== null && leftMs > 0) pauses.push([text, leftMs])
    }
    cursor = next
  } while (cursor !== '0')
  return pauses
}

const here = ` on ${hostname()}`

/** Returns the shared name of a service. A server on localhost gets the name of this machine. */
function nameFor(service: string): string {
  return /(^|\s)(localhost|127\.|\[::1\])/.test(service) ? `${service}${here}` : service
}

/** Returns this machine's name of a service; null for a server on another machine's localhost. */
function readOwnName(name: string): string | null {
  if (name.endsWith(here)) return name.slice(0, -here.length)
  return nameFor(name) === name ? name : null
}
