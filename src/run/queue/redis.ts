import { Redis } from 'ioredis'
import { ConfigError } from '../../core/errors.ts'
import { systemClock } from '../../core/runtime.ts'

/** A connection to Redis. While Redis is unreachable, commands wait until it is back. */
export interface RedisLink {
  readonly client: Redis
  /** Opens another connection, which is closed with this one. */
  another(): Redis
  /** The host, port and database for messages (`formatRedisPlace`). */
  readonly place: string
  close(): void
}

const pingEveryMs = 3_000
const longestPingMs = 5_000
const longestReconnectMs = 1_000

/** Returns the `host:port` of a Redis address, with the database if it names one, without user and password. */
export function formatRedisPlace(url: string): string {
  const { hostname, port, pathname } = new URL(url)
  return `${hostname}:${port === '' ? '6379' : port}${pathname === '/' ? '' : pathname}`
}

/**
 * Connects to Redis and reconnects whenever the connection was lost.
 *
 * @param tell receives a line when Redis stops answering, and one when it answers again
 */
export function connectRedis(url: string, tell: (line: string) => void): RedisLink {
  const place = formatRedisPlace(url)
  const opened: Redis[] = []
  const connect = (): Redis => {
    const client = new Redis(url, {
      // A command waits without limit until Redis is back.
      maxRetriesPerRequest: null,
      retryStrategy: tries => Math.min(50 * 2 ** Math.min(tries, 10), longestReconnectMs),
      reconnectOnError: () => false,
    })
    // Without a listener an error would end the process. Outages are reported below.
    client.on('error', () => undefined)
    opened.push(client)
    return client
  }
  const client = connect()
  let problem: string | null = null
  client.on('error', (error: NodeJS.ErrnoException) => {
    problem = error.code ?? error.message
  })
  client.on('ready', () => {
    problem = null
  })
  const stopWatching = watchAnswers(client, tell, {
    away: () => `Redis at ${place} does not answer${problem === null ? '' : ` (${problem})`}; waiting for it`,
    back: () => `Redis at ${place} answers again`,
  })
  return {
    client,
    another: connect,
    place,
    close() {
      stopWatching()
      for (const connection of opened) connection.disconnect()
    },
  }
}

/** Pings Redis every few seconds, and reports when it stops answering and when it answers again. */
function watchAnswers(
  client: Redis,
  tell: (line: string) => void,
  lines: { away(): string; back(): string },
): () => void {
  let away = false
  let late: NodeJS.Timeout | undefined
  let next: NodeJS.Timeout | undefined
  let stopped = false
  const ask = async (): Promise<void> => {
    late = setTimeout(() => {
      away = true
      tell(lines.away())
    }, longestPingMs)
    // Rejects only when the connection was closed on purpose.
    const answered = await client.ping().then(
      () => true,
      () => false,
    )
    clearTimeout(late)
    if (stopped) return
    if (answered && away) tell(lines.back())
    away = !answered && away
    next = setTimeout(ask, pingEveryMs)
  }
  void ask()
  return () => {
    stopped = true
    clearTimeout(late)
    clearTimeout(next)
  }
}

/** The version of a Redis server, or why none answers. */
export type RedisProbe = { readonly version: string } | { readonly problem: string }

const allRights = 'Give that user all keys and commands (ACL SETUSER NAME ~* &* +@all)'
const untrusted = /CERT|UNABLE_TO_VERIFY/

/**
 * Returns what is wrong and how to fix it, when Redis refuses the connection or its certificate is not trusted. Returns
 * null for problems that may pass.
 */
export function writeRefusalMessage(url: string, problem: string): string | null {
  const place = formatRedisPlace(url)
  if (untrusted.test(problem))
    return `--queue: the certificate of Redis at ${place} is not trusted (${problem}). Name the file of its certificate authority in NODE_EXTRA_CA_CERTS, and use the host name of the certificate.`
  const refuses = `--queue: Redis at ${place} refuses the connection (${problem})`
  if (problem === clusterProblem)
    return `--queue: Redis at ${place} runs in cluster mode, which is not supported. Name a single server.`
  if (/^ERR DB index/.test(problem)) return `${refuses}. Name an existing database, such as HOST:PORT/0.`
  if (problem.startsWith('NOPERM')) return `${refuses}. ${allRights}.`
  if (!/^(?:WRONGPASS|NOAUTH)/.test(problem)) return null
  return `${refuses}. Give user and password: ${new URL(url).protocol}//USER:PASSWORD@HOST:PORT.`
}

/**
 * Returns what is wrong and how to fix it when no Redis answers. A server with TLS and a client without it, or the other
 * way round, look like a server that is silent or closes the connection.
 */
export function writeUnreachableMessage(url: string, problem: string): string {
  const silent = `--queue: no Redis answers at ${formatRedisPlace(url)} (${problem})`
  const isTls = new URL(url).protocol === 'rediss:'
  if (isTls && !/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/.test(problem))
    return `${silent}. If the server does not use TLS, write redis://. Otherwise check that it runs, or leave --queue out.`
  if (!isTls && problem === 'ECONNRESET')
    return `${silent}. If the server uses TLS, write rediss://. Otherwise check that it runs, or leave --queue out.`
  return `${silent}. Start one (redis-server), or leave --queue out.`
}

/** Returns the error for a Redis that does not answer or refuses the connection. Code: `queue-unavailable`. */
export function queueError(url: string, problem: string): ConfigError {
  return new ConfigError(writeRefusalMessage(url, problem) ?? writeUnreachableMessage(url, problem), {
    code: 'queue-unavailable',
  })
}

/** What a probe finds when the server is a node of a cluster, whose scripts and pipelines cannot use several slots. */
const clusterProblem = 'it runs in cluster mode'

/**
 * Returns a line about a Redis that removes keys when its memory is full. Null when it refuses writes instead, and when it
 * does not say.
 */
export async function readEvictionNotice({ client, place }: RedisLink): Promise<string | null> {
  const memory = await client.info('memory').catch(() => '')
  const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1] ?? 'noeviction'
  if (policy === 'noeviction') return null
  return `Redis at ${place} may remove parts of a run when its memory is full (maxmemory-policy ${policy}). Set maxmemory-policy noeviction`
}

/** Whether Redis sent this message because it answers but accepts no command for a while. */
export function isRefusal(problem: string): boolean {
  return /^(?:OOM|MISCONF|READONLY|LOADING|NOREPLICAS|MASTERDOWN|CLUSTERDOWN|BUSY)\b/.test(problem)
}

/** Returns how to fix a Redis that answers and refuses writes. */
export function fixForRefusedWrites(problem: string): string {
  if (problem.startsWith('READONLY')) return 'Name its primary server, because this one is a replica'
  if (problem.startsWith('NOPERM')) return allRights
  return 'Check its memory (maxmemory) and its log'
}

/** Asks a Redis for its version. Returns the problem when none answers in time. */
export async function probeRedis(url: string, withinMs: number): Promise<RedisProbe> {
  let last: string | null = null
  const client = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 200 })
  client.on('error', (error: NodeJS.ErrnoException) => {
    last = error.code ?? error.message
  })
  const enough = new AbortController()
  const tooLate = systemClock.sleep(withinMs, enough.signal).then(
    () => ({ problem: last ?? `no answer within ${withinMs / 1000} s` }),
    () => ({ problem: 'not awaited' }),
  )
  const { db = 0 } = client.options
  // The client silently uses the first database when the named one does not exist.
  const chosen = db === 0 ? Promise.resolve() : client.select(db)
  const answer = Promise.all([client.info('server'), chosen]).then(
    ([text]) =>
      /^redis_mode:cluster/m.test(text)
        ? { problem: clusterProblem }
        : { version: /^redis_version:(.+)$/m.exec(text)?.[1]?.trim() ?? 'of unknown version' },
    (error: Error) => ({ problem: error.message }),
  )
  try {
    return await Promise.race([answer, tooLate])
  } finally {
    enough.abort()
    client.disconnect()
  }
}
