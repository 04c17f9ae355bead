import type { Discovery } from '../core/discovery.ts'
import { writeAddressKey } from '../text/canonical-url.ts'
import { createDocumentComparer, type DocumentComparer } from './fingerprint.ts'
import {
  containsEvidence,
  type EvidenceDocument,
  type ItemEvidence,
  makeEvidenceDocument,
} from './matcher.ts'
import type { ObservedAnswer, OpenedBody } from './observed.ts'
import type { DiscoveryTarget } from './targets.ts'
import { createTextIndexes, type TextIndexes } from './text-index.ts'
import { type FailedFetch, findTriedStep } from './tried-addresses.ts'
import { readWebMap, type WebIndex, type WebMapEntry } from './web-map.ts'

/** The tool answers of an attempt, and the documents that its task asks for. */
export interface ObservedWeb {
  /** In the order of the task's evidence, including unreadable documents. */
  readonly targets: readonly DiscoveryTarget[]
  /** The tool answers in the order of the trace. */
  readonly answers: readonly ObservedAnswer[]
  /** In the order of the trace. Absent when none failed. */
  readonly failedFetches?: readonly FailedFetch[]
  /** The whole text of a body by its hash; null when it is no longer stored. */
  textOf(hash: string): string | null
  /** The entries of the sealed corpus's manifest; null on any other web. */
  readonly webMap: readonly WebMapEntry[] | null
  /** Shared by all attempts of a run, so that each document is read once. */
  readonly comparer?: DocumentComparer
}

/** What discovery is measured from. */
export interface DiscoveryInput extends ObservedWeb {
  /** The evidence of the gold items that the answer got right; empty when nothing was scored. */
  readonly correctItems: readonly ItemEvidence[]
  readonly indexes?: TextIndexes
}

interface Opening {
  readonly step: number
  /** Which tool result of this turn it is, from 0; undefined when unknown. */
  readonly result: number | undefined
  readonly body: OpenedBody
  readonly addresses: readonly string[]
  /** The whole text; '' when there is none. */
  readonly text: string
  /** The text of the tool answer that opened the body. */
  readonly shownText: string
}

type HintRecord = Discovery['hints'][number]

function listOpenings(input: ObservedWeb): Opening[] {
  return input.answers.flatMap(answer =>
    answer.observations
      .filter(observation => observation.kind === 'body')
      .map(body => ({
        step: answer.step,
        result: answer.result,
        body,
        addresses: [writeAddressKey(body.url), writeAddressKey(body.finalUrl)],
        text: (body.textSha256 === null ? null : input.textOf(body.textSha256)) ?? '',
        shownText: answer.text,
      })),
  )
}

/**
 * The addresses that lead to a document: its own, those of pages that link to it, and those of opened pages that lead
 * there.
 */
function findLeadingAddresses(
  ownAddresses: readonly string[],
  openings: readonly Opening[],
  web: WebIndex | null,
): Set<string> {
  const leading = new Set(ownAddresses)
  for (const page of web?.landingsOf(leading) ?? []) leading.add(page)
  const pages = openings.map(opening => ({
    addresses: opening.addresses,
    links: opening.body.links.map(writeAddressKey),
  }))
  for (let grew = true; grew; ) {
    const before = leading.size
    for (const page of pages) {
      if (page.links.some(link => leading.has(link)))
        for (const address of page.addresses) leading.add(address)
    }
    grew = leading.size > before
  }
  return leading
}

function findFirstHit(
  answers: readonly ObservedAnswer[],
  leading: ReadonlySet<string>,
): { step: number; query: string; url: string } | null {
  for (const { step, observations } of answers) {
    for (const observation of observations) {
      if (observation.kind !== 'hits') continue
      const hit = observation.hits.find(candidate => leading.has(writeAddressKey(candidate.url)))
      if (hit !== undefined) return { step, query: observation.query, url: hit.url }
    }
  }
  return null
}

/** The first step at which the document showed a value that the answer got right; null when none did. */
function findUsedStep(
  target: DiscoveryTarget,
  openings: readonly Opening[],
  input: DiscoveryInput,
  indexes: TextIndexes,
) {
  const cells = input.correctItems.filter(cell => cell.hint === null || cell.hint === target.hint)
  const usedOpening = openings.find(opening => {
    if (opening.body.shown.length === 0) return false
    const shown = [{ hint: target.hint, text: opening.shownText }]
    const whole = [{ hint: target.hint, text: opening.text }]
    return cells.some(
      cell => containsEvidence(cell, shown, indexes) && containsEvidence(cell, whole, indexes),
    )
  })
  return usedOpening?.step ?? null
}

function computeShare(hints: readonly HintRecord[], stage: keyof HintRecord): number | null {
  return hints.length === 0 ? null : hints.filter(hint => hint[stage] !== null).length / hints.length
}

/**
 * Returns a test of whether an opened body is a target. A target has the same address or bytes, or a matching
 * text that the sealed corpus does not list as a twin.
 */
function createTargetTest(
  input: ObservedWeb,
  web: WebIndex | null,
): (opening: Opening, target: DiscoveryTarget) => boolean {
  const comparer = input.comparer ?? createDocumentComparer()
  return (opening, target) =>
    opening.body.sha256 === target.sha256 ||
    opening.addresses.some(
      address => target.addresses?.includes(address) || target.alsoAt?.includes(address),
    ) ||
    (web?.isTwin(opening.body.sha256) !== true && comparer.contains(opening.text, target.text))
}

/** A part of a document that a tool showed. */
export interface ShownDocumentPart {
  readonly hint: string
  readonly text: string
  /** The model turn. */
  readonly step?: number
  /** Which tool result of this turn showed it, from 0; absent like `step`. */
  readonly result?: number
}

/**
 * The texts of the task's documents that an online attempt was shown, in the order of the trace. The loss ledger uses
 * them.
 */
export function listShownDocuments(input: ObservedWeb): ShownDocumentPart[] {
  const isTarget = createTargetTest(input, input.webMap === null ? null : readWebMap(input.webMap))
  const openings = listOpenings(input).filter(opening => opening.body.shown.length > 0)
  return input.targets.flatMap(target =>
    openings
      .filter(opening => isTarget(opening, target))
      .map(({ shownText, step, result }) => ({
        hint: target.hint,
        text: shownText,
        step,
        ...(result === undefined ? {} : { result }),
      })),
  )
}

/**
 * The known texts of the targets: the whole text of a document, or what was opened of a target known by its address.
 * A target without known text is left out.
 */
export function listKnownTexts(input: ObservedWeb): EvidenceDocument[] {
  const isTarget = createTargetTest(input, input.webMap === null ? null : readWebMap(input.webMap))
  const openings = listOpenings(input)
  return input.targets.flatMap(target => {
    if (target.addresses === undefined || target.text !== '') return [makeEvidenceDocument(target)]
    const opened = openings.filter(opening => isTarget(opening, target) && opening.text !== '')
    return [...new Set(opened.map(({ text }) => text))].map(text => ({ hint: target.hint, text }))
  })
}

/**
 * Measures how far an online attempt came with each document that is evidence: surfaced, opened, parsed, used.
 * Documents are recognised by content, so that mirrors count. Pages and judged documents are recognised by address.
 *
 * @returns `url` of a hint is the address at which the document was first opened, else the search result that led to
 * it
 */
export function measureDiscovery(input: DiscoveryInput): Discovery {
  const web = input.webMap === null ? null : readWebMap(input.webMap)
  const openings = listOpenings(input)
  const isTarget = createTargetTest(input, web)
  const reached = new Set<Opening>()
  const leadingToAny = new Set<string>()
  const pages = { openings, web, indexes: input.indexes ?? createTextIndexes() }
  const hints = input.targets.map(target => {
    const opened = openings.filter(opening => isTarget(opening, target))
    const ownEntries = [
      ...(target.addresses ?? []),
      ...(target.alsoAt ?? []),
      ...opened.flatMap(opening => opening.addresses),
      ...(web?.addressesOf(target) ?? []),
    ]
    const leading = findLeadingAddresses(ownEntries, openings, web)
    for (const opening of opened) reached.add(opening)
    for (const address of leading) leadingToAny.add(address)
    return makeHintRecord(input, pages, { target, opened, leading })
  })
  return {
    hints,
    recall: {
      surfaced: computeShare(hints, 'surfacedStep'),
      opened: computeShare(hints, 'openedStep'),
      parsed: computeShare(hints, 'parsedStep'),
      used: computeShare(hints, 'usedStep'),
    },
    distractorsOpened: countDistractors(openings, reached, leadingToAny, web),
    ...(web !== null &&
      input.targets.some(({ relevance }) => relevance !== undefined) && {
        retrieved: listRetrievedNames(input.answers, web),
      }),
  }
}

/** The names or ids of the documents that searches returned, each once, in the order of the trace. */
function listRetrievedNames(answers: readonly ObservedAnswer[], web: WebIndex): string[] {
  const names = answers
    .flatMap(({ observations }) => observations)
    .flatMap(observation =>
      observation.kind === 'hits' ? observation.hits.map(({ url }) => web.nameAt(writeAddressKey(url))) : [],
    )
  return [...new Set(names.filter(name => name !== null))]
}

interface SeenWeb {
  readonly openings: readonly Opening[]
  readonly web: WebIndex | null
  readonly indexes: TextIndexes
}

interface SeenTarget {
  readonly target: DiscoveryTarget
  /** The answers of tools that opened the target. */
  readonly opened: readonly Opening[]
  /** Addresses that lead to it. */
  readonly leading: ReadonlySet<string>
}

/** How far the attempt came with one target. */
function makeHintRecord(
  input: DiscoveryInput,
  { openings, web, indexes }: SeenWeb,
  { target, opened, leading }: SeenTarget,
): HintRecord {
  const { answers, failedFetches = [] } = input
  const hit = findFirstHit(answers, leading)
  const isEveryFetchFailed = web === null && openings.length === 0
  const tried =
    opened.length > 0
      ? null
      : findTriedStep({ hint: target.hint, leading, failedFetches, answers, isEveryFetchFailed })
  const parsed = opened.find(opening => opening.body.shown.length > 0 && opening.text.trim() !== '')
  return {
    hint: target.hint,
    surfacedStep: hit?.step ?? null,
    openedStep: opened[0]?.step ?? null,
    parsedStep: parsed?.step ?? null,
    usedStep: findUsedStep(target, opened, input, indexes),
    ...(tried === null ? {} : { triedStep: tried }),
    query: hit?.query ?? null,
    url: opened[0]?.body.finalUrl ?? hit?.url ?? null,
    ...(target.relevance === undefined ? {} : { relevance: target.relevance }),
  }
}

/**
 * Counts the distinct bodies that are not targets. On a sealed web these are its other documents; elsewhere, all
 * bodies that led to no target.
 */
function countDistractors(
  openings: readonly Opening[],
  reached: ReadonlySet<Opening>,
  leading: ReadonlySet<string>,
  web: WebIndex | null,
): number {
  const otherOpenings = openings.filter(opening => {
    if (reached.has(opening)) return false
    if (web === null) return !opening.addresses.some(address => leading.has(address))
    return web.isDocument(opening.body.sha256, opening.addresses)
  })
  return new Set(otherOpenings.map(opening => opening.body.sha256)).size
}
