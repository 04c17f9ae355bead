import {
  BudgetRefusedError,
  ConfigError,
  DataError,
  PluginError,
  ProviderError,
  RunError,
  ToolError,
} from './errors.ts'

/** Errors that tell the caller what to do. They mean the same whoever throws them. */
const understood = [BudgetRefusedError, ProviderError, ToolError]

/**
 * A part of a plug-in whose errors name their owner. It behaves as before in all else.
 * @param owner the beginning of each message, such as `plug-in mine: tool convert`
 * @param calls how many calls lead from the part to plain results; the parts between are guarded too
 */
export function guardPart<T extends object>(part: T, owner: string, calls: number): T {
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
      // Getters and methods run on the part itself, since a proxy has none of its private fields.
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
  const own = Reflect.getOwnPropertyDescriptor(target, key)
  return own !== undefined && own.configurable === false && own.writable === false
}

/** Errors of other packages that callers know: an abort, and input that does not fit a tool's schema. */
function isForeign(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === 'AbortError' || error.constructor.name === 'ToolInputParsingException'
}

/** The error with its owner in the message and the original as its cause. */
function namedError(error: unknown, owner: string): unknown {
  if ([...understood, PluginError].some(kind => error instanceof kind) || isForeign(error)) return error
  const message = `${owner}: ${error instanceof Error ? error.message : String(error)}`
  for (const kind of [ConfigError, DataError, RunError])
    if (error instanceof kind)
      return new kind(message, { cause: error, ...(error.code !== null && { code: error.code }) })
  return new PluginError(message, { cause: error, code: 'plugin-failed' })
}
