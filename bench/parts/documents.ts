import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { demoPaths } from '../../tasks/demo/demo.ts'

export interface BenchDocuments {
  /** The name of the set in the text of a figure. */
  readonly name: string
  readonly tasks: string
  readonly folder: string
}

/** Returns the real tasks and documents of the folder TABLEHUNT_BENCH_TABLES. Without it, returns those of the demo. */
export function benchDocuments(): BenchDocuments {
  const tables = process.env.TABLEHUNT_BENCH_TABLES
  if (tables !== undefined)
    return { name: 'real documents', tasks: join(tables, 'tasks.jsonl'), folder: join(tables, 'documents') }
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
