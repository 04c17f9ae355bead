import { afterAll, vi } from 'vitest'
import { pluginFields } from '../src/plugins/plugin-kinds.ts'

/** The files of a worker share its modules, and registries belong to them: the next file must not see this file's plug-ins. */
afterAll(() => {
  const registries = Object.values(pluginFields).map(({ registry }) => registry)
  const plugins = registries.some(registry => registry.names().some(name => registry.originOf(name) !== null))
  if (plugins) vi.resetModules()
})
