import { existsSync } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { ConfigError } from '../../../src/core/errors.ts'
import { isWithin } from '../../../src/system/paths.ts'
import { createGuard, type FolderGuard } from './folder-guard.ts'
import { findRuntimePlaces, findSharedRuntimes } from './runtime.ts'

/** A file or folder of this machine, and the path at which an enclosed program sees it. */
export interface ShownPath {
  readonly from: string
  readonly to: string
}

/** What an enclosed agent sees of this machine, besides the folder of its attempt. */
export interface AgentFiles {
  /** Read-only. A folder precedes those in it. */
  readonly shown: readonly ShownPath[]
  /** Private files and folders in what is shown. Each looks empty. */
  readonly hidden: readonly { readonly path: string; readonly isFolder: boolean }[]
  /** What the agent does not see of its own folder, in one line each. */
  readonly notices: readonly string[]
}

/** A program, and what it reads. */
export interface AgentProgram {
  /** The agent's name, for messages. */
  readonly name: string
  /** The program and its arguments. Those that name a file are absolute, or relative to `cwd`. */
  readonly command: readonly string[]
  /** Null: a folder of the attempt. */
  readonly cwd: string | null
  /** Further files and folders that it reads. */
  readonly reads: readonly string[]
  /** Files and folders that it must not see: tasks, documents, runs. */
  readonly privatePaths: readonly string[]
  /** PATH. Null: the image of a container contains the program. */
  readonly path: string | null
}

/**
 * Lists what an enclosed agent sees: its working folder, the folders of the files that its command names, the files of
 * `reads`, and the folders of its program and interpreter. What is private is left out or covered.
 *
 * @throws ConfigError [agent-folder-too-wide] when the working folder contains the home folder; [agent-reads] when a file of
 *   `reads` does not exist
 */
export async function findAgentFiles(agent: AgentProgram): Promise<AgentFiles> {
  const { name, command, cwd, reads, path } = agent
  const privatePaths = await resolveAll(agent.privatePaths)
  const guard = createGuard(privatePaths)
  const notices: string[] = []
  const places: string[] = []
  if (cwd !== null) {
    if (guard.isTooWide(await realpath(cwd)))
      throw new ConfigError(
        `--agent ${name}: its working folder ${cwd} contains your home folder or more, so that it cannot be isolated. Set cwd to a folder of its own, or use --isolate none.`,
        { code: 'agent-folder-too-wide' },
      )
    places.push(resolve(cwd))
  }
  for (const word of reads) {
    const place = resolve(word)
    if (!existsSync(place))
      throw new ConfigError(`--agent ${name}: ${word} of reads does not exist. Correct the path.`, {
        code: 'agent-reads',
      })
    places.push(place)
  }
  for (const file of await listNamedFiles(command, cwd)) {
    const place = chooseShownPlace(file, guard)
    if (place === null) notices.push(`agent ${name} does not see ${file.path}, which is private to the run`)
    else if (place === file.path && !file.isFolder && !places.some(shown => isWithin(place, shown)))
      notices.push(
        `agent ${name} sees ${basename(place)} alone, because ${dirname(place)} also contains tasks, documents, runs or files of yours. Move it to a folder of its own, or list what it reads in reads`,
      )
    if (place !== null) places.push(place, ...listModulesAbove(place))
  }
  const keyFiles = (await Promise.all(places.map(listKeyFiles))).flat()
  if (path !== null) {
    const program = await findRuntimePlaces(command[0]!, { path, cwd, guard })
    places.push(...program, ...(await findSharedRuntimes({ path, cwd, guard })))
  }
  const shown = await showPlaces(places)
  return {
    shown,
    hidden: await hidePrivate(shown, [...privatePaths, ...(await resolveAll(keyFiles))]),
    notices,
  }
}

/** A file or folder that a command names. */
interface NamedFile {
  readonly path: string
  /** Without symbolic links. */
  readonly real: string
  readonly isFolder: boolean
}

async function listNamedFiles(command: readonly string[], cwd: string | null): Promise<NamedFile[]> {
  const paths = command
    .filter((word, index) => (index === 0 ? word.includes('/') : !word.startsWith('-')))
    .map(word => resolve(cwd ?? '.', word))
    .filter(path => existsSync(path))
  return await Promise.all(
    paths.map(async path => ({
      path,
      real: await realpath(path),
      isFolder: (await stat(path)).isDirectory(),
    })),
  )
}

/** Returns the folder of a named file, else the file alone; null when it is private itself. */
function chooseShownPlace({ path, real, isFolder }: NamedFile, guard: FolderGuard): string | null {
  const folders = isFolder ? [] : [dirname(path), dirname(real)]
  if (folders.length > 0 && folders.every(folder => !guard.isTooWide(folder) && !guard.holdsPrivate(folder)))
    return dirname(path)
  const isHidden = isFolder ? guard.isTooWide(real) : guard.holdsPrivate(real)
  return isHidden ? null : path
}

/** Where Node looks for packages and the kind of modules, beside and above a place. */
function listModulesAbove(place: string): string[] {
  const files: string[] = []
  for (let folder = place; folder !== dirname(folder); folder = dirname(folder)) {
    const modules = join(folder, 'node_modules')
    if (existsSync(modules)) files.push(modules)
    const manifest = join(folder, 'package.json')
    if (existsSync(manifest) && !files.some(path => basename(path) === 'package.json')) files.push(manifest)
  }
  return files
}

/** Shows each place at its path, and where its symbolic links lead. */
async function showPlaces(places: readonly string[]): Promise<ShownPath[]> {
  const reals = await Promise.all(places.map(place => realpath(place)))
  const candidates = [
    ...reals.map(real => ({ from: real, to: real })),
    ...places.map((to, index) => ({ from: reals[index]!, to })),
  ].sort((a, b) => a.to.length - b.to.length)
  const shown: ShownPath[] = []
  for (const candidate of candidates) {
    const isCovered = isWithin(candidate.to, '/usr') || shown.some(({ to }) => isWithin(candidate.to, to))
    if (!isCovered) shown.push(candidate)
  }
  return shown
}

/** Finds the private paths in what is shown. */
async function hidePrivate(
  shown: readonly ShownPath[],
  privatePaths: readonly string[],
): Promise<AgentFiles['hidden']> {
  const system = { from: '/usr', to: '/usr' }
  const paths = privatePaths.flatMap(path =>
    [system, ...shown].flatMap(({ from, to }) =>
      isWithin(path, from) ? [`${to}${path.slice(from.length)}`] : [],
    ),
  )
  return await Promise.all(
    [...new Set(paths)].map(async path => ({ path, isFolder: (await stat(path)).isDirectory() })),
  )
}

/** Files of keys in a folder and those below it, without links and packages. A file contains none. */
async function listKeyFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const inner = entries.map(async entry => {
    const path = join(folder, entry.name)
    if (!entry.isDirectory()) return isKeyFile(entry.name) ? [path] : []
    return packageFolders.includes(entry.name) ? [] : await listKeyFiles(path)
  })
  return (await Promise.all(inner)).flat()
}

const packageFolders = ['node_modules', 'site-packages']

/** Whether a file contains keys by its name, or options that may name them. `queue-secret` is that of docs/campaigns.md. */
export function isKeyFile(name: string): boolean {
  return /^\.env(?:\.|rc$|$)|^\.(?:netrc|pypirc|git-credentials)$|^tablehunt\.config\.|^queue-secret$/.test(
    name,
  )
}

/** Returns the existing paths without symbolic links. */
async function resolveAll(paths: readonly string[]): Promise<string[]> {
  const reals = await Promise.all(paths.map(path => realpath(path).catch(() => null)))
  return reals.filter(real => real !== null)
}
