import { readFile } from 'node:fs/promises'
import PQueue from 'p-queue'
import type { DocumentReader } from '../../retrieval/document-reader.ts'
import type { CorpusInput, SourceDocument } from '../../tools/web/corpus-input.ts'
import type { RunConfig } from '../config.ts'
import { type DocumentText, joinPages } from '../core/document.ts'
import type { Task } from '../core/task.ts'
import { filesOf } from './documents.ts'

export interface CorpusSources {
  readonly config: Pick<RunConfig, 'docs' | 'twins' | 'seed'>
  readonly tasks: readonly Task[]
  /** A folder of look-alike documents; null: none. */
  readonly distractors: string | null
  /** Told of every document that could not be read whole for want of time, a line each. */
  readonly tell?: (line: string) => void
}

/** Files that are in memory at once. */
const readAtOnce = 8

/** What a sealed web is made of: every file of --docs, the cases inside records, and look-alikes. */
export async function corpusInput(sources: CorpusSources, reader: DocumentReader): Promise<CorpusInput> {
  const { config, tasks, distractors } = sources
  const read = (folder: string | null) => (folder === null ? [] : readFolder(folder, reader, sources.tell))
  const embedded = new Map(tasks.flatMap(task => task.embedded.map(document => [document.hint, document])))
  return {
    documents: await read(config.docs),
    embedded: [...embedded.values()],
    distractors: await read(distractors),
    twins: config.twins,
    seed: config.seed,
  }
}

async function readFolder(
  folder: string,
  reader: DocumentReader,
  tell: CorpusSources['tell'],
): Promise<SourceDocument[]> {
  const files = await filesOf(folder)
  const read = async ({ name, path }: { name: string; path: string }) =>
    await reader.read(await readFile(path), name)
  const queue = new PQueue({ concurrency: readAtOnce })
  const texts: DocumentText[] = await Promise.all(files.map(file => queue.add(() => read(file))))
  for (const [index, file] of files.entries()) {
    // The machine has less to do now than when all of them were read side by side.
    if (!texts[index]!.lasting) texts[index] = await read(file)
    const { lasting, problem } = texts[index]!
    if (!lasting) tell?.(`documents: ${file.name}: ${problem}: no search finds what stands there`)
  }
  return files.map(({ name, path }, index) => sourceOf(name, path, texts[index]!))
}

function sourceOf(name: string, path: string, read: DocumentText): SourceDocument {
  const text = joinPages(read.pages)
  return { name, source: { path }, text: text === '' ? null : text, reader: read.reader }
}
