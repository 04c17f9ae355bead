import { basename, extname } from 'node:path'
import { furtherTexts, hashWith } from '../../../agents/prompts/further-texts.ts'
import { isNamedSet, loadPrompts } from '../../../agents/prompts/load.ts'
import { listAnswerSources, settings } from '../../../agents/registry.ts'
import { isOnlineControl } from '../../core/controls.ts'
import { ConfigError } from '../../core/errors.ts'
import type { Prompts } from '../../core/prompts.ts'
import type { Question } from '../../core/task.ts'

/** The name of the built-in set in --prompts. A run's identity stores its hash without a name. */
const ownPromptsName = 'own'

/** The sets of prompts of a run, by their names in records. */
export type PromptSets = ReadonlyMap<string, Prompts>

/**
 * Returns the name of a set of prompts in records: its own name, or that of its file without folder and extension.
 * Characters that separate options in names become underscores.
 */
export function namePrompts(value: string): string {
  return isNamedSet(value) ? value : basename(value, extname(value)).replace(/[,=\s]+/g, '_')
}

/**
 * Reads the sets of prompts of a run.
 *
 * @throws ConfigError [duplicate-prompts] and those of `loadPrompts`
 */
export async function openPromptSets(values: readonly string[]): Promise<PromptSets> {
  const sets = new Map<string, Prompts>()
  for (const value of values) {
    const name = namePrompts(value)
    if (sets.has(name) || (!isNamedSet(value) && isNamedSet(name)))
      throw new ConfigError(
        `--prompts ${value}: another set of prompts has the name '${name}'. Rename the file.`,
        { code: 'duplicate-prompts' },
      )
    sets.set(name, await loadPrompts(value))
  }
  return sets
}

/** Returns the hashes that results depend on: one hash for the built-in set alone, else the hash of each set by name. */
export function hashPromptSets(
  sets: PromptSets,
  questions: readonly Question[],
  names: readonly string[],
): string | Record<string, string> {
  const ofSettings = names.flatMap(name => Object.entries(settings.get(name).promptTexts ?? {}))
  const further = { ...furtherTexts(questions, listAnswerSources(names)), ...Object.fromEntries(ofSettings) }
  const builtInSet = sets.get(ownPromptsName)
  if (sets.size === 1 && builtInSet !== undefined) return hashWith(builtInSet.hash, further)
  return Object.fromEntries([...sets].map(([name, { hash }]) => [name, hashWith(hash, further)]))
}

/**
 * Checks that the prompt files contain every prompt that the tasks need.
 *
 * @throws ConfigError [missing-prompt]
 */
export function requirePrompts(
  sets: PromptSets,
  questions: readonly Question[],
  { setting, controls }: { readonly controls: readonly string[]; readonly setting: readonly string[] },
): void {
  // Controls of online show documents.
  const ofControls = controls.some(isOnlineControl) ? ['documents' as const] : []
  const sources = new Set([...listAnswerSources(setting), ...ofControls])
  for (const [set, prompts] of sets)
    for (const question of questions) {
      const missing = prompts.missing?.(question, sources) ?? null
      if (missing !== null)
        throw new ConfigError(`prompts ${set}: ${question.taskId}: ${missing}`, { code: 'missing-prompt' })
    }
}
