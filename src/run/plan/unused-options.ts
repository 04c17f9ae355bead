import { settings } from '../../../agents/registry.ts'
import type { RunConfig } from '../../config.ts'
import { formatFlag } from '../../core/option-spec.ts'
import { canonicalJson } from '../../system/hash.ts'

/** Options of a setting that other settings use as well: the sealed web, and the controls of online. */
const sharedOptions = new Set(['controls', 'cut', 'tableFormat'])

/** Built-in models that send no requests. */
const localModels = new Set(['extractive', 'scripted'])

/** Returns a notice about each kind of given option that has no effect in this run. A resumed run gets none, because it got them when it began. */
export function unusedOptionNotices(config: Readonly<RunConfig>): string[] {
  return config.resume ? [] : [...unusedSettingOptions(config), ...unusedRequestFields(config)]
}

function unusedSettingOptions(config: Readonly<RunConfig>): string[] {
  const usedNames = new Set(config.setting.flatMap(name => Object.keys(settings.get(name).options ?? {})))
  const values = config as Readonly<Record<string, unknown>>
  const flagsOf = new Map<string, string[]>()
  for (const [setting, { options = {} }] of settings.entries())
    for (const [name, { schema }] of Object.entries(options)) {
      if (usedNames.has(name) || sharedOptions.has(name)) continue
      const normal = schema.safeParse(undefined).data ?? null
      if (canonicalJson(values[name] ?? null) === canonicalJson(normal)) continue
      flagsOf.set(formatFlag(name), [...(flagsOf.get(formatFlag(name)) ?? []), setting])
    }
  if (flagsOf.size === 0) return []
  const named = [...flagsOf].map(([flag, users]) => `${flag} (${users.join(', ')})`)
  return [
    `options without effect: ${named.join(', ')}. No setting of this run uses them. Add one that does to --setting, or leave them out.`,
  ]
}

function unusedRequestFields({ model, requestField }: Readonly<RunConfig>): string[] {
  if (requestField.length === 0) return []
  const local = [...new Set(model.map(name => name.replace(/:.*$/s, '')))].filter(name =>
    localModels.has(name),
  )
  if (local.length === 0) return []
  return [
    `--request-field has no effect on ${local.join(' and ')}, which sends no requests. Its records name the fields all the same. Leave them out, or choose a language model with --model.`,
  ]
}
