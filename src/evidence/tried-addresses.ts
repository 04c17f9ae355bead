import { decodePercents, parseHttpUrl, writeAddressKey } from '../text/canonical-url.ts'
import { isSameDocumentName } from './document-name.ts'
import type { ObservedAnswer } from './observed.ts'

/**
 * An address that the agent tried to open without result: it was refused, it failed, or the budget did not cover it.
 */
export interface FailedFetch {
  readonly step: number
  readonly url: string
}

/** What `triedStep` needs to know about one document. */
interface TriedInput {
  /** The name of a document that was never opened. */
  readonly hint: string
  /** Addresses known to lead to it. */
  readonly leading: ReadonlySet<string>
  readonly failedFetches: readonly FailedFetch[]
  readonly answers: readonly ObservedAnswer[]
  /** Nothing was opened at all, and no map says which address leads to which document. */
  readonly isEveryFetchFailed: boolean
}

/**
 * The step at which the agent tried to open a document that it could not get; null when it never tried. An
 * address belongs to the document when it is known to lead there. It also belongs to it when its file name or
 * the title of the search result equals the document's name. When every fetch failed on a web without a map,
 * the first one counts, because any of them may have been the document.
 */
export function findTriedStep(input: TriedInput): number | null {
  const { hint, leading, failedFetches, answers, isEveryFetchFailed } = input
  const titles = groupTitles(answers)
  const tried = failedFetches.find(({ url }) => {
    const key = writeAddressKey(url)
    return (
      leading.has(key) ||
      isSameDocumentName(decodePercents(parseHttpUrl(url)?.pathname ?? ''), hint) ||
      (titles.get(key) ?? []).some(title => isSameDocumentName(title, hint))
    )
  })
  return (tried ?? (isEveryFetchFailed ? failedFetches[0] : undefined))?.step ?? null
}

function groupTitles(answers: readonly ObservedAnswer[]): Map<string, string[]> {
  const titles = new Map<string, string[]>()
  for (const { observations } of answers) {
    for (const observation of observations) {
      if (observation.kind !== 'hits') continue
      for (const { url, title } of observation.hits) {
        if (title === undefined) continue
        const key = writeAddressKey(url)
        titles.set(key, [...(titles.get(key) ?? []), title])
      }
    }
  }
  return titles
}
