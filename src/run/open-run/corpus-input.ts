import PQueue from 'p-queue'
import {
  isSupplied,
  loadSupplied,
  readContent,
  readDocumentFile,
} from '../../../retrieval/context-documents.ts'
import type { DocumentReader } from '../../../retrieval/document-reader.ts'
import type { CorpusInput, SourceDocument, SuppliedText } from '../../../tools/web/corpus-build.ts'
import { type DocumentText, joinPages } from '../../core/document.ts'
import { documentNamesText } from '../../core/missing-documents.ts'
import type { Task } from '../../core/task.ts'
import { explainUnreadable, type FoundFile, listFiles } from './documents.ts'

/** The options that decide what a sealed web contains. */
export interface CorpusOptions {
  readonly docs: string | null
  readonly seed: number
  readonly twins: number
  readonly tableFormat?: readonly string[]
}

/** Where the documents of a sealed web come from. */
export interface CorpusSources {
  readonly config: CorpusOptions
  readonly tasks: readonly Task[]
  /** A folder of look-alike documents; null when there is none. */
  readonly distractors: string | null
  /** Receives one line for each document that is left out, has no text, or could not be read completely in time. */
  readonly tell?: (line: string) => void
  /** True: includes the folders inside --docs. */
  readonly deep?: boolean
}

/** The most files that are in memory at the same time. */
const readAtOnce = 8

/** Collects the documents of a sealed web: every file of --docs, the documents that benchmarks supply, and look-alikes. */
export async function readCorpusInput(sources: CorpusSources, reader: DocumentReader): Promise<CorpusInput> {
  const { config, tasks, distractors } = sources
  const readAll = (folder: string | null) => (folder === null ? [] : readFolder(folder, reader, sources))
  return {
    documents: await readAll(config.docs),
    embedded: await readSuppliedTexts(tasks, config.tableFormat?.[0]),
    distractors: await readAll(distractors),
    twins: config.twins,
    seed: config.seed,
  }
}

/** Loads the documents that benchmarks supply, each once. Documents with the same name may have different texts. */
async function readSuppliedTexts(
  tasks: readonly Task[],
  tableFormat: string | undefined,
): Promise<SuppliedText[]> {
  const texts = new Map<string, SuppliedText>()
  for (const document of tasks.flatMap(task => task.documents)) {
    if (!isSupplied(document)) continue
    const { name, title = name } = document
    const text = readContent(await loadSupplied(document), tableFormat)
    texts.set(`${name}\n${text}`, { hint: name, title, text })
  }
  return [...texts.values()]
}

async function readFolder(
  folder: string,
  reader: DocumentReader,
  { tell = () => undefined, deep = false }: CorpusSources,
): Promise<SourceDocument[]> {
  const readText = async (file: FoundFile): Promise<DocumentText | null> => {
    const bytes = await readDocumentFile(file.path).catch(explainUnreadable)
    if (typeof bytes !== 'string') return await reader.read(bytes, file.name)
    tell(`documents: ${file.name}: left out: ${bytes}`)
    return null
  }
  const files = await listFiles(folder, { deep, tell })
  const queue = new PQueue({ concurrency: readAtOnce })
  const texts = await Promise.all(files.map(file => queue.add(() => readText(file))))
  const documents: SourceDocument[] = []
  const readInPart: string[] = []
  for (const [index, file] of files.entries()) {
    // A file that took too long is read again alone, when the machine has less to do.
    const text = texts[index]?.lasting === false ? await readText(file) : texts[index]
    if (text === null || text === undefined) continue
    if (!text.lasting) tell(`documents: ${file.name}: ${text.problem}; searches do not find its missing text`)
    else if (text.pages.every(page => page.text.trim() === ''))
      tell(`documents: ${file.name}: ${text.problem ?? 'no text'}; searches find it by its name only`)
    else if (text.problem !== null || text.notices !== undefined) readInPart.push(file.name)
    documents.push(createSource(file, text))
  }
  if (readInPart.length > 0)
    tell(
      `documents: our reader left out, guessed or could not read a part of ${readInPart.length} of ${files.length} (${documentNamesText(readInPart)}), so their web pages may lack it; 'tablehunt tasks check' names it`,
    )
  return documents
}

function createSource({ name, path }: FoundFile, content: DocumentText): SourceDocument {
  const text = joinPages(content.pages)
  return { name, source: { path }, text: text === '' ? null : text, reader: nameReader(content) }
}

/** Returns the reader's name. Without scanned pages the OCR program, after the plus sign, is left out: it makes no difference. */
function nameReader({ pages, problem, reader }: DocumentText): string {
  const scanned = pages.some(page => page.ocr) || problem?.includes('scanned:') === true
  return scanned ? reader : (reader.split('+')[0] ?? reader)
}
