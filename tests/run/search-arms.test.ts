import { expect, it } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import { optionsText } from '../../src/core/arm.ts'
import { listWebOptions, withOneSearch } from '../../src/run/open-run/web.ts'
import { listArms } from '../../src/run/plan/arms.ts'
import { checkOptions } from '../../src/run/plan/check-options.ts'

const config = (given: Record<string, unknown>) => resolveConfig({ tasks: 't', out: 'o', ...given })

it('makes an arm of each search service, and no option of a single one', () => {
  const variants = (search: string) =>
    listArms(config({ search }), 'online').map(arm => optionsText(arm.options))
  expect(variants('serper')).toEqual([''])
  expect(variants('brave')).toEqual([''])
  expect(variants('serper,brave')).toEqual(['', 'search=brave'])
  expect(listArms(config({ search: 'serper,brave' }), 'offline')).toHaveLength(1)
})

it('gives each of several services a recording of its own', () => {
  const options = listWebOptions(config({ search: 'serper,brave', record: 'rec' }))
  expect(options.map(({ search, record }) => [search, record])).toEqual([
    ['serper', 'rec/serper'],
    ['brave', 'rec/brave'],
  ])
  const replayed = listWebOptions(config({ search: 'serper,brave', web: 'replay:rec' }))
  expect(replayed.map(({ web }) => web)).toEqual(['replay:rec/serper', 'replay:rec/brave'])
  expect(listWebOptions(config({ search: 'brave', record: 'rec' }))[0]).toMatchObject({ record: 'rec' })
})

it('refuses several services on a sealed web and outside runs', async () => {
  const sealed = config({ search: 'serper,brave', web: 'sealed', setting: 'online' })
  for (const search of ['serper,brave', 'serper,bm25', 'bm25,dense,tavily'])
    await expect(
      checkOptions(config({ search, web: 'sealed', setting: 'online' }), []),
    ).rejects.toMatchObject({ code: 'several-searches-sealed' })
  // Both are searches of their own: a fork may add dense to the search of its source.
  for (const search of ['bm25,dense', 'serper,dense'])
    await checkOptions(config({ search, web: 'sealed', setting: 'online' }), [])
  expect(() => withOneSearch(sealed)).toThrow(expect.objectContaining({ code: 'several-searches' }))
})
