import {
  BudgetRefusedError,
  ConfigError,
  DataError,
  PluginError,
  ProviderError,
  RunError,
  ToolError,
} from './errors.ts'
import { describeUnknownName } from './nearest-name.ts'

/** The kind of part that a registry contains, in the singular, for messages. */
type PartKind =
  | 'benchmark'
  | 'scorer'
  | 'setting'
  | 'agent'
  | 'tool'
  | 'search service'
  | 'page reader'
  | 'model provider'
  | 'embedder'
  | 'vector store'
  | 'retriever'
  | 'log format'

/** What a registry is made with. */
interface RegistryOptions<T> {
  readonly kind: PartKind
  readonly builtIn: Readonly<Record<string, T>>
  /** How many calls lead from an entry to its results: 2 when an entry creates a part whose methods return them. */
  readonly calls?: number
}

/**
 * The parts of one kind by name: built-in parts, and parts that plug-ins add.
 *
 * @example
 * const greetings = new Registry({ kind: 'tool', builtIn: { hello } })
 * greetings.add('my-plugin', { goodbye })
 * greetings.get('goodbye')
 */
export class Registry<T extends object> {
  readonly kind: PartKind
  readonly #entries = new Map<string, T>()
  /** The plug-ins of entries, by the names of the entries. Built-in entries are absent. */
  readonly #origins = new Map<string, string>()
  readonly #calls: number

  constructor({ kind, builtIn, calls = 1 }: RegistryOptions<T>) {
    this.kind = kind
    this.#calls = calls
    for (const [name, entry] of Object.entries(builtIn)) this.#entries.set(name, entry)
  }

  /** Returns every name, built-in ones first. */
  names(): string[] {
    return [...this.#entries.keys()]
  }

  /** Returns every entry with its name, built-in ones first. */
  entries(): [string, T][] {
    return [...this.#entries]
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /** @throws ConfigError [unknown-<kind>], whose message suggests the nearest name and lists all others */
  get(name: string): T {
    const entry = this.#entries.get(name)
    if (entry !== undefined) return entry
    throw new ConfigError(`unknown ${this.kind} ${describeUnknownName(name, this.names())}`, {
      code: `unknown-${this.kind.replaceAll(' ', '-')}`,
    })
  }

  /** Returns the plug-in that added an entry; null for a built-in or unknown entry. */
  originOf(name: string): string | null {
    return this.#origins.get(name) ?? null
  }

  /**
   * Adds the entries of a plug-in, all or none. Errors that they throw later name the plug-in.
   *
   * @param origin the plug-in's name
   * @returns a function that removes the entries again, for tests
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
    const owner = earlier === null ? 'a built-in one has it' : `plug-in ${earlier} uses it`
    throw new ConfigError(
      `plug-in ${origin}: the name of its ${this.kind} '${name}' is taken: ${owner}. Choose another name.`,
      { code: 'plugin-name-taken' },
    )
  }
}

/** Errors that callers handle. They pass through a guarded part unchanged. */
const handledErrors = [BudgetRefusedError, ProviderError, ToolError]

/**
 * Returns a part of a plug-in whose errors name their owner. Otherwise the part behaves as before.
 *
 * @param owner the beginning of each message, such as `plug-in mine: tool convert`
 * @param calls how many calls lead from the part to plain results; the parts between are guarded too
 */
function guardPart<T extends object>(part: T, owner: string, calls: number): T {
  if (calls === 0) return part
  const guardResult = (result: unknown): unknown =>
    isPart(result) ? guardPart(result, owner, calls - 1) : result
  const call = (method: object, self: unknown, args: unknown[]): unknown => {
    try {
      const result: unknown = Reflect.apply(method as () => unknown, self, args)
      if (!(result instanceof Promise)) return guardResult(result)
      return result.then(guardResult, error => {
        throw namedError(error, owner)
      })
    } catch (error) {
      throw namedError(error, owner)
    }
  }
  return new Proxy<T>(part, {
    apply: (target, self, args) => call(target, self, args) as object,
    get(target, key) {
      // Getters and methods run on the part itself, because a proxy does not have its private fields.
      const value: unknown = Reflect.get(target, key, target)
      if (typeof value !== 'function' || isFixed(target, key)) return value
      return (...args: unknown[]) => call(value, target, args)
    },
  })
}

function isPart(result: unknown): result is object {
  return typeof result === 'function' || (typeof result === 'object' && result !== null)
}

/** A proxy must return the value of a frozen property as it is. */
function isFixed(target: object, key: PropertyKey): boolean {
  const descriptor = Reflect.getOwnPropertyDescriptor(target, key)
  return descriptor !== undefined && descriptor.configurable === false && descriptor.writable === false
}

/** Whether callers handle this error of another package: an abort, or input that does not fit a tool's schema. */
function isForeign(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === 'AbortError' || error.constructor.name === 'ToolInputParsingException'
}

/** Returns the error with its owner in the message and the original as its cause. */
function namedError(error: unknown, owner: string): unknown {
  if ([...handledErrors, PluginError].some(kind => error instanceof kind) || isForeign(error)) return error
  const message = `${owner}: ${error instanceof Error ? error.message : String(error)}`
  for (const kind of [ConfigError, DataError, RunError])
    if (error instanceof kind) return new kind(message, { cause: error, code: error.code })
  return new PluginError(message, { cause: error, code: 'plugin-failed' })
}
