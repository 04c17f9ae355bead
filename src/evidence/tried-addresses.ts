import { addressKey, httpUrl } from '../text/canonical-url.ts'
import { sameDocumentName } from './document-name.ts'
import type { ObservedAnswer } from './observed.ts'

/** An address that the agent tried to open and got nothing from: it was refused, failed, or its budget did not cover it. */
export interface FailedFetch {
  readonly step: number
  readonly url: string
}

export interface TriedInput {
  /** The name of a document that was never opened. */
  readonly hint: string
  /** Addresses that are known to lead to it. */
  readonly leading: ReadonlySet<string>
  readonly failedFetches: readonly FailedFetch[]
  readonly answers: readonly ObservedAnswer[]
  /** Nothing at all was opened, and nobody knows which addresses lead to which document. */
  readonly isEveryFetchFailed: boolean
}

/**
 * The step at which the agent tried to open a document that it could not get; null where it never did. An address is the
 * document's where it is known to lead there, or where its file or the search result that named it has the document's
 * name. Where every fetch failed on a web without a map, the first one counts: nothing says that no document was found.
 */
export function triedStep(input: TriedInput): number | null {
  const { hint, leading, failedFetches, answers, isEveryFetchFailed } = input
  const titles = titlesByAddress(answers)
  const tried = failedFetches.find(({ url }) => {
    const key = addressKey(url)
    return (
      leading.has(key) ||
      sameDocumentName(fileOf(url), hint) ||
      (titles.get(key) ?? []).some(title => sameDocumentName(title, hint))
    )
  })
  return (tried ?? (isEveryFetchFailed ? failedFetches[0] : undefined))?.step ?? null
}

function titlesByAddress(answers: readonly ObservedAnswer[]): Map<string, string[]> {
  const titles = new Map<string, string[]>()
  for (const { observations } of answers) {
    for (const seen of observations) {
      if (seen.kind !== 'hits') continue
      for (const { url, title } of seen.hits) {
        if (title === undefined) continue
        const key = addressKey(url)
        titles.set(key, [...(titles.get(key) ?? []), title])
      }
    }
  }
  return titles
}

/** The last part of the path, as people write it. */
function fileOf(url: string): string {
  const path = httpUrl(url)?.pathname ?? ''
  try {
    return decodeURIComponent(path)
  } catch {
    // A lone percent sign.
    return path
  }
}
