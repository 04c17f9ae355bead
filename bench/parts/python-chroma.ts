import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runPython } from './environment.ts'
import { withTemporaryFolder } from './process.ts'

/** What Python's Chroma needs for the same vectors. */
export interface PythonChromaCost {
  /** The version of Chroma. */
  readonly chroma: string
  /** Random vectors written per second, for each of the written dimensions of the layout. */
  readonly writtenPerSecond: readonly number[]
  readonly p50Ms: number
  readonly p95Ms: number
  readonly recallMean: number
  readonly recallWorst: number
}

/** The vectors of chunks and queries, and which of them belong together. */
export interface VectorLayout {
  readonly dimensions: number
  readonly k: number
  /** Further dimensions: as many random vectors are written for each. */
  readonly written: readonly number[]
  /** For each task, the row of its query and the ranges of rows of its documents, from start to before end. */
  readonly tasks: readonly { readonly query: number; readonly rows: readonly (readonly [number, number])[] }[]
}

/** Indexes and queries vectors with Python's Chroma, in a process of its own. */
export async function measurePythonChroma(
  python: string,
  layout: VectorLayout,
  vectors: Readonly<Record<'chunks' | 'queries', readonly Float32Array[]>>,
): Promise<PythonChromaCost> {
  return await withTemporaryFolder(async folder => {
    await writeFile(join(folder, 'layout.json'), JSON.stringify(layout))
    for (const [name, rows] of Object.entries(vectors)) {
      const bytes = rows.map(row => Buffer.from(row.buffer, row.byteOffset, row.byteLength))
      await writeFile(join(folder, `${name}.f32`), Buffer.concat(bytes))
    }
    return await runPython(python, 'python_chroma.py', [folder])
  })
}
