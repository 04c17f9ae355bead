import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod/v4'
import { settings } from '../../agents/registry.ts'
import type { Setting } from '../../agents/setting.ts'
import { listOptions } from '../../src/config/render-config.ts'
import { everyOption, requireOwnOptions, resolveConfig } from '../../src/config.ts'
import { armPerElement, defineOption, oneArm } from '../../src/core/option-spec.ts'
import { listOf } from '../../src/core/option-values.ts'
import { listArms } from '../../src/run/plan/arms.ts'

const option = defineOption('hops')
const hops: Setting = {
  summary: 'asks in several hops',
  source: 'memory',
  options: {
    hops: option('N', z.coerce.number().int().default(2), 'hops', { arms: oneArm(2) }),
    order: option('LIST', listOf(['up', 'down']).default(['up']), 'order', { arms: armPerElement('up') }),
    hidden: option('X', z.string().default('x'), 'no part of a options'),
  },
  run: async () => {
    throw new Error('not run')
  },
}
const base = { tasks: '-', out: '-' }

beforeAll(() => settings.add('mine', { hops }))

it("adds the options of a plug-in's setting to those of the run, checked by their schemas", () => {
  expect(Object.keys(everyOption())).toEqual(expect.arrayContaining(['hops', 'order', 'hidden', 'retriever']))
  expect(resolveConfig({ ...base, order: 'down' })).toMatchObject({ hops: 2, order: ['down'], hidden: 'x' })
  expect(() => resolveConfig({ ...base, order: 'sideways' })).toThrow(
    expect.objectContaining({ code: 'invalid-option' }),
  )
  expect(() => resolveConfig({ ...base, hopps: 3 })).toThrow(
    expect.objectContaining({ code: 'unknown-option' }),
  )
})

it('`shows them after the built-in ones in `tablehunt info config``', () => {
  const shown = listOptions({ options: { hops: 3 }, origins: {}, files: [], notices: [] })
  expect(Object.keys(shown).slice(-3)).toEqual(['hops', 'order', 'hidden'])
  expect(shown).toMatchObject({ hops: { value: 3 }, hidden: { value: 'x' } })
})

it('makes their values the arms of that setting only, and each attempt receives its own', () => {
  const config = resolveConfig({ ...base, hops: 3, order: 'up,down' })
  expect(listArms(config, 'hops').map(({ options, values }) => ({ options, values }))).toEqual([
    { options: { hops: '3' }, values: { hops: 3, order: 'up', hidden: 'x' } },
    { options: { hops: '3', order: 'down' }, values: { hops: 3, order: 'down', hidden: 'x' } },
  ])
  expect(listArms(config, 'offline').map(arm => arm.options)).toEqual([{}])
})

it('refuses an option with the name of another one', () => {
  expect(() => requireOwnOptions()).not.toThrow()
  const taken = { ...hops, options: { cut: option('X', z.string().default(''), 'another cut') } }
  expect(() => requireOwnOptions([['taken', taken]])).toThrow(
    expect.objectContaining({ code: 'plugin-name-taken' }),
  )
})
