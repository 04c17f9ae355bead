import { decodePercents, parseHttpUrl, writeAddressKey } from '../text/canonical-url.ts'
import { countCjk } from '../text/plain-text.ts'
import { normaliseDocumentName } from './document-name.ts'
import type { DocumentComparer } from './fingerprint.ts'
import type { ObservedAnswer, SearchHits } from './observed.ts'
import type { DiscoveryTarget } from './targets.ts'

/** What the documents in a log are identified with. */
interface IdentifyOptions {
  readonly comparer: DocumentComparer
  /** Returns a text of the log by its hash. */
  textOf(hash: string): string
}

type LoggedHit = SearchHits['hits'][number] & { readonly snippet?: string }

/** Shorter texts are part of many documents. Characters of scripts without spaces count three times. */
const leastChars = 60
const leastName = 8

/** Returns the length of a text, in which a character of a script without spaces counts three times. */
export function weighText(text: string): number {
  return text.length + 2 * countCjk(text)
}

/** The last part of an address, decoded; ids and titles stay as they are. */
function nameIn(address: string): string {
  const url = parseHttpUrl(address)
  if (url === null) return address.trim()
  return decodePercents(url.pathname.split('/').findLast(part => part !== '') ?? '')
}

/**
 * Identifies documents in the log of another agent. Such a log often contains only the parts that tools showed. A document
 * is therefore recognised by its whole text, by a part that no other document of the task contains, and by an address that
 * ends in its name.
 *
 * @returns the targets with the addresses that are known to be theirs, and the answers; a search result without an
 * address has the name of its document as its address
 */
export function identifyDocuments(
  targets: readonly DiscoveryTarget[],
  answers: readonly ObservedAnswer[],
  { comparer, textOf }: IdentifyOptions,
): { readonly targets: DiscoveryTarget[]; readonly answers: ObservedAnswer[] } {
  const bodiesByTarget = new Map(targets.map(target => [target, new Set<string>()]))
  const named = (name: string): DiscoveryTarget[] => {
    const bare = normaliseDocumentName(name)
    return weighText(bare) < leastName
      ? []
      : targets.filter(({ hint }) => normaliseDocumentName(hint) === bare)
  }
  const documentsOf = (names: readonly string[], text: string): DiscoveryTarget[] => {
    const byName = names.flatMap(named)
    if (byName.length > 0 || weighText(text) < leastChars) return byName
    // The arguments are exchanged on purpose: the document contains the text.
    const containing = targets.filter(target => comparer.contains(target.text, text))
    return containing.length === 1 ? containing : []
  }
  const withAddress = (hit: LoggedHit): LoggedHit => {
    const owners = documentsOf([nameIn(hit.url), hit.title ?? ''], hit.snippet ?? '')
    const url = hit.url === '' ? (owners[0]?.hint ?? '') : hit.url
    for (const target of owners) if (url !== '') bodiesByTarget.get(target)?.add(writeAddressKey(url))
    return { ...hit, url }
  }
  const identified = answers.map(answer => ({
    ...answer,
    observations: answer.observations.map(observation => {
      if (observation.kind === 'hits') return { ...observation, hits: observation.hits.map(withAddress) }
      const text = observation.textSha256 === null ? '' : textOf(observation.textSha256)
      for (const target of documentsOf([nameIn(observation.finalUrl)], text))
        bodiesByTarget.get(target)?.add(writeAddressKey(observation.finalUrl))
      return observation
    }),
  }))
  return {
    targets: targets.map(target => ({ ...target, alsoAt: [...(bodiesByTarget.get(target) ?? [])] })),
    answers: identified,
  }
}
