import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod/v4'
import { ConfigError } from '../../src/core/errors.ts'
import type { LoadedTasks, Task } from '../../src/core/task.ts'
import { readTextFile } from '../../src/system/files.ts'
import { listFiles } from '../benchmark.ts'
import { createTaskCollector } from '../collect-tasks.ts'
import { readLines, requireFile } from '../jsonl.ts'
import { decryptText, parseQuietly } from '../parse-record.ts'
import { makeRecordError } from '../validate/problem.ts'

const goldNames = ['qrel_golds.txt', 'qrel_gold.txt'] as const
const companionNames = ['canary.txt', 'qrel_evidence.txt', ...goldNames] as const

/** The form of the answer in the benchmark, which its judge reads. */
const instructions = [
  'End your answer with these two lines:',
  'Exact Answer: the answer alone, in a few words',
  'Confidence: how sure you are that it is right, from 0% to 100%',
].join('\n')

const recordSchema = z.object({
  query_id: z.union([z.string().min(1), z.number().int()]).transform(String),
  query: z.string().min(1),
  answer: z.string().min(1),
  /** The key of the record. The default is the content of canary.txt. */
  canary: z.string().min(1).optional(),
})
type QueryRecord = z.infer<typeof recordSchema>

/** What the files beside the questions contain. */
interface Companions {
  readonly canary: string | undefined
  /** Relevance by document, by question: 1 for evidence, 2 for documents that contain the answer. */
  readonly judgements: ReadonlyMap<string, ReadonlyMap<string, number>>
}

/**
 * Reads BrowseComp-Plus's questions. Encrypted ones are decrypted in memory.
 *
 * @throws ConfigError `tasks-not-found` or `unreadable-tasks`
 */
export async function loadBrowseCompPlus(path: string): Promise<LoadedTasks> {
  const companions = await readCompanions(path)
  const collector = createTaskCollector()
  for (const file of await listQuestionFiles(path))
    for await (const { line, text } of readLines(file))
      await collector.add({ file, line }, identify => {
        const record = parseQuietly(text, recordSchema)
        identify(record.query_id)
        return toTask(record, companions)
      })
  return collector
}

/** Lists the files of the questions and the files beside them that are read. */
export async function listBrowseCompPlusFiles(path: string): Promise<string[]> {
  const companions = await Promise.all(companionNames.map(name => findFileBeside(path, name)))
  return [...(await listQuestionFiles(path)), ...companions.filter(file => file !== null)]
}

async function listQuestionFiles(path: string): Promise<readonly string[]> {
  if (!(await isFolder(path))) {
    await requireFile(path, 'the file of the questions, or its folder')
    return [path]
  }
  const files = await listFiles(path, name => /^[^/\\.][^/\\]*\.jsonl$/.test(name))
  if (files.length > 0) return files
  throw new ConfigError(`--tasks ${path}: the folder contains no .jsonl file. Put the questions there.`, {
    code: 'unreadable-tasks',
  })
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    entry => entry.isDirectory(),
    () => false,
  )
}

/** Returns the path of a file in the folder of the questions; null when it is missing. */
async function findFileBeside(path: string, name: string): Promise<string | null> {
  const file = join((await isFolder(path)) ? path : dirname(path), name)
  return await stat(file).then(
    () => file,
    () => null,
  )
}

async function readCompanions(path: string): Promise<Companions> {
  const canaryFile = await findFileBeside(path, 'canary.txt')
  const canary = canaryFile === null ? undefined : (await readTextFile(canaryFile)).trim() || undefined
  const judgements = new Map<string, Map<string, number>>()
  const named = [['qrel_evidence.txt', 1] as const, ...goldNames.map(name => [name, 2] as const)]
  for (const [name, relevance] of named) {
    const file = await findFileBeside(path, name)
    if (file === null) continue
    for (const { queryId, documentId } of await readJudgements(file)) {
      const relevances = judgements.get(queryId) ?? new Map<string, number>()
      judgements.set(queryId, relevances.set(documentId, relevance))
    }
  }
  return { canary, judgements }
}

/** Reads the relevant documents of a file in TREC's format: `QUERY Q0 DOCUMENT RELEVANCE` per line. */
async function readJudgements(file: string): Promise<{ queryId: string; documentId: string }[]> {
  const relevant: { queryId: string; documentId: string }[] = []
  for await (const { line, text } of readLines(file)) {
    const [queryId, , documentId, relevance, more] = text?.trim().split(/\s+/) ?? []
    if (
      queryId === undefined ||
      documentId === undefined ||
      !/^\d+$/.test(relevance ?? '') ||
      more !== undefined
    )
      throw new ConfigError(
        `${file}:${line}: not a relevance judgement. Write QUERY Q0 DOCUMENT RELEVANCE, such as 12 Q0 3045 1.`,
        { code: 'unreadable-tasks' },
      )
    if (Number(relevance) > 0) relevant.push({ queryId, documentId })
  }
  return relevant
}

function toTask(record: QueryRecord, companions: Companions): Task {
  const canary = record.canary ?? companions.canary
  const decrypt = (text: string): string =>
    canary === undefined ? requireClear(text) : decryptText(text, canary)
  const [query, answer] = [decrypt(record.query), decrypt(record.answer)]
  const relevant = companions.judgements.get(record.query_id)
  return {
    question: {
      taskId: record.query_id,
      benchmark: 'browsecomp-plus',
      domain: 'general',
      language: 'en',
      query,
      documentNames: [],
      form: { kind: 'text', instructions },
    },
    gold: { kind: 'text', references: [answer], scoring: { isEncrypted: canary !== undefined } },
    documents: [],
    evidence:
      relevant === undefined
        ? null
        : {
            kind: 'judgements',
            judgements: [...relevant].map(([documentId, relevance]) => ({ documentId, relevance })),
          },
    ...(canary === undefined ? {} : { canary }),
  }
}

/** Base64 of at least this many characters is encrypted text, not a word. */
const encryptedText = /^[A-Za-z0-9+/]{60,}={0,2}$/

function requireClear(text: string): string {
  if (!encryptedText.test(text)) return text
  throw makeRecordError(
    'the record is encrypted. Write the canary of the data set to canary.txt beside the file.',
  )
}
