import { listGoldGroups } from '../../../tasks/kinds/answer-kinds.ts'
import type { CorpusEntry } from '../../../tools/web/corpus.ts'
import type { ContextDocument } from '../../core/document.ts'
import type { Task } from '../../core/task.ts'
import type { DocumentComparer } from '../../evidence/fingerprint.ts'
import { findRevealedGold, type RevealedGold } from '../../evidence/revealed-gold.ts'
import { listDiscoveryTargets } from '../../evidence/targets.ts'
import type { TextIndexes } from '../../evidence/text-index.ts'
import { readWebMap } from '../../evidence/web-map.ts'
import { writeAddressKey } from '../../text/canonical-url.ts'
import type { ObservedResult } from './watch.ts'

/** What a scan for leaks needs to know of a task and its run. */
export interface LeakScan {
  readonly task: Task
  /** The task's documents; null when the run does not have them. */
  readonly documents: readonly ContextDocument[] | null
  /** The documents of a sealed web and their addresses; null on any other web. */
  readonly entries: readonly CorpusEntry[] | null
  readonly comparer: DocumentComparer
  readonly indexes: TextIndexes
  /** Returns a text of the run's blobs by its hash. */
  textOf(hash: string): string
}

/** Gold rows that a tool's result contained. */
export interface CanaryLeak {
  readonly step: number
  readonly url: string | null
  readonly detail: string
}

/** One part of a tool's result: a search hit, a page, or the whole result. */
interface ShownExcerpt {
  readonly url: string | null
  readonly text: string
  /** The document that it is part of, with its hash and that of its text; null when unknown. */
  readonly body: { readonly sha256: string; readonly textSha256: string | null } | null
}

/**
 * Finds gold rows that tools showed to an agent from other sources than its task's evidence. Evidence documents are
 * recognised by content: the same bytes, a text that contains theirs (a mirror), or a part of theirs (a snippet). Evidence
 * pages are recognised by address.
 *
 * When neither the documents nor their addresses are known, a result counts only if it contains at least two
 * gold rows. One row may come from a legitimate document. When the evidence is unknown, the scan finds
 * nothing.
 */
export function scanForGold(toolResults: readonly ObservedResult[], scan: LeakScan): CanaryLeak[] {
  if (scan.task.evidence === null) return []
  const groups = listGoldGroups(scan.task.gold)
  const addresses = listEvidenceAddresses(scan)
  const least = scan.documents === null && addresses.size === 0 ? 2 : 1
  // The same results occur in many searches.
  const revealedByText = new Map<string, readonly RevealedGold[]>()
  return toolResults.flatMap(event =>
    listShownExcerpts(event, scan).flatMap(shown => {
      const rows = revealedByText.get(shown.text) ?? findRevealedGold(shown.text, groups, scan.indexes)
      revealedByText.set(shown.text, rows)
      if (rows.length < least || isTasksOwn(shown, scan, addresses)) return []
      return [{ step: event.step, url: shown.url, detail: describeRows(rows) }]
    }),
  )
}

function describeRows(rows: readonly RevealedGold[]): string {
  const [first] = rows
  const more = rows.length > 1 ? ` and of ${rows.length - 1} more rows` : ''
  return `gold row ${(first?.goldRow ?? 0) + 1}: ${first?.columns.join(', ')}${more}`
}

function listShownExcerpts(event: ObservedResult, scan: LeakScan): ShownExcerpt[] {
  const whole = 'text' in event.text ? event.text.text : scan.textOf(event.text.blob)
  const bodies = event.observations.filter(observation => observation.kind === 'body')
  const hits = event.observations
    .filter(observation => observation.kind === 'hits')
    .flatMap(({ hits }) => hits)
  if (bodies.length === 0 && hits.length === 0) return [{ url: null, text: whole, body: null }]
  return [
    ...hits.map(({ url, title, snippet }) => ({ url, text: `${title}\n${snippet}`, body: null })),
    ...bodies.map(({ finalUrl, sha256, textSha256 }) => ({
      url: finalUrl,
      text: whole,
      body: { sha256, textSha256 },
    })),
  ]
}

function listEvidenceAddresses({ task, documents, entries }: LeakScan): ReadonlySet<string> {
  const targets = listDiscoveryTargets(task.evidence, documents, entries) ?? []
  return new Set(targets.flatMap(({ addresses = [] }) => addresses))
}

function isTasksOwn(
  { url, text, body }: ShownExcerpt,
  scan: LeakScan,
  addresses: ReadonlySet<string>,
): boolean {
  const { comparer, entries } = scan
  if (url !== null && addresses.has(writeAddressKey(url))) return true
  if (entries !== null && standsForDocument(url, body?.sha256 ?? null, entries, scan.task)) return true
  const bodyText = body === null ? null : body.textSha256 === null ? '' : scan.textOf(body.textSha256)
  // The first line of a search result is a title, which is not an excerpt of the document.
  const snippet = text.slice(text.indexOf('\n') + 1)
  return (scan.documents ?? []).some(
    document =>
      (body !== null && body.sha256 === document.sha256) ||
      (bodyText !== null && comparer.contains(bodyText, document.text)) ||
      comparer.contains(document.text, bodyText ?? text) ||
      (bodyText === null && comparer.contains(document.text, snippet)),
  )
}

/** Whether a sealed web's page is a document of the task, announces one, or is an altered copy of one, which contains no answers. */
function standsForDocument(
  url: string | null,
  sha256: string | null,
  entries: readonly CorpusEntry[],
  task: LeakScan['task'],
): boolean {
  if (sha256 !== null && readWebMap(entries).isTwin(sha256)) return true
  const place = url === null ? null : writeAddressKey(url)
  return entries.some(entry => {
    if (
      entry.twinOf === null &&
      (entry.hint === null || !task.documents.some(({ name }) => name === entry.hint))
    )
      return false
    const places = [entry.url, entry.resultUrl, entry.landingUrl]
    return (
      sha256 === entry.sha256 ||
      places.some(address => address !== null && writeAddressKey(address) === place)
    )
  })
}
