import { readFile } from 'node:fs/promises'
import { z } from 'zod/v4'
import type { SettingOutcome } from '../../../agents/setting.ts'
import { type BlobReader, type BlobStore, readStoredText, storedText } from '../../../logs/blobs.ts'
import { storedTextSchema } from '../../../logs/event-parts.ts'
import { parseTrace, parseWholeTrace } from '../../../logs/reader.ts'
import { tracePath } from '../../../logs/writer.ts'
import type { Attempt } from '../../core/attempt.ts'
import { DataError } from '../../core/errors.ts'
import type { AttemptView } from '../../evidence/attempt-views.ts'
import {
  listKnownTexts,
  listShownDocuments,
  type ObservedWeb,
  type ShownDocumentPart,
} from '../../evidence/discovery.ts'
import type { EvidenceDocument } from '../../evidence/matcher.ts'
import { ifMissing, requireRegularFile } from '../../system/files.ts'
import { LastRequest } from './last-request.ts'

/** The documents that an attempt could see, and the parts that it was shown. The loss classes are computed from them and the scores. */
export interface SeenDocuments {
  /**
   * The whole texts of the documents with evidence; '' for unreadable ones. Web pages that are evidence have the text that
   * was opened; pages that were not opened are left out.
   */
  readonly documents: readonly EvidenceDocument[]
  /** rag: the chunks in the prompt; null in other settings. */
  readonly chunks: NonNullable<SettingOutcome['chunks']> | readonly EvidenceDocument[] | null
  /** online: the parts of the documents that tools showed, in the order of the trace; null in other settings. */
  readonly shown: readonly ShownDocumentPart[] | null
  /** online: every text that tools showed, in the order of the trace. Called only when needed. */
  toolTexts?(): readonly string[]
  /**
   * online: the texts of the last request to the model; null when nothing was removed from the conversation. Called only
   * when needed.
   */
  atAnswer?(): readonly string[] | null
}

/** Returns the documents that the tools of an online attempt showed. */
export function listSeenOnWeb(input: ObservedWeb): SeenDocuments {
  return {
    documents: listKnownTexts(input),
    chunks: null,
    shown: listShownDocuments(input),
    toolTexts: () => input.answers.map(({ text }) => text),
  }
}

const piece = z.object({
  hint: z.string(),
  text: storedTextSchema,
  isPartlyUnread: z.literal(true).optional(),
  pageStarts: z.array(z.int()).optional(),
})
const shownPiece = z.object({
  hint: z.string(),
  text: storedTextSchema,
  step: z.int().optional(),
  result: z.int().optional(),
})
const span = z.object({ hint: z.string(), start: z.int(), end: z.int() })

/** The format of the blob that the trace's event `answer-parsed` names. A chunk of a document is stored as its position. */
const keptSchema = z.object({
  documents: z.array(piece),
  chunks: z.array(z.union([span, piece])).nullable(),
  shown: z.array(shownPiece).nullable(),
})
type KeptChunk = z.infer<typeof span> | z.infer<typeof piece>

/** Stores the documents among the run's blobs and returns the hash. Scoring the run again computes the loss classes from it. */
export function storeSeenDocuments({ documents, chunks, shown }: SeenDocuments, blobs: BlobStore): string {
  const toPiece = ({ hint, text, isPartlyUnread, pageStarts }: EvidenceDocument) => ({
    hint,
    text: storedText(text, blobs),
    ...(isPartlyUnread === true ? { isPartlyUnread } : {}),
    ...(pageStarts === undefined ? {} : { pageStarts: [...pageStarts] }),
  })
  const texts = new Map(documents.map(document => [document.hint, document.text]))
  const keptChunk = (chunk: EvidenceDocument & { start?: number; end?: number }): KeptChunk => {
    const { hint, start, end } = chunk
    const isPlace = start !== undefined && end !== undefined
    return isPlace && texts.get(hint)?.slice(start, end) === chunk.text
      ? { hint, start, end }
      : toPiece(chunk)
  }
  return blobs.put(
    JSON.stringify({
      documents: documents.map(toPiece),
      chunks: chunks?.map(keptChunk) ?? null,
      shown: shown?.map(part => ({ ...part, text: storedText(part.text, blobs) })) ?? null,
    }),
  )
}

/** Reads the documents that an attempt saw from its run's folder; returns the reason when the run did not keep them. */
export async function readSeenDocuments(
  folder: string,
  attemptId: string,
  blobs: BlobReader,
): Promise<SeenDocuments | { readonly missingBecause: string }> {
  try {
    const path = tracePath(folder, attemptId)
    await requireRegularFile(path)
    const trace = await readFile(path, 'utf8').catch(ifMissing)
    if (trace === null) return { missingBecause: `${path} is missing` }
    // Traces are long, so other lines are not parsed.
    const parsed = parseTrace(trace, path, line => line.includes('"type":"answer-parsed"')).events.at(-1)
    if (parsed?.type !== 'answer-parsed')
      return { missingBecause: `${path} has no event answer-parsed: it is damaged, or no answer was read` }
    const hash = parsed.sight
    if (hash === undefined)
      return { missingBecause: 'the run did not keep the documents that the attempt saw' }
    const { documents, chunks, shown } = keptSchema.parse(JSON.parse(blobs.get(hash)))
    const whole = ({ hint, text, isPartlyUnread, pageStarts }: z.infer<typeof piece>): EvidenceDocument => ({
      hint,
      text: readStoredText(text, blobs),
      ...(isPartlyUnread === true ? { isPartlyUnread } : {}),
      ...(pageStarts === undefined ? {} : { pageStarts }),
    })
    const wholeDocuments = documents.map(whole)
    const texts = new Map(wholeDocuments.map(document => [document.hint, document.text]))
    const wholeChunk = (chunk: KeptChunk): EvidenceDocument =>
      'text' in chunk
        ? whole(chunk)
        : { hint: chunk.hint, text: (texts.get(chunk.hint) ?? '').slice(chunk.start, chunk.end) }
    return {
      documents: wholeDocuments,
      chunks: chunks?.map(wholeChunk) ?? null,
      shown:
        shown?.map(({ text, hint, step, result }) => ({
          hint,
          text: readStoredText(text, blobs),
          ...(step === undefined ? {} : { step }),
          ...(result === undefined ? {} : { result }),
        })) ?? null,
      toolTexts: () => listToolTexts(trace, path, blobs),
      atAnswer: () => listLastRequestTexts(trace, path, blobs),
    }
  } catch (error) {
    if (error instanceof DataError) return { missingBecause: error.message }
    throw error
  }
}

function listToolTexts(trace: string, path: string, blobs: BlobReader): string[] {
  const { events } = parseWholeTrace(trace, path, line => line.includes('"type":"tool-answered"'))
  return events.flatMap(event => (event.type === 'tool-answered' ? [readStoredText(event.text, blobs)] : []))
}

function listLastRequestTexts(trace: string, path: string, blobs: BlobReader): readonly string[] | null {
  const isCut = (line: string): boolean => line.includes('"type":"context-cut"')
  if (!parseWholeTrace(trace, path, isCut).events.some(({ type }) => type === 'context-cut')) return null
  const { events } = parseWholeTrace(
    trace,
    path,
    line => isCut(line) || line.includes('"type":"model-called"'),
  )
  const lastRequest = new LastRequest()
  for (const event of events) lastRequest.tell(event)
  return lastRequest.texts(stored => readStoredText(stored, blobs))
}

/** Returns what an attempt saw, in the form that the loss ledger needs. */
export function createAttemptView(attempt: Attempt, seenDocuments: SeenDocuments): AttemptView {
  const { chunks, shown, toolTexts: allShown = () => [], atAnswer = () => null } = seenDocuments
  if (chunks !== null) return { kind: 'chunks', chunks }
  if (shown === null) return { kind: 'documents', context: attempt.context }
  // An attempt that continues another one has no discovery of its own.
  return attempt.discovery === null
    ? { kind: 'texts', shown }
    : { kind: 'web', discovery: attempt.discovery, shown, allShown, atAnswer }
}
