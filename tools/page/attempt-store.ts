import type { DocumentText } from '../../src/core/document.ts'
import type { PageBody } from './body-type.ts'
import type { ReadPage } from './page-reader.ts'
import type { PageRenderer } from './renderer.ts'

/** What one attempt has downloaded and read so far, shared by its tools, so that nothing is fetched or read twice. */
export interface AttemptStore {
  /** By URL without fragment. Failures do not stay. */
  readonly bodies: Map<string, Promise<PageBody>>
  /** By SHA-256 of the bytes. */
  readonly documents: Map<string, Promise<DocumentText>>
  /** By SHA-256 of the bytes and final URL. */
  readonly pages: Map<string, Promise<ReadPage>>
}

const stores = new WeakMap<object, AttemptStore>()

/** The store of the attempt whose environment this is. */
export function storeOf(environment: object): AttemptStore {
  const known = stores.get(environment)
  if (known !== undefined) return known
  const store = { bodies: new Map(), documents: new Map(), pages: new Map() }
  stores.set(environment, store)
  return store
}

/** Lets a second environment of the same attempt (one that also records its events) share the first one's store. */
export function shareStore(from: object, to: object): void {
  stores.set(to, storeOf(from))
}

/** The value under a key, made once; a failure is forgotten, so that it can be tried again. */
export async function once<T>(map: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = map.get(key)
  if (known !== undefined) return await known
  const made = make()
  map.set(key, made)
  try {
    return await made
  } catch (error) {
    map.delete(key)
    throw error
  }
}

/** Gives back what an attempt's tools hold beyond memory: its pages in the browser. To be called when it has ended. */
export async function releaseStore(environment: { readonly renderer?: PageRenderer | null }): Promise<void> {
  const store = stores.get(environment)
  stores.delete(environment)
  if (store !== undefined) await environment.renderer?.release(store)
}
