import type { CellClass } from '../core/cell-classes.ts'
import type { Item } from '../core/score-items.ts'
import type { PlacedEvidence } from '../core/scored-item.ts'
import { longestEvidenceChars } from '../core/scored-item.ts'
import { containsAtWords, type FoldedText, foldText } from '../text/fold.ts'
import { splitAtPageMarks } from '../text/page-marks.ts'
import { hasCjk } from '../text/plain-text.ts'
import { type AttemptView, cutDocuments } from './attempt-views.ts'
import type { ShownDocumentPart } from './discovery.ts'
import { createEvidenceLookup, nameColumn } from './gold-evidence.ts'
import type { EvidenceDocument, ItemEvidence, RowIdentity } from './matcher.ts'
import type { EvidenceNeedle, TextIndexes } from './text-index.ts'
import { linesOfRow } from './text-index.ts'
import { findLastUpTo, type NumberedLine } from './text-lines.ts'

/** What the place of an item's evidence is found from. */
interface PlaceInput {
  readonly evidence: readonly ItemEvidence[]
  readonly documents: readonly EvidenceDocument[]
  readonly view: AttemptView
  /** False when the attempt ended before its first call of the model, so that the model was shown nothing. */
  readonly isModelAsked: boolean
  readonly indexes: TextIndexes
}

/** The stages at which a value is lost before the model is shown it. */
const lostBeforeView: ReadonlySet<CellClass> = new Set([
  'not-surfaced',
  'not-opened',
  'not-parsed',
  'not-retrieved',
  'not-in-view',
])

/**
 * Returns a function that finds the line that contains the value of an item, and what the attempt did with it. The line
 * that also names the row and the column of the item is preferred, because the same number may be on many lines. For
 * a lost item whose value is on no line, it is the line with a key of its row.
 *
 * @returns a function that returns null when no document contains the value, or when nothing was shown in the setting
 */
export function createEvidencePlacer(
  input: PlaceInput,
): (item: Item, itemClass: CellClass | null) => PlacedEvidence | null {
  const { view } = input
  if (view.kind === 'nothing') return () => null
  const partsOf = createEvidenceLookup(input.evidence)
  const shown = listShownParts(view, input.documents)
  return (item, itemClass) => {
    const parts = partsOf(item)
    if (itemClass === null || itemClass === 'no-evidence' || parts.length === 0) return null
    const words = listColumnWords(item)
    const isLost = lostBeforeView.has(itemClass) || !input.isModelAsked
    const inShown = (evidence: PlaceQuery): PlacedMatch | null =>
      isLost ? null : findBestLine(evidence, words, shown, input)
    const inDocuments = (evidence: PlaceQuery): PlacedMatch | null =>
      findBestLine(evidence, words, input.documents, input)
    const values = parts.map(part => ({ ...part, needles: part.alternatives }))
    const keys = itemClass === 'correct' ? [] : parts.slice(0, 1).flatMap(listKeyQueries)
    const isRowMissed = itemClass === 'missed-row'
    const firstOf = (find: (evidence: PlaceQuery) => PlacedMatch | null): PlacedMatch | null => {
      const [byValue, byKey] = [findFirst(values, find), () => findFirst(keys, find)]
      if (byValue === null) return byKey()
      // All rows may have the same value. The line with the name of the row says more.
      return isRowMissed && byValue.rowShare < 0.5 ? (byKey() ?? byValue) : byValue
    }
    const shownMatch = firstOf(inShown)
    if (shownMatch !== null)
      return placeMatch(shownMatch, itemClass === 'cut-from-window' ? 'cut' : 'shown', input)
    const documentMatch = firstOf(inDocuments)
    const isCut = view.kind === 'documents' && input.isModelAsked
    return documentMatch === null ? null : placeMatch(documentMatch, isCut ? 'cut' : 'missed', input)
  }
}

function findFirst(
  candidates: readonly PlaceQuery[],
  find: (evidence: PlaceQuery) => PlacedMatch | null,
): PlacedMatch | null {
  for (const evidence of candidates) {
    const match = find(evidence)
    if (match !== null) return match
  }
  return null
}

function listKeyQueries({ hint, keys = [] }: ItemEvidence): PlaceQuery[] {
  return keys.map(({ alternatives, value }) => ({ hint, keys, needles: alternatives, keyAlone: value }))
}

/** What the model was shown: documents in the prompt, chunks, or results of tools. */
function listShownParts(
  view: Exclude<AttemptView, { kind: 'nothing' }>,
  documents: readonly EvidenceDocument[],
): readonly ShownDocumentPart[] {
  switch (view.kind) {
    case 'documents':
      return cutDocuments(documents, view.context)
    case 'chunks':
      return view.chunks
    case 'texts':
      // Their turns are those of the attempt that this one continues.
      return view.shown.map(({ hint, text }) => ({ hint, text }))
    case 'web':
      return view.shown
    default:
      return view satisfies never
  }
}

interface PlaceQuery extends RowIdentity {
  readonly needles: ItemEvidence['alternatives']
  /** The key of the row that is searched for without a value. Absent: a value is searched for. */
  readonly keyAlone?: string
}

interface PlacedMatch {
  readonly part: ShownDocumentPart
  readonly line: NumberedLine
  readonly needle: EvidenceNeedle
  /** The share of the words of the row's keys that are on the line or near it. */
  readonly rowShare: number
}

/** The line with the value that says most about its row and column; the first of several. */
function findBestLine(
  { hint, keys = [], needles, keyAlone }: PlaceQuery,
  words: readonly string[],
  parts: readonly ShownDocumentPart[],
  { indexes }: PlaceInput,
): PlacedMatch | null {
  const rowWords = keys.flatMap(({ value }) => listWords(value))
  let best: (PlacedMatch & { readonly score: number }) | null = null
  for (const alternative of needles) {
    for (const part of parts) {
      if (hint !== null && part.hint !== hint) continue
      const index = indexes(part.text)
      const [needle, ...otherNeedles] = alternative.toSorted((a, b) => measureNeedle(b) - measureNeedle(a))
      if (needle === undefined || !index.has(needle)) continue
      for (const line of index.linesWith(needle)) {
        const lineText = index.around(line, 0, 0)
        const near = index.around(line, ...linesOfRow)
        const rowShare = computeWordShare(rowWords, near)
        const isRowNamed = rowWords.length > 1 && rowShare === 1
        const isNamed = (key: string): boolean =>
          isRowNamed || namesRow(key, part.text.slice(line.start, line.end))
        if (keyAlone !== undefined && !isNamed(keyAlone)) continue
        const score =
          3 * computeWordShare(words, lineText) +
          2 * computeWordShare(words, near) +
          4 * computeWordShare(rowWords, lineText) +
          3 * rowShare +
          (otherNeedles.length === 0
            ? 0
            : (3 * otherNeedles.filter(otherNeedle => hasText(otherNeedle, lineText)).length) /
              otherNeedles.length)
        if (best === null || score > best.score) best = { part, line, needle, rowShare, score }
      }
    }
    if (best !== null) return best
  }
  return best
}

/** The length of a text that is searched for. The longest of several says most about the place. */
function measureNeedle(needle: EvidenceNeedle): number {
  return needle.kind === 'text' ? (needle.forms[0]?.length ?? 0) : 0
}

const countLetters = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0

/**
 * Whether a line with a key is about the row. A single word may be part of another name, as `Branch` in "branch profits
 * taxes", so it must be at least half of the line.
 */
function namesRow(key: string, line: string): boolean {
  const isOneWord = /^\p{Script=Latin}+$/u.test(key.trim())
  return !isOneWord || countLetters(key) >= countLetters(line) / 2
}

function computeWordShare(words: readonly string[], lines: readonly FoldedText[]): number {
  const matches = words.filter(word => lines.some(({ text }) => text.includes(word)))
  return words.length === 0 ? 0 : matches.length / words.length
}

function hasText(needle: EvidenceNeedle, lines: readonly FoldedText[]): boolean {
  return needle.kind === 'text' && needle.forms.some(form => lines.some(line => containsAtWords(line, form)))
}

const leastLetters = 3

/** The words that name what an item is: those of its column, or of the last named part of its path. */
function listColumnWords(item: Item): readonly string[] {
  return listWords(nameColumn(item).replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '))
}

function listWords(text: string): readonly string[] {
  const words = text.split(/[^\p{L}\p{N}]+/u)
  return words.filter(word => hasCjk(word) || word.length >= leastLetters).map(word => foldText(word).text)
}

function placeMatch(
  { part, line, needle }: PlacedMatch,
  state: PlacedEvidence['state'],
  { documents, view, isModelAsked }: PlaceInput,
): PlacedEvidence {
  const text = part.text.slice(line.start, line.end)
  const where = { document: part.hint, page: findPage(part, line, documents), line: clipLine(text, needle) }
  if (view.kind !== 'web') return { ...where, state, step: isModelAsked && view.kind !== 'texts' ? 1 : null }
  if (part.step !== undefined) {
    const { step, result } = part
    return { ...where, state, step, ...(result === undefined ? {} : { result }) }
  }
  if (state !== 'missed') return { ...where, state, step: null }
  // The closest that the attempt came: the last part of the document that was shown, else the stage that it reached.
  const last = view.shown.findLast(({ hint }) => hint === part.hint)
  if (last?.step !== undefined) {
    const { step, result } = last
    return { ...where, state, step, ...(result === undefined ? {} : { result }) }
  }
  const discoveredHint = view.discovery.hints.find(({ hint }) => hint === part.hint)
  const step = discoveredHint?.openedStep ?? discoveredHint?.triedStep ?? discoveredHint?.surfacedStep ?? null
  return { ...where, state, step }
}

/** The page of a line: by the mark above it, else by the place of the shown text in the document. */
function findPage(
  part: ShownDocumentPart,
  line: NumberedLine,
  documents: readonly EvidenceDocument[],
): number | null {
  const page = splitAtPageMarks(part.text).findLast(({ start }) => start <= line.start)
  if (page !== undefined) return page.number
  const whole = documents.find(({ hint }) => hint === part.hint)
  if (whole?.pageStarts === undefined) return null
  const partStart = whole.text.indexOf(part.text)
  const at =
    partStart === -1 ? whole.text.indexOf(part.text.slice(line.start, line.end)) : partStart + line.start
  return at === -1 ? null : findLastUpTo(whole.pageStarts, at) + 1
}

/** The line, or the part of a long line around the value. It is a piece of the text as it is. */
function clipLine(line: string, needle: EvidenceNeedle): string {
  const text = line.trim()
  if (text.length <= longestEvidenceChars) return text
  const at = Math.max(0, findValue(text, needle))
  const start = Math.max(0, Math.min(at - longestEvidenceChars / 2, text.length - longestEvidenceChars))
  return text.slice(start, start + longestEvidenceChars).trim()
}

/** About where a line contains the value; -1 when that is not known. */
function findValue(line: string, needle: EvidenceNeedle): number {
  if (needle.kind !== 'text') {
    const value = needle.kind === 'number' ? needle.value : needle.current
    const digits = String(Math.abs(value)).replace(/\D/g, '').slice(0, 3)
    return line.search(new RegExp(digits.split('').join('[.,]?')))
  }
  const lower = line.toLowerCase()
  const starts = needle.forms.map(form => lower.indexOf(form.slice(0, 6)))
  return starts.find(at => at !== -1) ?? -1
}
