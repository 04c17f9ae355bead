import { describe, expect, it } from 'vitest'
import type { PluginField } from '../../src/plugins/define-plugin.ts'
import { pluginFields } from '../../src/plugins/plugin-kinds.ts'
import { declareTests } from '../../src/testing/contract.ts'
import { contracts, type Samples } from '../../src/testing/test-plugin.ts'

/** Tests every built-in entry of a registry by the contract of its kind. An entry without a sample fails. */
export function testEveryEntry<Field extends PluginField>(
  field: Field,
  samples: Readonly<Record<string, Samples[Field] | readonly Samples[Field][]>>,
): void {
  const { registry } = pluginFields[field]
  const names = registry.names().filter(name => registry.originOf(name) === null)
  for (const [name, given] of Object.entries(samples))
    for (const sample of Array.isArray(given) ? given : [given])
      declareTests(`${registry.kind} ${name}`, contracts[field](name, sample), { describe, it })
  it(`every ${registry.kind} is tested by the contract of its kind`, () => {
    expect(Object.keys(samples).sort()).toEqual(names.sort())
  })
}
