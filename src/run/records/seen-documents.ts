import { readFile } from 'node:fs/promises'
import { z } from 'zod/v4'
import type { SettingOutcome } from '../../../agents/setting.ts'
import { type BlobStore, storedText, textOf } from '../../../logs/blobs.ts'
import { storedTextSchema } from '../../../logs/events.ts'
import { parseTrace } from '../../../logs/reader.ts'
import { tracePath } from '../../../logs/writer.ts'
import type { Attempt } from '../../core/attempt.ts'
import { DataError } from '../../core/errors.ts'
import type { AttemptSight } from '../../evidence/attempt-views.ts'
import type { EvidenceDocument } from '../../evidence/matcher.ts'
import { ifMissing } from '../../system/files.ts'

/** What an attempt could have seen, and what it was shown: all that its classes of loss need beside the scores. */
export interface SeenDocuments {
  /**
   * The documents with evidence as whole texts, unreadable ones as ''. Pages and judged documents that are evidence have
   * the text that was opened, and are left out where none was.
   */
  readonly documents: readonly EvidenceDocument[]
  /** rag: the chunks in the prompt; null elsewhere. */
  readonly chunks: NonNullable<SettingOutcome['chunks']> | readonly EvidenceDocument[] | null
  /** online: what tools showed of the documents, in the order of the trace; null elsewhere. */
  readonly shown: readonly EvidenceDocument[] | null
  /** online: every text that tools showed, in the order of the trace. Called only when needed. */
  toolTexts?(): readonly string[]
}

const piece = z.object({ hint: z.string(), text: storedTextSchema })
const span = z.object({ hint: z.string(), start: z.int(), end: z.int() })

/** As it stands in the blob that the trace's `answer-parsed` names. A chunk that its document holds is kept by its place. */
const keptSchema = z.object({
  documents: z.array(piece),
  chunks: z.array(z.union([span, piece])).nullable(),
  shown: z.array(piece).nullable(),
})
type KeptChunk = z.infer<typeof span> | z.infer<typeof piece>

/** Stores it among the run's blobs and returns its hash, so that the attempt can be classed again from its run alone. */
export function storeSeenDocuments({ documents, chunks, shown }: SeenDocuments, blobs: BlobStore): string {
  const kept = ({ hint, text }: EvidenceDocument) => ({ hint, text: storedText(text, blobs) })
  const texts = new Map(documents.map(document => [document.hint, document.text]))
  const keptChunk = (chunk: EvidenceDocument & { start?: number; end?: number }): KeptChunk => {
    const { hint, start, end } = chunk
    const isPlace = start !== undefined && end !== undefined
    return isPlace && texts.get(hint)?.slice(start, end) === chunk.text ? { hint, start, end } : kept(chunk)
  }
  return blobs.put(
    JSON.stringify({
      documents: documents.map(kept),
      chunks: chunks?.map(keptChunk) ?? null,
      shown: shown?.map(kept) ?? null,
    }),
  )
}

/** Reads what an attempt saw from its run's folder; returns why, where the run did not keep it. */
export async function readSeenDocuments(
  folder: string,
  attemptId: string,
  blobs: Pick<BlobStore, 'get'>,
): Promise<SeenDocuments | { readonly lack: string }> {
  try {
    const path = tracePath(folder, attemptId)
    const trace = (await readFile(path, 'utf8').catch(ifMissing)) ?? ''
    const hash = seenDocumentsHash(trace, path)
    if (hash === null) return { lack: 'its run kept no documents of it' }
    const { documents, chunks, shown } = keptSchema.parse(JSON.parse(blobs.get(hash)))
    const whole = ({ hint, text }: z.infer<typeof piece>) => ({ hint, text: textOf(text, blobs) })
    const wholeDocuments = documents.map(whole)
    const texts = new Map(wholeDocuments.map(document => [document.hint, document.text]))
    const wholeChunk = (chunk: KeptChunk): EvidenceDocument =>
      'text' in chunk
        ? whole(chunk)
        : { hint: chunk.hint, text: (texts.get(chunk.hint) ?? '').slice(chunk.start, chunk.end) }
    return {
      documents: wholeDocuments,
      chunks: chunks?.map(wholeChunk) ?? null,
      shown: shown?.map(whole) ?? null,
      toolTexts: () => toolTexts(trace, path, blobs),
    }
  } catch (error) {
    if (error instanceof DataError) return { lack: error.message }
    throw error
  }
}

/** Traces are long and the line stands at their end, so that no other is parsed. */
function seenDocumentsHash(trace: string, path: string): string | null {
  const { events } = parseTrace(trace, path, line => line.includes('"type":"answer-parsed"'))
  const event = events.at(-1)
  return event?.type === 'answer-parsed' ? (event.sight ?? null) : null
}

function toolTexts(trace: string, path: string, blobs: Pick<BlobStore, 'get'>): string[] {
  const { events } = parseTrace(trace, path, line => line.includes('"type":"tool-answered"'))
  return events.flatMap(event => (event.type === 'tool-answered' ? [textOf(event.text, blobs)] : []))
}

/** For the loss ledger. */
export function attemptSight(attempt: Attempt, seen: SeenDocuments): AttemptSight {
  const { chunks, shown, toolTexts: allShown = () => [] } = seen
  if (chunks !== null) return { kind: 'chunks', chunks }
  if (shown === null) return { kind: 'documents', context: attempt.context }
  // An attempt that continues another one has no discovery of its own.
  return attempt.discovery === null
    ? { kind: 'texts', shown }
    : { kind: 'web', discovery: attempt.discovery, shown, allShown }
}
