import { ConfigError } from './errors.ts'
import { guardPart } from './guard-part.ts'
import { notAmong } from './nearest.ts'

/** What a registry contains: the singular of the word that options and messages use. */
export type PartKind =
  | 'benchmark'
  | 'scorer'
  | 'setting'
  | 'tool'
  | 'search service'
  | 'page reader'
  | 'model provider'
  | 'embedder'
  | 'vector store'
  | 'retriever'
  | 'log format'

export interface RegistryOptions<T> {
  readonly kind: PartKind
  readonly builtIn: Readonly<Record<string, T>>
  /** How many calls lead from an entry to its results: 2 where an entry creates a part whose methods return them. */
  readonly calls?: number
}

/**
 * The parts of one kind by name: the built-in ones and those that plug-ins add.
 *
 * @example
 * const greetings = new Registry({ kind: 'tool', builtIn: { hello } })
 * greetings.add('my-plugin', { goodbye })
 * greetings.get('goodbye')
 */
export class Registry<T extends object> {
  readonly kind: PartKind
  readonly #entries = new Map<string, T>()
  /** The plug-in that an entry comes from; built-in entries are absent. */
  readonly #origins = new Map<string, string>()
  readonly #calls: number

  constructor({ kind, builtIn, calls = 1 }: RegistryOptions<T>) {
    this.kind = kind
    this.#calls = calls
    for (const [name, entry] of Object.entries(builtIn)) this.#entries.set(name, entry)
  }

  /** Every name, the built-in ones first. */
  names(): string[] {
    return [...this.#entries.keys()]
  }

  /** Every entry with its name, the built-in ones first. */
  entries(): [string, T][] {
    return [...this.#entries]
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /** @throws ConfigError [unknown-<kind>] that names the nearest entry and all others */
  get(name: string): T {
    const entry = this.#entries.get(name)
    if (entry !== undefined) return entry
    throw new ConfigError(`unknown ${this.kind} ${notAmong(name, this.names())}`, {
      code: `unknown-${this.kind.replaceAll(' ', '-')}`,
    })
  }

  /** The plug-in that an entry comes from; null for a built-in or unknown one. */
  originOf(name: string): string | null {
    return this.#origins.get(name) ?? null
  }

  /**
   * Adds the entries of a plug-in, all or none. What they throw later names the plug-in.
   * @param origin the plug-in's name
   * @returns what removes them again, for tests
   * @throws ConfigError [plugin-name-taken] when a name is in use
   */
  add(origin: string, entries: Readonly<Record<string, T>>): () => void {
    for (const name of Object.keys(entries)) this.requireFree(origin, name)
    for (const [name, entry] of Object.entries(entries)) {
      const owner = `plug-in ${origin}: ${this.kind} ${name}`
      this.#entries.set(name, guardPart(entry, owner, this.#calls))
      this.#origins.set(name, origin)
    }
    return () => {
      for (const name of Object.keys(entries)) {
        this.#entries.delete(name)
        this.#origins.delete(name)
      }
    }
  }

  /** @throws ConfigError [plugin-name-taken] when the name is in use */
  requireFree(origin: string, name: string): void {
    if (!this.has(name)) return
    const earlier = this.originOf(name)
    const owner = earlier === null ? 'Tablehunt has one of that name' : `plug-in ${earlier} has added it`
    throw new ConfigError(
      `plug-in ${origin}: the name of its ${this.kind} '${name}' is taken: ${owner}. Give it another name.`,
      { code: 'plugin-name-taken' },
    )
  }
}
