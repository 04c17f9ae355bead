import { addressKey } from '../text/canonical-url.ts'
import { bareName } from './document-name.ts'

/** A document of a sealed web, as its corpus manifest knows it. */
export interface WebMapEntry {
  readonly url: string
  /** The page that links to the document; null for none. */
  readonly landingUrl: string | null
  /** Of its bytes. */
  readonly sha256: string
  /** The name or id under which its owner knows the document. */
  readonly name: string
  /** The task document that this is; null for a distractor. */
  readonly hint: string | null
  /** The name of the document that this one only looks like; null for none. */
  readonly twinOf: string | null
}

/** What the sealed corpus says of addresses and bodies, ready for look-ups; addresses are canonical. */
export interface WebKnowledge {
  /** Where the task document is served. */
  addressesOf(document: { readonly hint: string; readonly sha256: string | null }): readonly string[]
  /** Where the document with that name or id is served, and its bytes; no address and null where there is none. */
  documentNamed(name: string): { readonly sha256: string | null; readonly addresses: readonly string[] }
  /** Landing pages that link to one of the addresses. */
  landingsOf(addresses: ReadonlySet<string>): readonly string[]
  /** Whether the corpus has a document with these bytes or at one of the addresses; false for landing pages. */
  isDocument(sha256: string, addresses: readonly string[]): boolean
  /** Whether these bytes are a look-alike. */
  isTwin(sha256: string): boolean
}

/** Reads a corpus's entries; made once for a corpus and kept as long as the list of its entries. */
export function readWebMap(entries: readonly WebMapEntry[]): WebKnowledge {
  const known = maps.get(entries) ?? indexEntries(entries)
  maps.set(entries, known)
  return known
}

const maps = new WeakMap<readonly WebMapEntry[], WebKnowledge>()

function indexEntries(entries: readonly WebMapEntry[]): WebKnowledge {
  const hashes = new Set(entries.map(entry => entry.sha256))
  const addresses = new Set(entries.map(entry => addressKey(entry.url)))
  const originals = entries.filter(entry => entry.twinOf === null)
  const originalHashes = new Set(originals.map(entry => entry.sha256))
  const twins = new Set(entries.filter(entry => entry.twinOf !== null).map(entry => entry.sha256))
  const landings = entries.flatMap(entry =>
    entry.landingUrl === null
      ? []
      : [{ page: addressKey(entry.landingUrl), document: addressKey(entry.url) }],
  )
  let named: Map<string, WebMapEntry> | null = null
  return {
    documentNamed: name => {
      named ??= new Map(originals.map(entry => [bareName(entry.name), entry]))
      const entry = named.get(bareName(name))
      return entry === undefined
        ? { sha256: null, addresses: [] }
        : { sha256: entry.sha256, addresses: [addressKey(entry.url)] }
    },
    addressesOf: ({ hint, sha256 }) =>
      originals
        .filter(entry => entry.sha256 === sha256 || entry.hint === hint)
        .map(entry => addressKey(entry.url)),
    landingsOf: wanted => landings.filter(({ document }) => wanted.has(document)).map(({ page }) => page),
    isDocument: (sha256, at) => hashes.has(sha256) || at.some(address => addresses.has(address)),
    isTwin: sha256 => twins.has(sha256) && !originalHashes.has(sha256),
  }
}
