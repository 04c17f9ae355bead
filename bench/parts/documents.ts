import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { packageRoot } from '../../src/system/paths.ts'
import { demoPaths } from '../../tasks/demo/demo.ts'

export interface BenchDocuments {
  /** The name of the set in the text of a figure. */
  readonly name: string
  readonly tasks: string
  readonly folder: string
}

/**
 * Returns the real tasks and documents of the folder TABLEHUNT_BENCH_TABLES, by default one next to the package. Without
 * it, returns those of the demo.
 */
export function benchDocuments(): BenchDocuments {
  const tables = process.env.TABLEHUNT_BENCH_TABLES ?? resolve(packageRoot, '../shared/data/tables')
  const [tasks, folder] = [join(tables, 'tasks.jsonl'), join(tables, 'documents')]
  if (existsSync(tasks) && existsSync(folder)) return { name: 'real documents', tasks, folder }
  return { name: 'the demo documents', tasks: demoPaths.tasks, folder: demoPaths.documents }
}

/** Lists the paths of a folder's PDFs by name. */
export async function pdfsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder)
  return names
    .filter(name => name.toLowerCase().endsWith('.pdf'))
    .sort()
    .map(name => join(folder, name))
}
