import { open, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod/v4'
import { ConfigError, DataError } from '../../src/core/errors.ts'
import { zodProblemOf } from '../../src/core/zod-problems.ts'
import { makeFolder } from '../../src/system/files.ts'
import { canonicalJson, sha256 } from '../../src/system/hash.ts'
import {
  type Corpus,
  type CorpusEntry,
  type CorpusItem,
  corpusEntrySchema,
  requireDocuments,
} from './corpus.ts'

const manifestSchema = z.object({
  format: z.literal('tablehunt-corpus-1'),
  seed: z.int(),
  entries: z.array(corpusEntrySchema),
})

const manifestName = 'corpus.json'

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
  await writeFile(join(folder, manifestName), `${JSON.stringify(manifest, null, 1)}\n`)
}

/**
 * Opens a corpus folder. Bodies and texts are read when they are needed.
 *
 * @throws ConfigError `missing-corpus` when the folder has no manifest, or `empty-corpus`
 * @throws DataError `damaged-corpus` when the manifest cannot be read or files are missing
 */
export async function loadCorpus(folder: string): Promise<Corpus> {
  const path = join(folder, manifestName)
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new ConfigError(
      `${folder} contains no corpus (${cause.code ?? cause.message}: ${manifestName}); build one with: tablehunt web build DIR --out ${folder}`,
      { code: 'missing-corpus' },
    )
  })
  const parsed = manifestSchema.safeParse(readJson(text, path))
  if (!parsed.success) throw damagedCorpus(`${path}: ${zodProblemOf(parsed.error, 'it')}`)
  const items: CorpusItem[] = parsed.data.entries.map(entry => ({
    entry,
    body: () => readFile(join(folder, 'bodies', entry.sha256)),
    text: async most => {
      if (!entry.hasText) return ''
      const path = join(folder, 'texts', `${entry.sha256}.txt`)
      return most === undefined ? await readFile(path, 'utf8') : await beginningOf(path, most)
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
async function beginningOf(path: string, chars: number): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc((chars + 1) * maxBytesPerChar))
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
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
