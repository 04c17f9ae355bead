import { readFile } from 'node:fs/promises'
import PQueue from 'p-queue'
import { isSupplied, loadSuppliedText } from '../../../retrieval/document-content.ts'
import type { DocumentReader } from '../../../retrieval/document-reader.ts'
import type { CorpusInput, SourceDocument, SuppliedText } from '../../../tools/web/corpus-input.ts'
import type { RunConfig } from '../../config.ts'
import { type DocumentText, joinPages } from '../../core/document.ts'
import type { Task } from '../../core/task.ts'
import { type FoundFile, filesOf, reasonOf } from './documents.ts'

/** The options that say what a sealed web is made of. */
export type CorpusOptions = Pick<RunConfig, 'docs' | 'seed' | 'twins'> &
  Partial<Pick<RunConfig, 'tableFormat'>>

export interface CorpusSources {
  readonly config: CorpusOptions
  readonly tasks: readonly Task[]
  /** A folder of look-alike documents; null: none. */
  readonly distractors: string | null
  /** Told of every document that is left out, has no text or could not be read whole for want of time, a line each. */
  readonly tell?: (line: string) => void
  /** True: the folders inside --docs count too. */
  readonly deep?: boolean
}

/** Files that are in memory at once. */
const readAtOnce = 8
const mostBytes = 500_000_000

/** What a sealed web is made of: every file of --docs, the cases inside records, and look-alikes. */
export async function corpusInput(sources: CorpusSources, reader: DocumentReader): Promise<CorpusInput> {
  const { config, tasks, distractors } = sources
  const read = (folder: string | null) => (folder === null ? [] : readFolder(folder, reader, sources))
  return {
    documents: await read(config.docs),
    embedded: await suppliedTexts(tasks, config.tableFormat?.[0]),
    distractors: await read(distractors),
    twins: config.twins,
    seed: config.seed,
  }
}

/** The documents that benchmarks supply, each once. Documents of one name need not have one text. */
async function suppliedTexts(
  tasks: readonly Task[],
  tableFormat: string | undefined,
): Promise<SuppliedText[]> {
  const texts = new Map<string, SuppliedText>()
  for (const document of tasks.flatMap(task => task.documents)) {
    if (!isSupplied(document)) continue
    const { name, title = name } = document
    const text = await loadSuppliedText(document, tableFormat)
    texts.set(`${name}\n${text}`, { hint: name, title, text })
  }
  return [...texts.values()]
}

async function readFolder(
  folder: string,
  reader: DocumentReader,
  { tell = () => undefined, deep = false }: CorpusSources,
): Promise<SourceDocument[]> {
  const read = async (file: FoundFile): Promise<DocumentText | null> => {
    const tooLarge = `it is larger than ${mostBytes / 1e6} MB`
    const bytes = file.bytes > mostBytes ? tooLarge : await readFile(file.path).catch(reasonOf)
    if (typeof bytes !== 'string') return await reader.read(bytes, file.name)
    tell(`documents: ${file.name}: left out: ${bytes}`)
    return null
  }
  const files = await filesOf(folder, { deep, tell })
  const queue = new PQueue({ concurrency: readAtOnce })
  const texts = await Promise.all(files.map(file => queue.add(() => read(file))))
  const documents: SourceDocument[] = []
  for (const [index, file] of files.entries()) {
    // The machine has less to do now than when all of them were read side by side.
    const text = texts[index]?.lasting === false ? await read(file) : texts[index]
    if (text === null || text === undefined) continue
    if (!text.lasting) tell(`documents: ${file.name}: ${text.problem}: no search finds what stands there`)
    else if (text.pages.every(page => page.text.trim() === ''))
      tell(`documents: ${file.name}: ${text.problem ?? 'no text'}: found by its name alone`)
    documents.push(sourceOf(file, text))
  }
  return documents
}

function sourceOf({ name, path }: FoundFile, read: DocumentText): SourceDocument {
  const text = joinPages(read.pages)
  return { name, source: { path }, text: text === '' ? null : text, reader: readerOf(read) }
}

/** A text without scanned pages is the same with and without a recogniser, which stands behind the plus sign. */
function readerOf({ pages, problem, reader }: DocumentText): string {
  const scanned = pages.some(page => page.ocr) || problem?.includes('scanned:') === true
  return scanned ? reader : (reader.split('+')[0] ?? reader)
}
