import { describe, expect, it } from 'vitest'
import { ConfigError, DataError, PluginError, ToolError } from '../../src/core/errors.ts'
import { Registry } from '../../src/core/registry.ts'

interface Greeter {
  readonly summary: string
  create(name: string): { greet(): string; later(): Promise<string> }
}

const polite: Greeter = {
  summary: 'says hello',
  create: name => ({ greet: () => `hello ${name}`, later: async () => `goodbye ${name}` }),
}

const greeters = () =>
  new Registry<Greeter>({ kind: 'search service', calls: 2, builtIn: { polite, plain: polite } })

const thrown = (call: () => unknown): unknown => {
  try {
    return call()
  } catch (error) {
    return error
  }
}

/** A greeter whose parts throw the error. */
const failing = (error: unknown): Greeter => ({
  summary: 'fails',
  create: () => ({
    greet: () => {
      throw error
    },
    later: () => Promise.reject(error),
  }),
})

describe('a registry', () => {
  it('names the nearest entry and all others for an unknown name', () => {
    const error = thrown(() => greeters().get('polit')) as ConfigError
    expect(error).toBeInstanceOf(ConfigError)
    expect(error.code).toBe('unknown-search-service')
    expect(error.message).toContain("did you mean 'polite'? (one of polite, plain)")
  })

  it('has no entry by the name of an inherited property', () => {
    const registry = greeters()
    expect(registry.has('constructor')).toBe(false)
    expect(thrown(() => registry.get('toString'))).toMatchObject({ code: 'unknown-search-service' })
  })

  it('lists the entries of plug-ins after its own and knows where they come from', () => {
    const registry = greeters()
    const remove = registry.add('mine', { rude: polite })
    expect(registry.names()).toEqual(['polite', 'plain', 'rude'])
    expect(registry.originOf('rude')).toBe('mine')
    expect(registry.originOf('polite')).toBeNull()
    expect(registry.get('rude').create('Ada').greet()).toBe('hello Ada')
    remove()
    expect(registry.names()).toEqual(['polite', 'plain'])
  })

  it('refuses a name that is taken, names both owners, and adds nothing', () => {
    const registry = greeters()
    registry.add('mine', { rude: polite })
    const second = thrown(() => registry.add('other', { fresh: polite, rude: polite })) as ConfigError
    expect(second.code).toBe('plugin-name-taken')
    expect(second.message).toMatch(/other.*'rude'.*mine/)
    expect(registry.has('fresh')).toBe(false)
    expect(thrown(() => registry.add('mine', { polite }))).toMatchObject({ code: 'plugin-name-taken' })
  })
})

describe('an entry of a plug-in', () => {
  const entryThat = (error: unknown): ReturnType<Greeter['create']> => {
    const registry = greeters()
    registry.add('mine', { rude: failing(error) })
    return registry.get('rude').create('Ada')
  }

  it('names its plug-in and kind when a part that it made throws', async () => {
    const cause = new TypeError('x is not a function')
    for (const error of [
      thrown(() => entryThat(cause).greet()),
      await entryThat(cause)
        .later()
        .catch((late: unknown) => late),
    ]) {
      expect(error).toBeInstanceOf(PluginError)
      expect(error).toMatchObject({ code: 'plugin-failed', cause })
      expect((error as Error).message).toBe('plug-in mine: search service rude: x is not a function')
    }
  })

  it('keeps the class and the code of errors that are meant for the user', () => {
    const error = thrown(() => entryThat(new DataError('line 3 is empty', { code: 'empty-line' })).greet())
    expect(error).toBeInstanceOf(DataError)
    expect(error).toMatchObject({
      code: 'empty-line',
      message: 'plug-in mine: search service rude: line 3 is empty',
    })
  })

  it('leaves errors for the agent unchanged', () => {
    const told = new ToolError('not-found', 'no such page')
    expect(thrown(() => entryThat(told).greet())).toBe(told)
  })

  it('may have private fields and getters', () => {
    class Private {
      #count = 0
      greet(): string {
        this.#count += 1
        return `call ${this.#count}`
      }
      later = async (): Promise<string> => 'later'
      get count(): number {
        return this.#count
      }
    }
    const registry = greeters()
    registry.add('mine', { counting: { summary: 'counts', create: () => new Private() } })
    const part = registry.get('counting').create('Ada') as unknown as Private
    part.greet()
    expect(part.greet()).toBe('call 2')
    expect(part.count).toBe(2)
    expect(part).toBeInstanceOf(Private)
  })
})
