import { documentFiles, loadContextDocuments } from '../../../retrieval/context-documents.ts'
import type { ContextDocument } from '../../core/document.ts'
import { ConfigError } from '../../core/errors.ts'
import type { Task } from '../../core/task.ts'
import type { TokenCounter } from '../../models/token-count.ts'
import { openDocumentReader } from '../resources/document-reader.ts'

/** One document of a task, opened and read. */
export interface ReadDocument {
  readonly hint: string
  readonly state: 'read' | 'partly-read' | 'unreadable' | 'missing' | 'not-looked-for'
  /** Why it is not read as a whole; null when it is. */
  readonly problem: string | null
  /** Tokens of its text; null where it has none, or where they are not counted. */
  readonly tokens: number | null
}

export interface ReadDocumentsOptions {
  /** Null: only documents inside the records are read. */
  readonly docs: string | null
  readonly cache: string
  readonly countTokens: TokenCounter | null
}

/**
 * Opens and reads the documents of every task, each file once.
 * @returns one list for each task, in the order of its hints
 * @throws ConfigError [no-documents-folder]
 */
export async function readDocuments(
  tasks: readonly Task[],
  { docs, cache, countTokens }: ReadDocumentsOptions,
): Promise<ReadDocument[][]> {
  if (docs !== null) await requireFolder(docs)
  const reader = await openDocumentReader(cache)
  const files = new Map<string, Promise<ReadDocument>>()
  const read = async (task: Task, hint: string): Promise<ReadDocument> => {
    const [document] = await loadContextDocuments([hint], docs, task.embedded, reader)
    return describe(document!, countTokens)
  }
  const readOnce = (task: Task, hint: string): Promise<ReadDocument> => {
    if (task.embedded.some(document => document.hint === hint)) return read(task, hint)
    if (docs === null) return Promise.resolve({ hint, state: 'not-looked-for', problem: null, tokens: null })
    const known = files.get(hint) ?? read(task, hint)
    files.set(hint, known)
    return known
  }
  try {
    const lists: ReadDocument[][] = []
    for (const task of tasks)
      lists.push(await Promise.all(task.question.hints.map(hint => readOnce(task, hint))))
    return lists
  } finally {
    await reader.close()
  }
}

async function requireFolder(docs: string): Promise<void> {
  await documentFiles(docs).catch((cause: unknown) => {
    throw new ConfigError(
      `--docs ${docs}: not a folder that can be read. Name the folder of the documents.`,
      {
        code: 'no-documents-folder',
        cause,
      },
    )
  })
}

function describe({ hint, text, problem }: ContextDocument, countTokens: TokenCounter | null): ReadDocument {
  const tokens = countTokens === null || text === '' ? null : countTokens(text)
  if (problem === null) return { hint, state: 'read', problem, tokens }
  const isMissing = problem.startsWith('missing: ')
  return { hint, state: isMissing ? 'missing' : text === '' ? 'unreadable' : 'partly-read', problem, tokens }
}
