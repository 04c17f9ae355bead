import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from '../../src/system/paths.ts'
import { runProcess } from './process.ts'

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

/** How to measure the peer in the same run. */
export const pythonHint =
  'to measure it here, name a Python with chromadb and numpy in TABLEHUNT_BENCH_PYTHON'

/** Returns the Python that TABLEHUNT_BENCH_PYTHON names; null when it names none. */
export function benchPython(): string | null {
  return process.env.TABLEHUNT_BENCH_PYTHON || null
}

/** Writes vectors to a folder for `measurePythonChroma`. */
export async function writeVectors(
  folder: string,
  layout: VectorLayout,
  { chunks, queries }: Readonly<Record<'chunks' | 'queries', readonly Float32Array[]>>,
): Promise<void> {
  await writeFile(join(folder, 'layout.json'), JSON.stringify(layout))
  await writeFile(join(folder, 'chunks.f32'), joinRows(chunks))
  await writeFile(join(folder, 'queries.f32'), joinRows(queries))
}

function joinRows(vectors: readonly Float32Array[]): Buffer {
  return Buffer.concat(vectors.map(row => Buffer.from(row.buffer, row.byteOffset, row.byteLength)))
}

/** Indexes and queries the vectors of a folder with Python's Chroma, in a process of its own. */
export async function measurePythonChroma(python: string, folder: string): Promise<PythonChromaCost> {
  const script = join(packageRoot, 'bench', 'parts', 'python_chroma.py')
  const { stdout } = await runProcess([python, script, folder])
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as PythonChromaCost
}
