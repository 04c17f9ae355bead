import { groupBy } from '../core/group-by.ts'
import { writeAddressKey } from '../text/canonical-url.ts'
import { normaliseDocumentName } from './document-name.ts'

/** A document of a sealed web, from the manifest of its corpus. */
export interface WebMapEntry {
  readonly url: string
  /** The page that links to the document; null when there is none. */
  readonly landingUrl: string | null
  /** Hash of its bytes. */
  readonly sha256: string
  /** The name or id by which its owner knows the document. */
  readonly name: string
  /** The name of the task document that this is; null for a distractor. */
  readonly hint: string | null
  /** The name of the document that this look-alike imitates; null when it is not a look-alike. */
  readonly twinOf: string | null
}

/** Look-ups in the manifest of a sealed corpus. Addresses are canonical. */
export interface WebIndex {
  /** The addresses at which the task document is served. */
  addressesOf(document: { readonly hint: string; readonly sha256: string | null }): readonly string[]
  /** The address and hash of the document with that name or id; empty and null when the corpus has none. */
  documentNamed(name: string): { readonly sha256: string | null; readonly addresses: readonly string[] }
  /** The name or id of the document at an address or behind a landing page; null when there is none. */
  nameAt(address: string): string | null
  /** The landing pages that link to one of the addresses. */
  landingsOf(addresses: ReadonlySet<string>): readonly string[]
  /** Whether the corpus has a document with these bytes or at one of the addresses; false for landing pages. */
  isDocument(sha256: string, addresses: readonly string[]): boolean
  /** Whether these bytes are a look-alike of a document. */
  isTwin(sha256: string): boolean
}

/** Indexes the entries of a corpus, once for each list of entries. */
export function readWebMap(entries: readonly WebMapEntry[]): WebIndex {
  const webMap = maps.get(entries) ?? indexEntries(entries)
  maps.set(entries, webMap)
  return webMap
}

const maps = new WeakMap<readonly WebMapEntry[], WebIndex>()

function indexEntries(entries: readonly WebMapEntry[]): WebIndex {
  const hashes = new Set(entries.map(entry => entry.sha256))
  const addresses = new Set(entries.map(entry => writeAddressKey(entry.url)))
  const originals = entries.filter(entry => entry.twinOf === null)
  const originalHashes = new Set(originals.map(entry => entry.sha256))
  const twins = new Set(entries.filter(entry => entry.twinOf !== null).map(entry => entry.sha256))
  const landings = entries.flatMap(entry =>
    entry.landingUrl === null
      ? []
      : [{ page: writeAddressKey(entry.landingUrl), document: writeAddressKey(entry.url) }],
  )
  const byHash = groupBy(originals, entry => entry.sha256)
  const byHint = groupBy(originals, entry => entry.hint)
  let named: Map<string, WebMapEntry> | null = null
  let names: Map<string, string> | null = null
  return {
    nameAt: address => {
      names ??= mapNames(entries)
      return names.get(address) ?? null
    },
    documentNamed: name => {
      named ??= new Map([
        ...originals.map(entry => [normaliseDocumentName(entry.name), entry] as const),
        ...originals.map(entry => [entry.name, entry] as const),
      ])
      const entry = named.get(name) ?? named.get(normaliseDocumentName(name))
      return entry === undefined
        ? { sha256: null, addresses: [] }
        : { sha256: entry.sha256, addresses: [writeAddressKey(entry.url)] }
    },
    addressesOf: ({ hint, sha256 }) =>
      [
        ...new Set([...((sha256 === null ? null : byHash.get(sha256)) ?? []), ...(byHint.get(hint) ?? [])]),
      ].map(entry => writeAddressKey(entry.url)),
    landingsOf: documents =>
      landings.filter(({ document }) => documents.has(document)).map(({ page }) => page),
    isDocument: (sha256, at) => hashes.has(sha256) || at.some(address => addresses.has(address)),
    isTwin: sha256 => twins.has(sha256) && !originalHashes.has(sha256),
  }
}

function mapNames(entries: readonly WebMapEntry[]): Map<string, string> {
  return new Map(
    entries.flatMap(({ url, landingUrl, name }) =>
      [url, landingUrl].flatMap(address =>
        address === null ? [] : [[writeAddressKey(address), name] as const],
      ),
    ),
  )
}
