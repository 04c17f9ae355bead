import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod/v4'
import { loadEmbedder } from '../../retrieval/registry.ts'
import { ConfigError, DataError } from '../../src/core/errors.ts'
import { describeZodProblem } from '../../src/core/zod-problems.ts'
import { writeOutput } from '../../src/system/atomic-write.ts'
import { makeFolder } from '../../src/system/files.ts'
import { canonicalJson, sha256 } from '../../src/system/hash.ts'
import { readBytes } from '../../src/system/read-bytes.ts'
import {
  type Corpus,
  type CorpusEntry,
  type CorpusItem,
  corpusEntrySchema,
  manifestName,
  requireDocuments,
} from './corpus.ts'
import { textCorpusManifest } from './text-corpus/format.ts'
import type { OpenEmbedder } from './text-corpus/open.ts'
import { openTextCorpus } from './text-corpus/open.ts'
import { isCorpusFile } from './text-corpus/records.ts'

const manifestSchema = z.object({
  format: z.literal('tablehunt-corpus-1'),
  seed: z.int(),
  entries: z.array(corpusEntrySchema),
})

/**
 * Writes a corpus as a folder: corpus.json, bodies/SHA256, texts/SHA256.txt. Other files in the folder are kept.
 *
 * @throws ConfigError `folder-not-writable`
 */
export async function saveCorpus(corpus: Corpus, folder: string): Promise<void> {
  try {
    await makeFolder(join(folder, 'bodies'))
    await makeFolder(join(folder, 'texts'))
  } catch (cause) {
    throw new ConfigError(`cannot write to ${folder}: ${String(cause)}; choose another folder with --out`, {
      code: 'folder-not-writable',
      cause,
    })
  }
  for (const item of corpus.items) {
    await writeFile(join(folder, 'bodies', item.entry.sha256), await item.body())
    if (item.entry.hasText) {
      await writeFile(join(folder, 'texts', `${item.entry.sha256}.txt`), await item.text())
    }
  }
  const manifest = {
    format: 'tablehunt-corpus-1',
    seed: corpus.seed,
    entries: corpus.items.map(item => item.entry),
  }
  await writeOutput(join(folder, manifestName), `${JSON.stringify(manifest, null, 1)}\n`)
}

/**
 * Opens a corpus folder. Bodies and texts are read when they are needed.
 *
 * @param openEmbedder - opens the embedder of a corpus with vectors at its first dense search
 * @throws ConfigError `missing-corpus` when the folder has no manifest, or `empty-corpus`
 * @throws DataError `damaged-corpus` when the manifest cannot be read or files are missing
 */
export async function loadCorpus(
  folder: string,
  openEmbedder: OpenEmbedder = name => loadEmbedder(name, process.env),
): Promise<Corpus> {
  const path = join(folder, manifestName)
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw missingCorpus(folder, cause)
  })
  const manifest = readJson(text, path)
  const texts = textCorpusManifest.safeParse(manifest)
  if (!texts.success) return await loadDocuments(folder, manifest)
  return await openTextCorpus(folder, texts.data, openEmbedder).catch((cause: unknown) => {
    throw damagedCorpus(`${folder}: ${cause instanceof Error ? cause.message : String(cause)}`)
  })
}

function missingCorpus(folder: string, cause: NodeJS.ErrnoException): ConfigError {
  const message = isCorpusFile(folder)
    ? `${folder} is not built yet; build a corpus with: tablehunt web build ${folder} --out CORPUS, and name its folder`
    : `${folder} contains no corpus (${cause.code ?? cause.message}: ${manifestName}); build one with: tablehunt web build DIR --out ${folder}`
  return new ConfigError(message, { code: 'missing-corpus', cause })
}

async function loadDocuments(folder: string, manifest: unknown): Promise<Corpus> {
  const parsed = manifestSchema.safeParse(manifest)
  if (!parsed.success)
    throw damagedCorpus(`${join(folder, manifestName)}: ${describeZodProblem(parsed.error, 'it')}`)
  const items: CorpusItem[] = parsed.data.entries.map(entry => ({
    entry,
    body: () => readFile(join(folder, 'bodies', entry.sha256)),
    text: async most => {
      if (!entry.hasText) return ''
      const path = join(folder, 'texts', `${entry.sha256}.txt`)
      return most === undefined ? await readFile(path, 'utf8') : await readBeginning(path, most)
    },
  }))
  requireDocuments(items, folder)
  await throwIfFilesMissing(folder, parsed.data.entries)
  return { seed: parsed.data.seed, items, hash: sha256(canonicalJson(parsed.data.entries)) }
}

const maxBytesPerChar = 3

/** @throws DataError `damaged-corpus` when bodies or texts listed in the manifest are missing */
async function throwIfFilesMissing(folder: string, entries: readonly CorpusEntry[]): Promise<void> {
  const namesIn = async (part: string) => new Set(await readdir(join(folder, part)).catch(() => []))
  const [bodies, texts] = [await namesIn('bodies'), await namesIn('texts')]
  const missing = entries.flatMap(({ sha256: hash, hasText }) => [
    ...(bodies.has(hash) ? [] : [`bodies/${hash}`]),
    ...(hasText && !texts.has(`${hash}.txt`) ? [`texts/${hash}.txt`] : []),
  ])
  if (missing.length === 0) return
  throw damagedCorpus(`${folder}: ${missing.length} of its files are missing (${missing[0]}…)`)
}

/** Returns at least the first `chars` characters of a text file, when it has that many. */
async function readBeginning(path: string, chars: number): Promise<string> {
  return (await readBytes(path, 0, (chars + 1) * maxBytesPerChar)).toString()
}

function damagedCorpus(problem: string): DataError {
  return new DataError(`${problem}; build the corpus again`, { code: 'damaged-corpus' })
}

function readJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw damagedCorpus(`${path}: not JSON (${String(cause)})`)
  }
}
