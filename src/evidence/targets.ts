import type { Evidence } from '../core/task.ts'
import { addressKey } from '../text/canonical-url.ts'
import { readWebMap, type WebMapEntry } from './web-map.ts'

/** One thing that discovery looks for. */
export interface DiscoveryTarget {
  /** The document's name, the page's address or the document's id, as the task's evidence has it. */
  readonly hint: string
  /** Null where it is not known, as for what could not be read. */
  readonly sha256: string | null
  /** '' where it is not known. */
  readonly text: string
  /** Where it is, as `addressKey` writes addresses, if it is known by its address. Absent: it is known by its content. */
  readonly addresses?: readonly string[]
}

/**
 * What discovery looks for, in the order of the evidence; null where it is not known.
 *
 * @param documents the task's documents; null: they are not at hand
 * @param webMap the entries of a sealed corpus; null on any other web, where no document has an id
 */
export function discoveryTargets(
  evidence: Evidence | null,
  documents: readonly DiscoveryTarget[] | null,
  webMap: readonly WebMapEntry[] | null,
): readonly DiscoveryTarget[] | null {
  if (evidence === null) return null
  switch (evidence.kind) {
    case 'documents':
      return documents === null ? null : namedTargets(evidence.names, documents)
    case 'urls':
      return evidence.urls.map(({ url }) => ({
        hint: url,
        sha256: null,
        text: '',
        addresses: [addressKey(url)],
      }))
    case 'judgements': {
      if (webMap === null) return null
      const web = readWebMap(webMap)
      return relevantIds(evidence).map(id => ({ hint: id, ...web.documentNamed(id), text: '' }))
    }
    default:
      return evidence satisfies never
  }
}

/** The names that an item's keys can name: of documents, or their ids. */
export function evidenceNames(evidence: Evidence): readonly string[] {
  if (evidence.kind === 'urls') return []
  return evidence.kind === 'documents' ? evidence.names : relevantIds(evidence)
}

function namedTargets(
  names: readonly string[],
  documents: readonly DiscoveryTarget[],
): readonly DiscoveryTarget[] {
  const byName = new Map(documents.map(document => [document.hint, document]))
  return names.map(hint => byName.get(hint) ?? { hint, sha256: null, text: '' })
}

function relevantIds({ judgements }: Extract<Evidence, { kind: 'judgements' }>): string[] {
  return judgements.filter(({ relevance }) => relevance > 0).map(({ documentId }) => documentId)
}
