import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import PQueue from 'p-queue'
import { ConfigError } from '../../src/core/errors.ts'
import { writeFileAtomically } from '../../src/system/atomic-write.ts'
import { ifMissing } from '../../src/system/files.ts'
import { harmlessEnvironment } from '../../src/system/harmless-environment.ts'
import { sha256 } from '../../src/system/hash.ts'
import { runProgram } from '../../src/system/run-program.ts'
import type { PageOcr } from '../read-document.ts'
import { readTesseractOutput } from './reading-order.ts'
import { type Rendered, renderPages } from './rendering.ts'

/** Advice for machines without tesseract. Part of the problem that is reported for scanned pages. */
export const tesseractHint =
  "install tesseract (Debian's tesseract-ocr and tesseract-ocr-chi-sim) to have them read"

/** Time limits for a page: one for each try. The second try is for busy machines. */
const defaultPageTimeoutsMs = [120_000, 600_000]
const defaultProbeTimeoutsMs = [10_000, 120_000]
/** The languages of the benchmarks. Those that are installed are used. */
const wantedLanguages = ['chi_sim', 'eng']

/** Changes when the order of recognised texts changes, so that cached texts are not mixed. */
const layoutVersion = 'columns'

/** The result for a page: its text, `none` when tesseract failed, or `late` when it was stopped before it finished. */
type Recognition = { readonly text: string } | 'none' | 'late'

/** Settings of `findTesseract`. The defaults suit every machine; tests set their own. */
export interface TesseractOptions {
  readonly program?: string
  /** Time limits for reading a page, one for each try. */
  readonly pageTimeoutsMs?: readonly number[]
  /** Time limits for asking for version and languages, one for each try. */
  readonly probeTimeoutsMs?: readonly number[]
}

/**
 * Finds tesseract on this machine. It runs one process for each processor at the same time. The text of each page is
 * cached by the hash of the page's image.
 *
 * @returns null when tesseract is not installed with English or simplified Chinese
 * @throws ConfigError `tesseract-not-answering` when tesseract is installed but does not answer in time. Continuing
 *   without it would change the texts of documents.
 */
export async function findTesseract(
  cacheFolder: string,
  options: TesseractOptions = {},
): Promise<PageOcr | null> {
  const program = options.program ?? 'tesseract'
  const probeTimeoutsMs = options.probeTimeoutsMs ?? defaultProbeTimeoutsMs
  const [version, languageList] = await Promise.all([
    askProgram(program, '--version', probeTimeoutsMs),
    askProgram(program, '--list-langs', probeTimeoutsMs),
  ])
  if (version === null || languageList === null) return null
  const installed = new Set(languageList.split('\n').map(line => line.trim()))
  const languages = wantedLanguages.filter(language => installed.has(language))
  if (languages.length === 0) return null
  const number = /tesseract v?([\w.]+)/.exec(version)?.[1] ?? 'unknown'
  const timeoutsMs = options.pageTimeoutsMs ?? defaultPageTimeoutsMs
  const queue = new PQueue({ concurrency: availableParallelism() })
  const name = `tesseract-${number}-${languages.join('-')}-${layoutVersion}`
  return tesseract(name, cacheFolder, image =>
    queue.add(() => recognise({ program, languages, image, timeoutsMs })),
  )
}

async function askProgram(
  program: string,
  argument: string,
  timeoutsMs: readonly number[],
): Promise<string | null> {
  for (const timeout of timeoutsMs) {
    try {
      const { stdout, stderr } = await runProgram(program, [argument], timeout)
      return `${stdout}\n${stderr}`
    } catch (error) {
      // A program that was killed is installed but slow. Any other error means that it cannot be used.
      if (!(error instanceof Error && 'killed' in error && error.killed === true)) return null
    }
  }
  throw new ConfigError(
    `'${program} ${argument}' does not answer, so scanned pages cannot be read. Run the command again when this machine is less busy, or uninstall ${program}.`,
    { code: 'tesseract-not-answering' },
  )
}

function tesseract(
  name: string,
  cacheFolder: string,
  recognition: (image: Uint8Array) => Promise<Recognition>,
): PageOcr {
  async function textOn(image: Uint8Array): Promise<Recognition> {
    const file = join(cacheFolder, `${sha256(image)}.${name}.txt`)
    const cached = await readFile(file, 'utf8').catch(ifMissing)
    if (cached !== null) return { text: cached }
    const recognised = await recognition(image)
    if (typeof recognised === 'object') await writeFileAtomically(file, recognised.text)
    return recognised
  }

  return {
    name,
    async read(bytes, pages) {
      const texts = new Map<number, string>()
      const late: number[] = []
      const readPage = async ({ number, image, late: isLate }: Rendered): Promise<void> => {
        const recognised = image === null ? 'none' : await textOn(image)
        if (isLate || recognised === 'late') late.push(number)
        if (typeof recognised === 'object') texts.set(number, tidyText(recognised.text))
      }
      await processConcurrently(renderPages(bytes, pages), readPage)
      return { texts, late: late.sort((a, b) => a - b) }
    },
  }
}

/** Processes one item for each processor at the same time. Takes the next item when one is finished. */
async function processConcurrently<T>(
  items: AsyncIterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<unknown>>()
  for await (const item of items) {
    const task: Promise<unknown> = work(item).then(() => running.delete(task))
    // A failed task stays in the set, so that one of the two awaits below rejects with its error.
    task.catch(() => undefined)
    running.add(task)
    if (running.size >= availableParallelism()) await Promise.race(running)
  }
  await Promise.all(running)
}

interface RecogniseInput {
  readonly program: string
  readonly languages: readonly string[]
  readonly image: Uint8Array
  readonly timeoutsMs: readonly number[]
}

/** Recognises the text on an image, in reading order. Cells of a row are separated by spaces. */
async function recognise(input: RecogniseInput): Promise<Recognition> {
  for (const timeoutMs of input.timeoutsMs) {
    const recognition = await recogniseWithin(timeoutMs, input)
    if (recognition !== 'late') return recognition
  }
  return 'late'
}

async function recogniseWithin(
  timeout: number,
  { program, languages, image }: RecogniseInput,
): Promise<Recognition> {
  const layout = ['--psm', '4', '-c', 'preserve_interword_spaces=1']
  const child = spawn(program, ['stdin', 'stdout', '-l', languages.join('+'), ...layout, 'txt', 'tsv'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout,
    killSignal: 'SIGKILL',
    // Several pages are read at the same time, and then tesseract is faster with a single thread.
    env: { ...harmlessEnvironment(), OMP_THREAD_LIMIT: '1' },
  })
  const parts: Buffer[] = []
  child.stdout.on('data', (part: Buffer) => parts.push(part))
  // Tesseract may end before it has read the whole image. Its exit code then reports the failure.
  child.stdin.on('error', () => undefined)
  child.stdin.end(image)
  const code = await new Promise<number | null>(resolve => {
    child.on('error', () => resolve(null))
    child.on('close', resolve)
  })
  if (code === 0) return { text: readTesseractOutput(Buffer.concat(parts).toString('utf8')) }
  // Without an exit code, it was killed by the time limit or for lack of memory, or could not be started.
  return code === null ? 'late' : 'none'
}

const cjk = '[\\u3000-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uff00-\\uffef]'
const spaceBetweenCjk = new RegExp(`(?<=${cjk}) (?=${cjk})`, 'g')

/** Removes the single spaces that tesseract writes between Chinese characters. Wider gaps become tabs between cells. */
function tidyText(text: string): string {
  return text
    .replaceAll('\f', '')
    .split('\n')
    .map(line => line.replace(spaceBetweenCjk, '').trim().replace(/ {2,}/g, '\t'))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
