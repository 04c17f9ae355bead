import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readFlagValue } from '../../src/commands/flag-value.ts'
import { parseOption } from '../../src/config.ts'
import { redisUrl } from '../../src/core/option-values.ts'
import { readPrices } from '../../src/run/open-run/prices.ts'
import { readTextFile, readTextFileSync } from '../../src/system/files.ts'

const messageOf = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('nothing was refused')
}

describe('the message about a refused value', () => {
  it.each([
    'redis://:p/a=s@s:1@127.0.0.1:16405',
    'redis://user:sec@ret/@host:6379',
    'redis://user:sec ret/1@host/abc',
    'rediss://:se?cret#x@host/none',
    'redis://:100%secret@host:6379',
    'redis://:sec%FFret@host:6379',
    'redis://:secret%@host:6379/1',
    'http://user:secret@host',
  ])('hides the password of %s', url => {
    for (const message of [
      messageOf(() => parseOption('queue', url)),
      messageOf(() => readFlagValue('--queue', redisUrl, url)),
    ]) {
      expect(message).not.toMatch(/p\/a|sec|ret\b|cret/)
      expect(message).toContain('%2F')
      expect(message).toContain('%40')
    }
  })

  it('hides it in a list too', () => {
    expect(messageOf(() => parseOption('queue', ['redis://:secret@host']))).not.toContain('secret')
  })

  it('hides keys', () => {
    const key = `sk-${'a1B2'.repeat(10)}`
    expect(messageOf(() => parseOption('concurrency', key))).not.toContain(key)
  })
})

describe('a text file of a user', () => {
  const write = async (...bytes: (string | Buffer)[]) => {
    const path = join(await mkdtemp(join(tmpdir(), 'texts-')), 'file.json')
    await writeFile(path, Buffer.concat(bytes.map(part => Buffer.from(part as string))))
    return path
  }
  const mark = Buffer.from([0xef, 0xbb, 0xbf])
  const text = '{ "m": { "input": 1, "output": 2 } }'

  it('may begin with a byte order mark', async () => {
    const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le')
    for (const path of [
      await write(mark, text),
      await write(text),
      await write(utf16),
      await write(Buffer.from(utf16).swap16()),
    ])
      expect([await readTextFile(path), readTextFileSync(path)]).toEqual([text, text])
  })

  it('keeps a mark that is not at the beginning', async () => {
    expect(await readTextFile(await write('a', mark, 'b'))).toBe('a\uFEFFb')
  })

  it.each([
    ['{ "openai:x": { "input": 1 } }', "'openai:x': output: is missing"],
    ['{ "a": { "input": 1, "cachedInput": 1, "output": 2 }, "b": 5 }', "'b': its price: is a number"],
    ['{ "search:serper": { "price": 1 } }', "'search:serper': call: is missing"],
    ['{ "a": { "input": 1, "output": 2 }, "a": { "input": 3, "output": 4 } }', "'a' is twice"],
    ['{ "a": { "input": 1, "output": 2, "input": 3 } }', "'input' is twice"],
  ])('with prices %s is refused with the name of the model or service', async (prices, words) => {
    await expect(readPrices(await write(prices))).rejects.toMatchObject({
      code: 'invalid-prices',
      message: expect.stringContaining(words),
    })
  })

  it('has the price of other input for cached input that it leaves out', async () => {
    const { models } = await readPrices(await write('{ "a": { "input": 2, "output": 8 } }'))
    expect(models.a).toEqual({ input: 2, cachedInput: 2, output: 8 })
  })

  it('can be a table of prices', async () => {
    const prices = '{ "openai:x": { "input": 1, "cachedInput": 1, "output": 2 } }'
    expect((await readPrices(await write(mark, prices))).models).toHaveProperty('openai:x')
  })
})
