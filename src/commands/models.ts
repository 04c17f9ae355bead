import { modelProviders } from '../models/registry.ts'
import type { RegisterCommand } from './command.ts'
import { withPlugins } from './plugin-flag.ts'

/** Registers `models`. */
export const registerModels: RegisterCommand = command => {
  withPlugins(command).action(() => {
    for (const [name, provider] of modelProviders.entries()) {
      const needs = [provider.keyVariable, provider.package].filter(need => need !== null).join(', ')
      process.stdout.write(`${name.padEnd(18)} ${provider.summary}${needs === '' ? '' : `  [${needs}]`}\n`)
    }
  })
}
