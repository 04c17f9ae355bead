import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from '../../src/system/paths.ts'
import { demoPaths } from '../../tasks/demo/demo.ts'
import { readLastLine, runProcess } from './process.ts'

/** What variables and programs of this machine offer to the benches. docs/bench.md lists them. */

/** Returns the real tasks and documents of the folder TABLEHUNT_BENCH_TABLES. Without it, returns those of the demo. */
export function benchDocuments(): { readonly name: string; readonly tasks: string; readonly folder: string } {
  const tables = process.env.TABLEHUNT_BENCH_TABLES
  if (tables === undefined)
    return { name: 'the demo documents', tasks: demoPaths.tasks, folder: demoPaths.documents }
  return { name: 'real documents', tasks: join(tables, 'tasks.jsonl'), folder: join(tables, 'documents') }
}

/** Lists the paths of a folder's PDFs by name. */
export async function listPdfs(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter(name => name.toLowerCase().endsWith('.pdf'))
  return names.sort().map(name => join(folder, name))
}

/** The folder of the collections of pages; null when TABLEHUNT_BENCH_READING names none. */
export const readingFolder = (): string | null => process.env.TABLEHUNT_BENCH_READING || null

/** The Python that TABLEHUNT_BENCH_PYTHON names; null when it names none. */
export const benchPython = (): string | null => process.env.TABLEHUNT_BENCH_PYTHON || null

/** Runs a script of this folder with a Python. Returns its last line of output as JSON. */
export async function runPython<T>(python: string, script: string, args: readonly string[]): Promise<T> {
  const { stdout } = await runProcess([python, join(packageRoot, 'bench', 'parts', script), ...args])
  return readLastLine<T>(stdout)
}
