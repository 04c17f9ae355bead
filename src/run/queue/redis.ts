import { Redis } from 'ioredis'
import { systemClock } from '../../core/runtime.ts'

/** A Redis that may go away and come back: commands sent meanwhile wait for it. */
export interface RedisLink {
  readonly client: Redis
  /** One more connection of the same kind, closed with this one. */
  another(): Redis
  /** As redisPlace gives it. */
  readonly place: string
  close(): void
}

const pingEveryMs = 3_000
const longestPingMs = 5_000
const longestReconnectMs = 1_000

/** `host:port` of a Redis address, with its database where it names one, without user and password. */
export function redisPlace(url: string): string {
  const { hostname, port, pathname } = new URL(url)
  return `${hostname}:${port === '' ? '6379' : port}${pathname === '/' ? '' : pathname}`
}

/**
 * Connects, now or as soon as there is a Redis, and again whenever it was gone. `tell` gets one line when Redis goes
 * and one when it is back; a Redis that is there but does not answer counts as gone.
 */
export function connectRedis(url: string, tell: (line: string) => void): RedisLink {
  const place = redisPlace(url)
  const opened: Redis[] = []
  const connect = (): Redis => {
    const client = new Redis(url, {
      // A command waits for Redis to come back, however long that takes.
      maxRetriesPerRequest: null,
      retryStrategy: tries => Math.min(50 * 2 ** Math.min(tries, 10), longestReconnectMs),
      reconnectOnError: () => false,
    })
    // Whether Redis answers is told below; without a listener the process would end.
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
    away: () => `Redis at ${place} does not answer${problem === null ? '' : ` (${problem})`}: waiting for it`,
    back: () => `Redis at ${place} answers again`,
  })
  return {
    client,
    another: connect,
    place,
    close() {
      stopWatching()
      for (const each of opened) each.disconnect()
    },
  }
}

/** Asks Redis every few seconds whether it is there; a command that waits for it is answered when it is back. */
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
    // Rejected only when the connection is closed for good.
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

export type RedisFinding = { readonly version: string } | { readonly problem: string }

const allRights = 'give that user all keys and commands (ACL SETUSER NAME ~* &* +@all)'
const untrusted = /CERT|UNABLE_TO_VERIFY/

/** What is wrong and its mend, for a Redis that refuses us or that we refuse: waiting does not help; null: it is another problem. */
export function refusalMessage(url: string, problem: string): string | null {
  const place = redisPlace(url)
  if (untrusted.test(problem))
    return `--queue: the certificate of Redis at ${place} is not trusted here (${problem}): name the file of its authority in NODE_EXTRA_CA_CERTS, and the host as the certificate does`
  const refuses = `--queue: Redis at ${place} refuses (${problem})`
  if (/^ERR DB index/.test(problem)) return `${refuses}: name a database that it has, such as HOST:PORT/0`
  if (problem.startsWith('NOPERM')) return `${refuses}: ${allRights}`
  if (!/^(?:WRONGPASS|NOAUTH)/.test(problem)) return null
  return `${refuses}: give its user and password as ${new URL(url).protocol}//USER:PASSWORD@HOST:PORT`
}

/** Where nothing answers as a Redis does: what is wrong and its mend. One side speaking TLS alone looks like silence or a closed door. */
export function unreachableMessage(url: string, problem: string): string {
  const silent = `--queue: no Redis answers at ${redisPlace(url)} (${problem})`
  const isTls = new URL(url).protocol === 'rediss:'
  if (isTls && !/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/.test(problem))
    return `${silent}: if it speaks no TLS, write redis://; else see that it runs, or leave --queue out`
  if (!isTls && problem === 'ECONNRESET')
    return `${silent}: if it speaks TLS, write rediss://; else see that it runs, or leave --queue out`
  return `${silent}: start one (redis-server), or leave --queue out`
}

/** Whether a failure is what a Redis says that answers and takes no command for a while. */
export function isRefusal(problem: string): boolean {
  return /^(?:OOM|MISCONF|READONLY|LOADING|NOREPLICAS|MASTERDOWN|CLUSTERDOWN|BUSY)\b/.test(problem)
}

/** The mend of a Redis that answers and does not take what is written. */
export function writeFix(problem: string): string {
  if (problem.startsWith('READONLY')) return 'name the primary that it is a replica of'
  if (problem.startsWith('NOPERM')) return allRights
  return 'see to it (memory: maxmemory)'
}

/** Asks the Redis at an address which version it is; the problem where none answers in that time. */
export async function findRedis(url: string, withinMs: number): Promise<RedisFinding> {
  let last: string | null = null
  const client = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 200 })
  client.on('error', (error: NodeJS.ErrnoException) => {
    last = error.code ?? error.message
  })
  const enough = new AbortController()
  const tooLate = systemClock.sleep(withinMs, enough.signal).then(
    () => ({ problem: last ?? `no answer within ${withinMs / 1000} s` }),
    () => ({ problem: 'not waited for' }),
  )
  const { db = 0 } = client.options
  // Of a database that is not there the client says nothing, and goes on with the first one.
  const chosen = db === 0 ? Promise.resolve() : client.select(db)
  const answer = Promise.all([client.info('server'), chosen]).then(
    ([text]) => ({ version: /^redis_version:(.+)$/m.exec(text)?.[1]?.trim() ?? 'of unknown version' }),
    (error: Error) => ({ problem: error.message }),
  )
  try {
    return await Promise.race([answer, tooLate])
  } finally {
    enough.abort()
    client.disconnect()
  }
}
