import type { Evidence } from '../core/task.ts'
import { writeAddressKey } from '../text/canonical-url.ts'
import { readWebMap, type WebMapEntry } from './web-map.ts'

/** A document or page that discovery looks for. */
export interface DiscoveryTarget {
  /** The document's name or id, or the page's address, as in the task's evidence. */
  readonly hint: string
  /** Hash of the bytes; null when unknown, as for unreadable documents. */
  readonly sha256: string | null
  /** The whole text; '' when unknown. */
  readonly text: string
  /** Why a part of it could not be read. Absent or null when everything was read. */
  readonly problem?: string | null
  /** UTF-16 position in `text` at which each page begins. Absent when unknown, and when there is one page. */
  readonly pageStarts?: readonly number[]
  /**
   * Its addresses as `writeAddressKey` writes them, when it is recognised by address. Absent when it is recognised
   * by content.
   */
  readonly addresses?: readonly string[]
  /**
   * Addresses that are known to be its besides, in the log of another agent (`identifyDocuments`). Absent: none.
   */
  readonly alsoAt?: readonly string[]
  /** How relevant it was judged, from 1. Absent when nobody judged it. */
  readonly relevance?: number
}

/**
 * Lists what discovery looks for, in the order of the evidence; null when unknown.
 *
 * @param documents the task's documents; null when they are not available
 * @param webMap the entries of a sealed corpus; null on any other web, where documents have no ids
 */
export function listDiscoveryTargets(
  evidence: Evidence | null,
  documents: readonly DiscoveryTarget[] | null,
  webMap: readonly WebMapEntry[] | null,
): readonly DiscoveryTarget[] | null {
  if (evidence === null) return null
  switch (evidence.kind) {
    case 'documents':
      return documents === null ? null : listNamedTargets(evidence.names, documents)
    case 'urls':
      return evidence.urls.map(({ url, document }) => ({
        sha256: null,
        text: '',
        ...(document === undefined ? {} : documents?.find(({ hint }) => hint === document)),
        hint: url,
        addresses: [writeAddressKey(url)],
      }))
    case 'judgements': {
      if (webMap === null) return null
      const web = readWebMap(webMap)
      return listRelevant(evidence).map(({ documentId: hint, relevance }) => ({
        hint,
        relevance,
        text: '',
        ...web.documentNamed(hint),
      }))
    }
    default:
      return evidence satisfies never
  }
}

/** The document names or ids that an item's keys can name. */
export function listEvidenceNames(evidence: Evidence): readonly string[] {
  if (evidence.kind === 'urls') return []
  return evidence.kind === 'documents'
    ? evidence.names
    : listRelevant(evidence).map(({ documentId }) => documentId)
}

function listNamedTargets(
  names: readonly string[],
  documents: readonly DiscoveryTarget[],
): readonly DiscoveryTarget[] {
  const byName = new Map(documents.map(document => [document.hint, document]))
  return names.map(hint => byName.get(hint) ?? { hint, sha256: null, text: '' })
}

type Judgements = Extract<Evidence, { kind: 'judgements' }>

function listRelevant({ judgements }: Judgements): Judgements['judgements'] {
  return judgements.filter(({ relevance }) => relevance > 0)
}
