import { execFile, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import PQueue from 'p-queue'
import { ConfigError } from '../../src/core/errors.ts'
import { sha256 } from '../../src/core/hash.ts'
import { ifMissing } from '../../src/core/if-missing.ts'
import { writeWhole } from '../../src/core/write-whole.ts'
import type { PageOcr } from '../reading.ts'
import { type Rendered, renderedPages } from './rendering.ts'

/** How to have scanned pages read, for whoever has no tesseract. */
export const tesseractHint =
  "install tesseract (Debian's tesseract-ocr and tesseract-ocr-chi-sim) to have them read"

const run = promisify(execFile)
/** How long a page may take: the first try, then the one after it, for machines that have other things to do. */
const pageTimeoutsMs = [120_000, 600_000]
const probeTimeoutsMs = [10_000, 120_000]
/** Those of the benchmarks, as far as they are installed. */
const wantedLanguages = ['chi_sim', 'eng']

/** What a page gave: its text, `none` where tesseract failed on it, `late` where it was stopped before it had ended. */
type Recognition = { readonly text: string } | 'none' | 'late'

export interface TesseractOptions {
  readonly program?: string
  readonly pageTimeoutsMs?: readonly number[]
  readonly probeTimeoutsMs?: readonly number[]
}

/**
 * Tesseract, where it is installed with English or simplified Chinese; else null. What it reads off a page is kept in
 * `cacheFolder` by the hash of the page's image. As many run at once as there are processors.
 * @throws ConfigError where it is installed but does not answer: without it documents would read otherwise
 */
export async function findTesseract(
  cacheFolder: string,
  options: TesseractOptions = {},
): Promise<PageOcr | null> {
  const program = options.program ?? 'tesseract'
  const probes = options.probeTimeoutsMs ?? probeTimeoutsMs
  const version = await outputOf(program, '--version', probes)
  const listed = await outputOf(program, '--list-langs', probes)
  if (version === null || listed === null) return null
  const installed = new Set(listed.split('\n').map(line => line.trim()))
  const languages = wantedLanguages.filter(language => installed.has(language))
  if (languages.length === 0) return null
  const number = /tesseract v?([\w.]+)/.exec(version)?.[1] ?? 'unknown'
  const timeoutsMs = options.pageTimeoutsMs ?? pageTimeoutsMs
  const queue = new PQueue({ concurrency: availableParallelism() })
  const name = `tesseract-${number}-${languages.join('-')}`
  return tesseract(name, cacheFolder, image =>
    queue.add(() => recognise({ program, languages, image, timeoutsMs })),
  )
}

async function outputOf(
  program: string,
  argument: string,
  timeoutsMs: readonly number[],
): Promise<string | null> {
  for (const timeout of timeoutsMs) {
    try {
      const { stdout, stderr } = await run(program, [argument], { timeout, killSignal: 'SIGKILL' })
      return `${stdout}\n${stderr}`
    } catch (error) {
      // Not installed, or not to be run: then it is not here. One that was stopped is here, but slow.
      if (!(error instanceof Error && 'killed' in error && error.killed === true)) return null
    }
  }
  throw new ConfigError(
    `${program} ${argument} does not answer: scanned pages would go unread; wait until this machine has less to do, or uninstall it`,
  )
}

function tesseract(
  name: string,
  cacheFolder: string,
  recognition: (image: Uint8Array) => Promise<Recognition>,
): PageOcr {
  async function textOn(image: Uint8Array): Promise<Recognition> {
    const file = join(cacheFolder, `${sha256(image)}.${name}.txt`)
    const kept = await readFile(file, 'utf8').catch(ifMissing)
    if (kept !== null) return { text: kept }
    const read = await recognition(image)
    if (typeof read === 'object') await writeWhole(file, read.text)
    return read
  }

  return {
    name,
    async read(bytes, pages) {
      const texts = new Map<number, string>()
      const late: number[] = []
      const readPage = async ({ number, image, late: isLate }: Rendered): Promise<void> => {
        const read = image === null ? 'none' : await textOn(image)
        if (isLate || read === 'late') late.push(number)
        if (typeof read === 'object') texts.set(number, tidied(read.text))
      }
      await sideBySide(renderedPages(bytes, pages), readPage)
      return { texts, late: late.sort((a, b) => a - b) }
    },
  }
}

/** Works on as many items at once as there are processors; takes no further item before one is done. */
async function sideBySide<T>(items: AsyncIterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const running = new Set<Promise<unknown>>()
  for await (const item of items) {
    const task: Promise<unknown> = work(item).then(() => running.delete(task))
    // A failed task stays in the set, so that one of the two waits below rejects with its error.
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

/** The text on an image, cells of a row apart by spaces. */
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
  const child = spawn(program, ['stdin', 'stdout', '-l', languages.join('+'), ...layout], {
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout,
    killSignal: 'SIGKILL',
    // Its own threads make it slower than one where pages are read side by side.
    env: { ...process.env, OMP_THREAD_LIMIT: '1' },
  })
  const parts: Buffer[] = []
  child.stdout.on('data', (part: Buffer) => parts.push(part))
  // It may end before it has read all: its exit code says so.
  child.stdin.on('error', () => undefined)
  child.stdin.end(image)
  const code = await new Promise<number | null>(resolve => {
    child.on('error', () => resolve(null))
    child.on('close', resolve)
  })
  if (code === 0) return { text: Buffer.concat(parts).toString('utf8') }
  // No exit code: it was killed, by us or by a machine without memory, or could not be started.
  return code === null ? 'late' : 'none'
}

const cjk = '[\\u3000-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uff00-\\uffef]'
const spaceBetweenCjk = new RegExp(`(?<=${cjk}) (?=${cjk})`, 'g')

/** Without the single spaces that it sets between Chinese characters; wider gaps part cells. */
function tidied(text: string): string {
  return text
    .replaceAll('\f', '')
    .split('\n')
    .map(line => line.replace(spaceBetweenCjk, '').trim().replace(/ {2,}/g, '\t'))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
