import { Agent, type IncomingMessage, request } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import { text } from 'node:stream/consumers'
import { ChromaClient, ChromaClientError, ChromaConnectionError, type Collection } from 'chromadb'
import { parseJsonOrNull } from '../../src/text/json.ts'

/** The address of a Chroma server. */
export interface ChromaAddress {
  readonly host: string
  readonly port: number
  readonly ssl?: boolean
}

/** A record that a query found. */
export interface NearestRecord {
  readonly id: string
  /** Null unless vectors were wanted. */
  readonly vector: readonly number[] | null
}

/** The members of Chroma's answer to a query that are read, one list for each query. */
interface QueryAnswer {
  readonly ids?: readonly (readonly string[])[]
  readonly embeddings?: readonly (readonly (readonly number[])[])[] | null
}

/** The new records of a collection, as LangChain's store writes them. */
type Records = Parameters<Collection['upsert']>[0]

/**
 * A client of Chroma that sends vectors and queries by itself, over connections that stay open. The client of the
 * package needs seven times the processor time to write vectors, and three times to ask a query.
 */
export class VectorClient extends ChromaClient {
  readonly #post: (path: string, body: unknown) => Promise<unknown>

  constructor(address: ChromaAddress) {
    super(address)
    this.#post = createPoster(address)
  }

  override async getOrCreateCollection(
    options: Parameters<ChromaClient['getOrCreateCollection']>[0],
  ): Promise<Collection> {
    const stored = await super.getOrCreateCollection(options)
    const upsert = async (records: Records): Promise<void> => await this.#upsert(stored, records)
    return Object.assign(Object.create(stored) as Collection, { upsert })
  }

  async #upsert(collection: Collection, { embeddings = [], ...records }: Records): Promise<void> {
    const asBytes = await this.supportsBase64Encoding()
    const body = {
      ...records,
      embeddings: embeddings.map(vector => (asBytes ? encodeBase64(vector) : Array.from(vector))),
    }
    await this.#post(this.#collectionPath(collection, 'upsert'), body)
  }

  /** Returns the `k` nearest records, nearest first as far as the index knows, with their vectors if they are wanted. */
  async nearest(
    collection: Collection,
    query: Float32Array,
    k: number,
    withVectors: boolean,
  ): Promise<NearestRecord[]> {
    const include = withVectors ? ['embeddings'] : []
    const body = { query_embeddings: [Array.from(query)], n_results: k, include }
    const answer = (await this.#post(this.#collectionPath(collection, 'query'), body)) as QueryAnswer | null
    const ids = answer?.ids?.[0]
    if (ids === undefined) throw new ChromaClientError('the answer to a query has no ids')
    const vectors = answer?.embeddings?.[0] ?? []
    return ids.map((id, at) => ({ id, vector: vectors[at] ?? null }))
  }

  #collectionPath({ id }: Collection, operation: string): string {
    return `/api/v2/tenants/${this.tenant}/databases/${this.database}/collections/${id}/${operation}`
  }
}

/** Returns the bytes of a vector as 32-bit numbers, in base64. */
function encodeBase64(vector: ArrayLike<number>): string {
  const { buffer, byteOffset, byteLength } =
    vector instanceof Float32Array ? vector : Float32Array.from(vector)
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
}

const answerTimeoutMs = 300_000
/** A connection without a request is closed before the servers and proxies that are in use close it. */
const idleTimeoutMs = 4_000

/** Returns a function that posts JSON to a server and returns its answer. */
function createPoster({ host, port, ssl = false }: ChromaAddress) {
  const agent = new (ssl ? SecureAgent : Agent)({ keepAlive: true, timeout: idleTimeoutMs })
  const open = ssl ? secureRequest : request
  const headers = { 'content-type': 'application/json' }
  // A URL has an IPv6 address in brackets, a request without.
  const bareHost = host.replace(/^\[|\]$/g, '')
  const send = (path: string, body: Buffer) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const options = { agent, host: bareHost, port, path, method: 'POST', headers }
      const sent = open(options, resolve).on('error', reject)
      const late = new Error(`no answer within ${answerTimeoutMs / 1000} s`)
      sent.setTimeout(answerTimeoutMs, () => sent.destroy(late)).end(body)
    })
  return async (path: string, body: unknown): Promise<unknown> => {
    try {
      const answer = await send(path, Buffer.from(JSON.stringify(body)))
      return readAnswer(answer.statusCode ?? 0, await text(answer))
    } catch (error) {
      if (error instanceof ChromaClientError || error instanceof ChromaConnectionError) throw error
      throw new ChromaConnectionError(`Failed to connect to Chroma: ${String(error)}`, error)
    }
  }
}

/** @throws the errors of the package's client: ChromaClientError for a refused request, otherwise ChromaConnectionError */
function readAnswer(status: number, body: string): unknown {
  if (status < 300) return parseJsonOrNull(body)
  const { message } = (parseJsonOrNull(body) ?? {}) as { message?: unknown }
  const problem = `HTTP ${status}${typeof message === 'string' ? `: ${message}` : ''}`
  if (status >= 400 && status < 500) throw new ChromaClientError(problem)
  throw new ChromaConnectionError(`Chroma failed (${problem})`)
}
