import type { DocumentText } from '../../src/core/document.ts'
import type { PageBody } from './body-type.ts'
import type { ReadPage } from './page-reader.ts'
import type { PageRenderer } from './renderer.ts'

/** What one attempt has downloaded and read so far. Its tools share it, so that nothing is fetched or read twice. */
export interface AttemptStore {
  /** By URL without fragment. Failures are removed. */
  readonly bodies: Map<string, Promise<PageBody>>
  /** By SHA-256 of the bytes. */
  readonly documents: Map<string, Promise<DocumentText>>
  /** By SHA-256 of the bytes and final URL. */
  readonly pages: Map<string, Promise<ReadPage>>
}

const stores = new WeakMap<object, AttemptStore>()

/** Returns the store of the attempt that owns this environment. */
export function findAttemptStore(environment: object): AttemptStore {
  const existing = stores.get(environment)
  if (existing !== undefined) return existing
  const store = { bodies: new Map(), documents: new Map(), pages: new Map() }
  stores.set(environment, store)
  return store
}

/**
 * Lets a second environment of the same attempt use the first one's store, for example one that also records
 * events.
 */
export function shareStore(from: object, to: object): void {
  stores.set(to, findAttemptStore(from))
}

/** Returns the value under a key and computes it once. A failure is removed, so that the next call tries again. */
export async function computeOnce<T>(
  map: Map<string, Promise<T>>,
  key: string,
  make: () => Promise<T>,
): Promise<T> {
  const pending = map.get(key)
  if (pending !== undefined) return await pending
  const value = make()
  map.set(key, value)
  try {
    return await value
  } catch (error) {
    map.delete(key)
    throw error
  }
}

/**
 * Releases what an attempt's tools hold outside this store, such as its pages in the browser. Call it when the
 * attempt has ended.
 */
export async function releaseStore(environment: { readonly renderer?: PageRenderer | null }): Promise<void> {
  const store = stores.get(environment)
  stores.delete(environment)
  if (store !== undefined) await environment.renderer?.release(store)
}
