import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { loadContextDocuments } from '../../retrieval/context-documents.ts'
import type { DocumentReader } from '../../retrieval/document-reader.ts'
import type { ContextDocument } from '../core/document.ts'
import { ConfigError } from '../core/errors.ts'
import type { Task } from '../core/task.ts'

/** How many tasks' documents stay in memory: neighbours in the plan share them. */
const rememberedTasks = 16

/** Gives each task's documents as text, reading none twice while it is remembered. */
export function documentSource(
  reader: DocumentReader,
  docs: string | null,
): (task: Task) => Promise<readonly ContextDocument[]> {
  const remembered = new Map<string, Promise<readonly ContextDocument[]>>()
  return task => {
    const { taskId, hints } = task.question
    const known = remembered.get(taskId)
    if (known !== undefined) return known
    const loading = loadContextDocuments(hints, docs, task.embedded, reader)
    remembered.set(taskId, loading)
    const oldest = remembered.keys().next()
    if (remembered.size > rememberedTasks && !oldest.done) remembered.delete(oldest.value)
    return loading
  }
}

async function filesIn(docs: string): Promise<Set<string>> {
  try {
    return new Set((await readdir(docs)).map(name => name.normalize('NFC').toLowerCase()))
  } catch {
    throw new ConfigError(`--docs ${docs}: no folder there that can be read`)
  }
}

/** The hints that name files (not cases inside a record), and those of them that are not under docs, each once. */
async function missingDocuments(tasks: readonly Task[], docs: string | null) {
  const files = docs === null ? new Set<string>() : await filesIn(docs)
  const wanted = new Set<string>()
  const missing: string[] = []
  for (const task of tasks) {
    const embedded = new Set(task.embedded.map(document => document.hint))
    for (const hint of task.question.hints) {
      if (embedded.has(hint) || wanted.has(hint)) continue
      wanted.add(hint)
      if (!files.has(hint.normalize('NFC').toLowerCase())) missing.push(hint)
    }
  }
  return { wanted: wanted.size, missing }
}

/**
 * Looks for the tasks' documents before anything is spent. All missing: ConfigError, where a setting reads them.
 * Some missing: one line to say so; null when all are there.
 */
export async function checkDocuments(
  tasks: readonly Task[],
  docs: string | null,
  settings: readonly string[],
): Promise<string | null> {
  const reads = settings.filter(setting => setting !== 'online')
  const { wanted, missing } = await missingDocuments(tasks, docs)
  if (missing.length === 0) return null
  const names = missing.slice(0, 3).join(', ') + (missing.length > 3 ? ' …' : '')
  const line = `${missing.length} of ${wanted} missing: ${names}`
  if (reads.length === 0) return docs === null ? null : `documents: ${line}`
  if (missing.length < wanted) return `documents: ${line}: their tasks go on without them`
  const mend =
    docs === null ? 'name their folder with --docs DIR' : `--docs ${docs} holds none of the tasks' documents`
  throw new ConfigError(`${line}: ${mend} (or run --setting online alone)`)
}

/** Every file of a folder, by name: what a sealed web is made of. */
export async function filesOf(folder: string): Promise<{ name: string; path: string }[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => {
    throw new ConfigError(`${folder}: no folder there that can be read`)
  })
  return entries
    .filter(entry => entry.isFile() && !entry.name.startsWith('.'))
    .map(entry => ({ name: entry.name, path: join(folder, entry.name) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}
