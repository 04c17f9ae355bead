import { open, readFile, readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { findProgram } from '../../../src/system/find-program.ts'
import { isWithin } from '../../../src/system/paths.ts'
import type { FolderGuard } from './folder-guard.ts'

/** Where programs are looked for. */
interface ProgramSearch {
  /** The value of PATH. */
  readonly path: string
  /** The working folder of the agent; null: one of the attempt. */
  readonly cwd: string | null
  readonly guard: FolderGuard
}

/** Interpreters that scripts start by name. */
const interpreters = ['python3', 'python', 'node', 'bun', 'deno', 'uv', 'ruby', 'java']

/** Lists the places of the interpreters that PATH has. */
export async function findSharedRuntimes(search: ProgramSearch): Promise<string[]> {
  const places = await Promise.all(interpreters.map(program => findRuntimePlaces(program, search)))
  return places.flat()
}

/** Longer chains of links and interpreters do not occur. */
const mostSteps = 12

/**
 * Lists the places that a program needs: its folder, where its links lead, the interpreter of a script, and the
 * installation below a virtual environment. Empty when there is no such program.
 */
export async function findRuntimePlaces(program: string, search: ProgramSearch): Promise<string[]> {
  const places: string[] = []
  const pending = [program]
  for (let step = 0; step < mostSteps && pending.length > 0; step++) {
    const file = findProgram(pending.shift()!, search)
    if (file === null) continue
    const folder = chooseFolder(file, search.guard)
    places.push(folder)
    const target = await readlink(file).catch(() => null)
    // The folder of a link may be a link, from which the target counts.
    if (target !== null) pending.push(resolve(await realpath(dirname(file)), target))
    pending.push(...(await readInterpreter(file)), ...(await readVirtualEnvironment(folder)))
  }
  return [...new Set(places)].filter(place => !isWithin(place, '/usr'))
}

/** The folder of an installation: the one above `bin` when nothing else is there, else `bin`, else the file alone. */
function chooseFolder(file: string, guard: FolderGuard): string {
  const folder = dirname(file)
  const above = ['bin', 'sbin', 'shims'].includes(basename(folder)) ? [dirname(folder)] : []
  const choices = [...above, folder].filter(place => !guard.isTooWide(place) && !guard.holdsPrivate(place))
  return choices[0] ?? file
}

/** Returns the words of the first line of a script that name its interpreter. */
async function readInterpreter(file: string): Promise<string[]> {
  const handle = await open(file).catch(() => null)
  if (handle === null) return []
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(256), 0, 256, 0)
    const line = /^#!\s*(.+)/.exec(buffer.toString('latin1', 0, bytesRead))?.[1] ?? ''
    return line.split(/\s+/).filter(word => word !== '' && !word.startsWith('-'))
  } catch {
    // A folder in the place of a program.
    return []
  } finally {
    await handle.close()
  }
}

/** Returns the interpreter from which a virtual environment of Python was made. */
async function readVirtualEnvironment(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, 'pyvenv.cfg'), 'utf8').catch(() => '')
  const home = /^home\s*=\s*(.+)$/m.exec(text)?.[1]?.trim()
  return home === undefined ? [] : [join(home, 'python3')]
}
