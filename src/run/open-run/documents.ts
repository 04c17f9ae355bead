import { access, constants, readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { listAnswerSources } from '../../../agents/registry.ts'
import { createDocumentFinder, loadContextDocuments } from '../../../retrieval/context-documents.ts'
import type { DocumentReader } from '../../../retrieval/document-reader.ts'
import { defaultTableFormat } from '../../../retrieval/table-formats/formats.ts'
import type { ContextDocument } from '../../core/document.ts'
import { ConfigError, DataError } from '../../core/errors.ts'
import { documentNamesText } from '../../core/missing-documents.ts'
import type { Task } from '../../core/task.ts'
import { requireInside } from '../../system/files.ts'

/** The documents of this many tasks stay in memory, because neighbouring attempts of the plan use the same ones. */
const rememberedTasks = 16

/**
 * Returns a function that loads a task's documents as text, and remembers those of the latest tasks.
 *
 * @param docs the folder of documents; null when there is none
 * @param firstFormat the default format of documents that are tables
 */
export function makeDocumentSource(
  reader: DocumentReader,
  docs: string | null,
  firstFormat: string = defaultTableFormat,
): (task: Task, tableFormat?: string) => Promise<readonly ContextDocument[]> {
  const remembered = new Map<string, Promise<readonly ContextDocument[]>>()
  return (task, tableFormat = firstFormat) => {
    const key = JSON.stringify([task.question.taskId, tableFormat])
    const earlierLoading = remembered.get(key)
    if (earlierLoading !== undefined) return earlierLoading
    const loading = loadContextDocuments(task.documents, docs, reader, tableFormat)
    remembered.set(key, loading)
    loading.catch(() => {
      if (remembered.get(key) === loading) remembered.delete(key)
    })
    const oldest = remembered.keys().next()
    if (remembered.size > rememberedTasks && !oldest.done) remembered.delete(oldest.value)
    return loading
  }
}

/**
 * Returns a function that finds the file of a task's document. The folder is listed once.
 *
 * @param docs the folder of documents; null when there is none
 */
export function makePathFinder(docs: string | null): (task: Task, hint: string) => Promise<string | null> {
  let listed: ReturnType<typeof createDocumentFinder> | null = null
  return async ({ documents }, hint) => {
    const isFile = documents.some(({ name, load }) => name === hint && load === undefined)
    if (docs === null || !isFile) return null
    return (await (listed ??= createDocumentFinder(docs)))(hint)
  }
}

/**
 * Loads the task's documents. Returns null when the run does not have them: without --docs it has them only if the
 * benchmark supplies every one.
 */
export async function readKnownDocuments(
  task: Task,
  resources: { documents(task: Task, tableFormat?: string): Promise<readonly ContextDocument[]> },
  { docs, tableFormat }: { readonly docs: string | null; readonly tableFormat?: string | undefined },
): Promise<readonly ContextDocument[] | null> {
  const allSupplied = task.documents.every(({ load }) => load !== undefined)
  return docs !== null || allSupplied ? await resources.documents(task, tableFormat) : null
}

/** Counts the distinct documents that are files, and lists those that are missing in `docs` or cannot be opened. */
async function describeMissingDocuments(tasks: readonly Task[], docs: string | null) {
  const fileOf =
    docs === null
      ? () => null
      : await createDocumentFinder(docs).catch((error: unknown) => {
          if (error instanceof DataError) throw error
          throw makeUnreadableFolderError(`--docs ${docs}`)
        })
  const names = new Set<string>()
  const missing: string[] = []
  for (const task of tasks) {
    for (const { name, load } of task.documents) {
      if (load !== undefined || names.has(name)) continue
      names.add(name)
      const path = fileOf(name)
      if (path === null || !(await isReadable(path))) missing.push(name)
    }
  }
  return { fileCount: names.size, missing }
}

/** Whether a file can be opened and has content. */
async function isReadable(path: string): Promise<boolean> {
  return await access(path, constants.R_OK)
    .then(async () => (await stat(path)).size > 0)
    .catch(() => false)
}

/** The options that decide which documents attempts need. */
interface CheckedDocuments {
  readonly docs: string | null
  readonly setting: readonly string[]
  readonly web: string
  readonly allowMissingDocuments?: boolean
}

/**
 * Looks for the tasks' documents before anything is spent.
 *
 * @returns a line that says how many are missing; null when none is
 * @throws ConfigError [no-documents] when a setting or a sealed web needs them and all are missing; [unreadable-folder]
 */
export async function checkDocuments(
  tasks: readonly Task[],
  { docs, setting, web, allowMissingDocuments = false }: CheckedDocuments,
): Promise<string | null> {
  const reads = listAnswerSources(setting).has('documents')
  const seals = web === 'sealed' && listAnswerSources(setting).has('web')
  const { fileCount, missing } = await describeMissingDocuments(tasks, docs)
  if (missing.length === 0) return null
  const line = `${missing.length} of ${fileCount} missing or unreadable: ${documentNamesText(missing)}`
  if (docs === null && seals)
    throw new ConfigError(`${line}. --web sealed needs the documents. Name their folder with --docs DIR.`, {
      code: 'no-documents',
    })
  if (!reads) return docs === null ? null : `documents: ${line}`
  if (missing.length < fileCount) {
    const effect = allowMissingDocuments
      ? 'their tasks are made and scored without them'
      : 'attempts that need them are not scored. Put them there, or add --allow-missing-documents to score without them'
    return `documents: ${line}; ${effect}`
  }
  const fix =
    docs === null ? 'Name their folder with --docs DIR' : 'Correct --docs, or the names in the tasks'
  const where = docs === null ? '' : `${docs}: none of the tasks' documents is in this folder. `
  const withoutDocuments = web === 'sealed' ? '' : ' --setting online and closed-book need no documents.'
  throw new ConfigError(`${where}Documents: ${line}. ${fix}.${withoutDocuments}`, { code: 'no-documents' })
}

/** A file of a folder of documents. */
export interface FoundFile {
  /** Its path relative to the folder, separated by '/'. */
  readonly name: string
  readonly path: string
  readonly bytes: number
}

/**
 * Lists the files of a folder by name, without those that begin with a dot. Follows links within the folder, and reports
 * broken ones.
 *
 * @param options `deep`: includes the files of inner folders; `above`: the folders that contain this one, which links must not leave
 * @throws ConfigError [unreadable-folder] DataError [link-outside-folder]
 */
export async function listFiles(
  folder: string,
  options: {
    readonly deep: boolean
    readonly tell: (line: string) => void
    readonly above?: readonly string[]
  },
): Promise<FoundFile[]> {
  const { above = [], tell, deep } = options
  const names = await readdir(folder).catch(() => {
    throw makeUnreadableFolderError(folder)
  })
  const files: FoundFile[] = []
  for (const name of names.filter(name => !name.startsWith('.'))) {
    const path = join(folder, name)
    try {
      const facts = await stat(path)
      const folders = [...above, await realpath(folder)]
      await requireInside(folders[0]!, path)
      if (facts.isFile()) files.push({ name, path, bytes: facts.size })
      else if (facts.isDirectory() && folders.includes(await realpath(path)))
        tell(`documents: ${name}: left out: this link leads to a folder that contains it`)
      else if (facts.isDirectory() && deep)
        for (const file of await listFiles(path, { deep, tell, above: folders }))
          files.push({ ...file, name: `${name}/${file.name}` })
    } catch (error) {
      tell(`documents: ${name}: left out: ${explainUnreadable(error)}`)
    }
  }
  return files.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function makeUnreadableFolderError(place: string): ConfigError {
  return new ConfigError(`${place}: this is not a folder that can be read. Correct the name of the folder.`, {
    code: 'unreadable-folder',
  })
}

/** Returns why a file or folder cannot be read. Throws errors that do not come from the file system. */
export function explainUnreadable(error: unknown): string {
  if (error instanceof DataError) throw error
  if (error instanceof ConfigError) return 'a folder that cannot be read'
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (typeof code === 'string') return `it cannot be read (${code})`
  throw error
}
