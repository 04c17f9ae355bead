import { readdir } from 'node:fs/promises'
import { extname } from 'node:path'
import { documentEndings } from '../../core/document.ts'
import type { Task } from '../../core/task.ts'

/** The endings of the files that can be an optional document. */
const ending = new RegExp(`^\\.(?:${documentEndings})$`, 'i')

/**
 * Adds to each task its optional documents that are in the folder, after its other documents. Names are compared without
 * the file's ending, 《》, letter case and Unicode form. The names in the question and the evidence stay as they are.
 *
 * @param docs the folder of documents; null when there is none. When it cannot be listed, nothing is added, because what
 * opens the documents reports the folder.
 */
export async function withOptionalDocuments<T extends Task>(
  tasks: readonly T[],
  docs: string | null,
): Promise<readonly T[]> {
  if (docs === null || tasks.every(({ optionalDocuments = [] }) => optionalDocuments.length === 0))
    return tasks
  const files = await findFilesByTitle(docs)
  return tasks.map(task => {
    const present = new Set(task.documents.map(({ name }) => normaliseTitle(name)))
    const titles = [...new Set((task.optionalDocuments ?? []).map(normaliseTitle))]
    const names = titles.flatMap(title => (present.has(title) ? [] : (files.get(title) ?? [])))
    return names.length === 0
      ? task
      : { ...task, documents: [...task.documents, ...names.map(name => ({ name }))] }
  })
}

/** Maps the title of each file to its name. Of several files with one title, the first in alphabetical order is taken. */
async function findFilesByTitle(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const names = entries
    .filter(entry => entry.isFile() || entry.isSymbolicLink())
    .map(({ name }) => name)
    .filter(name => ending.test(extname(name)))
  return new Map(
    names
      .sort()
      .reverse()
      .map(name => [normaliseTitle(name), name]),
  )
}

function normaliseTitle(name: string): string {
  const last = extname(name)
  const stem = ending.test(last) ? name.slice(0, -last.length) : name
  return stem
    .normalize('NFC')
    .toLowerCase()
    .trim()
    .replace(/^《(.*)》$/u, '$1')
}
