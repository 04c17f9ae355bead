import { createDocumentFinder, loadContextDocuments } from '../../../retrieval/context-documents.ts'
import type { ContextDocument } from '../../core/document.ts'
import { ConfigError, DataError } from '../../core/errors.ts'
import type { Task, TaskDocument } from '../../core/task.ts'
import type { TokenCounter } from '../../models/token-count.ts'
import { openDocumentReader } from '../open-run/document-side.ts'

/** One document of a task, opened and read. */
export interface ReadDocument {
  readonly hint: string
  /** The hash of its bytes or its supplied text; null when it was not read. */
  readonly sha256: string | null
  readonly state: 'read' | 'partly-read' | 'unreadable' | 'missing' | 'not-looked-for'
  /** Why it could not be read as a whole; null when it could. */
  readonly problem: string | null
  /** What of it may be wrong or is left out, each with its place. */
  readonly notices: readonly string[]
  /** The tokens of its text; null without text, and when tokens are not counted. */
  readonly tokens: number | null
  /** The number of its pages; null when unknown. */
  readonly pages: number | null
}

/** How documents are read. */
export interface ReadDocumentsOptions {
  /** The folder of documents. Null: only documents inside the task records are read. */
  readonly docs: string | null
  readonly cache: string
  readonly countTokens: TokenCounter | null
  /** Receives the documents of each task with their texts, in the order of the tasks. Absent: nothing does. */
  readonly visit?: (task: Task, documents: readonly (ReadDocument & { readonly text: string })[]) => void
}

/** The most characters of texts that are kept. */
const mostKeptChars = 100_000_000

/** What documents are known by. Supplied documents with the same name may have different texts. */
const makeKey = (document: TaskDocument): string | TaskDocument =>
  document.load === undefined ? document.name : document

const unknown = { problem: null, notices: [], tokens: null, pages: null }

/**
 * Reads the documents of every task. A file, or a supplied document that tasks share, is read once. Texts are only kept for
 * `visit`, and not all of a large corpus: the others are then read again.
 *
 * @returns one list for each task, in the order of its documents
 * @throws ConfigError [no-documents-folder]
 */
export async function readDocuments(
  tasks: readonly Task[],
  { docs, cache, countTokens, visit }: ReadDocumentsOptions,
): Promise<ReadDocument[][]> {
  if (docs !== null) await requireFolder(docs)
  const reader = await openDocumentReader(cache)
  const readings = new Map<string | TaskDocument, Promise<ReadDocument>>()
  const cachedTexts = new Map<string | TaskDocument, string>()
  let cachedChars = 0
  const load = async (document: TaskDocument): Promise<ContextDocument> =>
    (await loadContextDocuments([document], docs, reader))[0]!
  const readDocument = async (document: TaskDocument): Promise<ReadDocument> => {
    const loaded = await load(document)
    if (visit !== undefined && cachedChars + loaded.text.length <= mostKeptChars) {
      cachedTexts.set(makeKey(document), loaded.text)
      cachedChars += loaded.text.length
    }
    return describe(loaded, countTokens)
  }
  const textOf = async (document: TaskDocument, { state }: ReadDocument): Promise<string> =>
    state === 'missing' || state === 'not-looked-for'
      ? ''
      : (cachedTexts.get(makeKey(document)) ?? (await load(document)).text)
  const readOnce = (document: TaskDocument): Promise<ReadDocument> => {
    const hint = document.name
    if (document.load === undefined && docs === null)
      return Promise.resolve({ hint, sha256: null, state: 'not-looked-for', ...unknown })
    const key = makeKey(document)
    const reading = readings.get(key) ?? readDocument(document)
    readings.set(key, reading)
    return reading
  }
  try {
    const lists: ReadDocument[][] = []
    for (const task of tasks) {
      const documents = await Promise.all(task.documents.map(readOnce))
      lists.push(documents)
      if (visit === undefined) continue
      const withTexts = task.documents.map(async (taskDocument, at) => {
        const document = documents[at]!
        return { ...document, text: await textOf(taskDocument, document) }
      })
      visit(task, await Promise.all(withTexts))
    }
    return lists
  } finally {
    await reader.close()
  }
}

async function requireFolder(docs: string): Promise<void> {
  await createDocumentFinder(docs).catch((cause: unknown) => {
    if (cause instanceof DataError) throw cause
    throw new ConfigError(
      `--docs ${docs}: not a folder that can be read. Name the folder of the documents.`,
      { code: 'no-documents-folder', cause },
    )
  })
}

function describe(
  { hint, sha256, text, problem, notices = [], pages: count }: ContextDocument,
  countTokens: TokenCounter | null,
): ReadDocument {
  const tokens = countTokens === null || text === '' ? null : countTokens(text)
  const pages = count ?? null
  if (problem === null) return { hint, sha256, state: 'read', problem, notices, tokens, pages }
  const isMissing = problem.startsWith('missing: ')
  return {
    hint,
    sha256,
    state: isMissing ? 'missing' : text === '' ? 'unreadable' : 'partly-read',
    problem,
    notices,
    tokens,
    pages,
  }
}
