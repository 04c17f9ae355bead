import { z } from 'zod/v4'

const count = z.int().min(0)
const share = z.number().min(0).max(1)
const step = count.nullable()
const recall = share.nullable()

/** How much of the evidence an attempt found. */
export const discoverySchema = z.object({
  /** Every document that is evidence of the task, reached or not. */
  hints: z.array(
    z.object({
      /** The name of the document. */
      hint: z.string(),
      /** The model turn in which a search result led to it; null when none did. */
      surfacedStep: step,
      /** The model turn in which a call downloaded it; null when none did. */
      openedStep: step,
      /** The model turn in which text of it was shown; null when none was. */
      parsedStep: step,
      /** The model turn that showed a value which the answer has right; null when there is none. */
      usedStep: step,
      /** The model turn of the first failed try to open it. Absent when it was opened or never tried. */
      triedStep: count.optional(),
      /** The query that found it; null when no search did. */
      query: z.string().nullable(),
      /** The address that it was found or opened at; null when it was neither. */
      url: z.string().nullable(),
      /** How relevant the document was judged, from 1; absent when nobody judged it. */
      relevance: count.optional(),
    }),
  ),
  /** Documents reached at each stage, over all of `hints`. */
  recall: z.object({
    /** Share that a search result led to; null without documents. */
    surfaced: recall,
    /** Share that was downloaded; null without documents. */
    opened: recall,
    /** Share of which text was shown; null without documents. */
    parsed: recall,
    /** Share of which a right value of the answer was shown; null without documents. */
    used: recall,
  }),
  /** How many altered copies of documents (`--twins`) were opened. */
  distractorsOpened: count,
  /** The ids of all documents that searches returned, in order. Absent when documents were not judged. */
  retrieved: z.array(z.string()).optional(),
})
/** Which documents of the task an online attempt found, and at which step. */
export type Discovery = z.infer<typeof discoverySchema>

/** What the retriever chose for a RAG attempt, and how much of the evidence that contains. */
export const retrievalSchema = z.object({
  /** The retriever, as `--retriever` names it. */
  retriever: z.string(),
  /** The embedder, as `--embedder` names it, without an address. */
  embedder: z.string(),
  /** How many chunks the retriever may return. */
  k: count,
  /** What was asked: the task's query, or one query per column. Absent for a control that asks nothing. */
  queries: z.array(z.string()).optional(),
  /** Chunks in the prompt. */
  chunksInPrompt: count,
  /** Length of these chunks. */
  charsInPrompt: count,
  /** Tokens of these chunks by the local count. Absent for a retriever that reports none. */
  tokensInPrompt: count.optional(),
  /** Mean over the documents of the share of their text that is in the prompt; null when no document has text. */
  coverage: recall,
  /** Share of the findable gold cells whose evidence is in the prompt; null when no cell is findable. */
  evidenceInPrompt: recall,
  /** The same for the first N retrieved chunks, by N; null when no cell is findable. */
  evidenceRecall: z.record(z.string(), recall),
  /** Gold cells whose value is in the text of the documents; null when the evidence is not known. */
  cellsFindable: count.nullable(),
  /** Gold cells whose value is not in that text; null when the evidence is not known. */
  cellsUnfindable: count.nullable(),
  /** Share of the retrieved characters in chunks without evidence of any gold cell; null when that is not known. */
  noise: recall,
  /** Documents with text of which no chunk is in the prompt. */
  starvedHints: z.array(z.string()),
  /** Median rank, from 1, at which the evidence of a gold cell is complete; null when it is for no cell. */
  medianEvidenceRank: z.number().nullable(),
  /**
   * For each findable gold cell, in the order of the gold, the rank from 1 at which its evidence is complete;
   * null when it never is. Absent when the evidence is not known.
   */
  evidenceRanks: z.array(z.int().min(1).nullable()).optional(),
})
/** What the retriever chose for a RAG attempt, and how much of the evidence that contains. */
export type RetrievalRecord = z.infer<typeof retrievalSchema>
