import { execFile, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sha256 } from '../../src/core/hash.ts'
import type { PageOcr } from '../reading.ts'
import { writeAtomically } from '../text-cache.ts'
import { renderedPages } from './rendering.ts'

/** How to have scanned pages read, for whoever has no tesseract. */
export const tesseractHint =
  "install tesseract (Debian's tesseract-ocr and tesseract-ocr-chi-sim) to have them read"

const run = promisify(execFile)
const pageTimeoutMs = 120_000
/** Those of the benchmarks, as far as they are installed. */
const wantedLanguages = ['chi_sim', 'eng']

/**
 * Tesseract, where it is installed with English or simplified Chinese; else null. What it reads off a page is kept in
 * `cacheFolder` by the hash of the page's image.
 */
export async function findTesseract(cacheFolder: string, program = 'tesseract'): Promise<PageOcr | null> {
  const version = await outputOf(program, '--version')
  const listed = await outputOf(program, '--list-langs')
  if (version === null || listed === null) return null
  const installed = new Set(listed.split('\n').map(line => line.trim()))
  const languages = wantedLanguages.filter(language => installed.has(language))
  if (languages.length === 0) return null
  const number = /tesseract v?([\w.]+)/.exec(version)?.[1] ?? 'unknown'
  return tesseract(program, `tesseract-${number}-${languages.join('-')}`, languages, cacheFolder)
}

async function outputOf(program: string, argument: string): Promise<string | null> {
  try {
    const { stdout, stderr } = await run(program, [argument], { timeout: 10_000 })
    return `${stdout}\n${stderr}`
  } catch {
    // Not installed, or not to be run: then it is not here.
    return null
  }
}

function tesseract(
  program: string,
  name: string,
  languages: readonly string[],
  cacheFolder: string,
): PageOcr {
  return {
    name,
    async read(bytes, pages, signal) {
      const texts = new Map<number, string>()
      for await (const { number, image } of renderedPages(bytes, pages)) {
        signal?.throwIfAborted()
        if (image === null) continue
        const file = join(cacheFolder, `${sha256(image)}.${name}.txt`)
        const text = (await keptText(file)) ?? (await recognise(program, languages, image))
        if (text === null) continue
        await writeAtomically(file, text)
        texts.set(number, tidied(text))
      }
      return texts
    },
  }
}

async function keptText(file: string): Promise<string | null> {
  return await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}

/** The text on an image, cells of a row apart by spaces; null where tesseract failed or took too long. */
async function recognise(
  program: string,
  languages: readonly string[],
  image: Uint8Array,
): Promise<string | null> {
  const layout = ['--psm', '4', '-c', 'preserve_interword_spaces=1']
  const child = spawn(program, ['stdin', 'stdout', '-l', languages.join('+'), ...layout], {
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: pageTimeoutMs,
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
  return code === 0 ? Buffer.concat(parts).toString('utf8') : null
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
