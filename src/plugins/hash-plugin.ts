import { existsSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, extname, relative, resolve, sep } from 'node:path'
import { canonicalJson, sha256 } from '../system/hash.ts'
import type { FoundPlugin } from './find-plugin.ts'

const endings = ['', '.ts', '.js', '.mts', '.mjs', '.cts', '.cjs', '.json', '/index.ts', '/index.js']

/** Matches `from './a.ts'`, `import './a.ts'`, `import('./a.ts')` and `require('./a.ts')`. */
const relativeImport = /\b(?:from|import|require)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g

/**
 * Returns the SHA-256 of a plug-in's code. It covers the entry file, the local files that it imports by a
 * literal path, and the name and version of its package. Packages that it imports, and files that it reads
 * while it runs, are not included.
 */
export async function hashPlugin({ file, package: ofPackage }: FoundPlugin): Promise<string> {
  const hashes = new Map<string, string>()
  await addFile(file, dirname(file), hashes)
  const files = [...hashes].sort(([a], [b]) => (a < b ? -1 : 1))
  return sha256(canonicalJson({ package: ofPackage, files }))
}

/** Adds the hashes of a file and of those that it imports, by their paths relative to `folder`. */
async function addFile(file: string, folder: string, hashes: Map<string, string>): Promise<void> {
  const place = relative(folder, file).split(sep).join('/')
  if (hashes.has(place)) return
  const text = await readFile(file, 'utf8')
  hashes.set(place, sha256(text))
  if (extname(file) === '.json') return
  for (const [, , path] of text.matchAll(relativeImport)) {
    const imported = importedFile(resolve(dirname(file), path!))
    if (imported !== null) await addFile(imported, folder, hashes)
  }
}

/** Returns the file of an import; null when there is none. TypeScript may write `./a.js` for `a.ts`. */
function importedFile(path: string): string | null {
  const tries = [...endings.map(ending => path + ending), path.replace(/\.([cm]?)js$/, '.$1ts')]
  return tries.find(each => existsSync(each) && statSync(each).isFile()) ?? null
}
