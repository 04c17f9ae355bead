import { existsSync, type FSWatcher, watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { DataError } from '../../core/errors.ts'
import type { IndexRow } from '../../report/page/served-data.ts'
import { RunWatch } from './run-watch.ts'

/** A run as it was last read. */
export interface WatchedRun {
  readonly watch: RunWatch
  /** Null before it was read for the first time. */
  row: IndexRow | null
}

/** Notified with the name of a run that has changed. */
export type RunListener = (name: string) => void

/** How often all files are looked at, because not every file system reports changes. */
const pollMs = 3_000
/** Changes within this time are read together. */
const settleMs = 150

/** The runs in a folder, read again as their files change. */
export class WatchedFolder {
  readonly folder: string
  /** Whether the folder is itself a run, so that there is no index. */
  readonly isRun: boolean
  readonly #runs = new Map<string, WatchedRun>()
  readonly #watchers: FSWatcher[] = []
  readonly #listeners = new Set<RunListener>()
  readonly #due = new Map<string, NodeJS.Timeout>()
  #poll: NodeJS.Timeout | null = null
  #isClosed = false

  private constructor(folder: string) {
    this.folder = folder
    this.isRun = existsSync(join(folder, 'manifest.json'))
  }

  /**
   * Opens a folder of runs, or a run.
   *
   * @throws DataError [no-runs] when the folder contains no run
   */
  static async open(folder: string): Promise<WatchedFolder> {
    const opened = new WatchedFolder(folder)
    await opened.#findRuns()
    if (opened.#runs.size === 0)
      throw new DataError(
        `${folder}: this folder ${existsSync(folder) ? 'contains no run' : 'does not exist'}. Make a run with \`tablehunt demo\` or \`tablehunt run --out ${folder}/NAME\`, or name another folder.`,
        { code: 'no-runs' },
      )
    return opened
  }

  /** Begins to read all runs, and to read them again when they change. */
  start(): void {
    const poll = async (): Promise<void> => {
      await this.#findRuns()
      for (const name of this.#runs.keys()) await this.refresh(name)
      if (!this.#isClosed) this.#poll = setTimeout(() => void poll(), pollMs)
    }
    void poll()
    if (!this.isRun) this.#watch(this.folder, () => void this.#findRuns())
  }

  get names(): string[] {
    return [...this.#runs.keys()]
  }

  get(name: string): WatchedRun | undefined {
    return this.#runs.get(name)
  }

  /** Calls a function for each change of a run until the returned function is called. */
  onChange(listener: RunListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Reads what was added to a run, and tells the listeners. A run that cannot be read is shown with its problem. */
  async refresh(name: string): Promise<void> {
    const run = this.#runs.get(name)
    if (run === undefined || this.#isClosed) return
    const before = run.row
    try {
      if (!(await run.watch.refresh()) && before !== null) return
      run.row = run.watch.row()
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      if (before?.state === 'broken' && before.problem === problem) return
      run.row = { name, state: 'broken', problem }
    }
    for (const listener of this.#listeners) listener(name)
  }

  close(): void {
    this.#isClosed = true
    if (this.#poll !== null) clearTimeout(this.#poll)
    for (const timer of this.#due.values()) clearTimeout(timer)
    for (const watcher of this.#watchers) watcher.close()
  }

  async #findRuns(): Promise<void> {
    if (this.isRun) return this.#add(resolve(this.folder))
    const entries = await readdir(this.folder, { withFileTypes: true }).catch(() => [])
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(this.folder, entry.name)
      // A folder with attempts and without a manifest is a damaged run, which the index names.
      const isRun = ['manifest.json', 'attempts.jsonl'].some(file => existsSync(join(path, file)))
      if (isRun && !this.#runs.has(entry.name)) this.#add(path)
    }
  }

  #add(path: string): void {
    const name = basename(path)
    if (this.#runs.has(name)) return
    this.#runs.set(name, { watch: new RunWatch(path), row: null })
    this.#watch(path, () => this.#refreshSoon(name))
    this.#refreshSoon(name)
  }

  #watch(path: string, changed: () => void): void {
    try {
      const watcher = watch(path, { persistent: false }, changed)
      watcher.on('error', () => watcher.close())
      this.#watchers.push(watcher)
    } catch {
      // The system allows no more watchers, or the file system reports no changes. The poll finds them.
    }
  }

  #refreshSoon(name: string): void {
    if (this.#due.has(name) || this.#isClosed) return
    const timer = setTimeout(() => {
      this.#due.delete(name)
      void this.refresh(name)
    }, settleMs)
    this.#due.set(name, timer)
  }
}
