import { ToolError } from '../../../src/core/errors.ts'
import { addressKey } from '../../../src/text/canonical-url.ts'
import { checkPageUrl } from '../address-guard.ts'
import { siteKey } from '../site-key.ts'
import type { CorpusRecord } from './records.ts'

/** The host of documents without a usable address of their own. */
export const madeHost = 'documents.corpus.example'

/**
 * Creates a function that returns the address at which a document is served: its own, or one made of its id when it has none,
 * when another document has the same, or when no page could be fetched there.
 */
export function createAddresses(): (record: Pick<CorpusRecord, 'docid' | 'url'>) => string {
  const taken = new Set<string>()
  return ({ docid, url }) => {
    const made = `https://${madeHost}/${encodeURIComponent(docid)}`
    if (url === null || !isFetchable(url)) return made
    const keys = [addressKey(url), siteKey(url, { withQuery: true })]
    if (keys.some(key => taken.has(key))) return made
    for (const key of keys) taken.add(key)
    const address = new URL(url)
    address.hash = ''
    return address.href
  }
}

function isFetchable(url: string): boolean {
  try {
    const { hostname, port } = checkPageUrl(url)
    return port === '' && hostname !== madeHost
  } catch (error) {
    if (error instanceof ToolError) return false
    throw error
  }
}
