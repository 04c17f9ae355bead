import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalJson, sha256, sha256OfFile } from '../../core/hash.ts'

/** SHA-256 of what --tasks names: a file's bytes, or the names and bytes of all JSON files below a folder. */
export async function hashOfTasks(path: string): Promise<string> {
  if (!(await stat(path)).isDirectory()) return await sha256OfFile(path)
  const names = (await readdir(path, { recursive: true })).filter(name => name.endsWith('.json')).sort()
  const hashes: [string, string][] = []
  for (const name of names) hashes.push([name, await sha256OfFile(join(path, name))])
  return sha256(canonicalJson(hashes))
}
