import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalJson, sha256 } from '../../core/hash.ts'

/** SHA-256 of what --tasks names: a file's bytes, or the names and bytes of all JSON files below a folder. */
export async function hashOfTasks(path: string): Promise<string> {
  if (!(await stat(path)).isDirectory()) return sha256(await readFile(path))
  const names = (await readdir(path, { recursive: true })).filter(name => name.endsWith('.json')).sort()
  const hashes: [string, string][] = []
  for (const name of names) hashes.push([name, sha256(await readFile(join(path, name)))])
  return sha256(canonicalJson(hashes))
}
