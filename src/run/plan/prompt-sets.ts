import { basename, extname } from 'node:path'
import { furtherTexts, hashWith } from '../../../agents/prompts/further-texts.ts'
import { isNamedSet, loadPrompts } from '../../../agents/prompts/load.ts'
import { sourcesOf } from '../../../agents/registry.ts'
import { ConfigError } from '../../core/errors.ts'
import type { Prompts } from '../../core/prompts.ts'
import type { Question } from '../../core/task.ts'

/** What --prompts calls our own set. In a run's identity its hash has no name. */
const ownPromptsName = 'own'

/** The prompts of a run by their names in variants. */
export type PromptSets = ReadonlyMap<string, Prompts>

/**
 * What a set of prompts is called in variants: its name, or that of its file without folder and ending. What separates the
 * parts of a variant becomes an underscore.
 */
export function promptsName(given: string): string {
  return isNamedSet(given) ? given : basename(given, extname(given)).replace(/[,=\s]+/g, '_')
}

/** Reads every set of prompts of a run; ConfigError where two would have one name. */
export async function openPromptSets(given: readonly string[]): Promise<PromptSets> {
  const sets = new Map<string, Prompts>()
  for (const one of given) {
    const name = promptsName(one)
    if (sets.has(name) || (!isNamedSet(one) && isNamedSet(name)))
      throw new ConfigError(
        `--prompts ${one}: another set of prompts is called '${name}': give the file another name`,
        { code: 'duplicate-prompts' },
      )
    sets.set(name, await loadPrompts(one))
  }
  return sets
}

/** What results hang on: the hash of each set, under its name unless ours are the only ones. */
export function promptHashes(
  sets: PromptSets,
  questions: readonly Question[],
  settings: readonly string[],
): string | Record<string, string> {
  const further = furtherTexts(questions, sourcesOf(settings))
  const own = sets.get(ownPromptsName)
  if (sets.size === 1 && own !== undefined) return hashWith(own.hash, further)
  return Object.fromEntries([...sets].map(([name, { hash }]) => [name, hashWith(hash, further)]))
}

/** A file may lack what a task needs: told before anything is spent, as a ConfigError. */
export function requirePrompts(
  sets: PromptSets,
  questions: readonly Question[],
  settings: readonly string[],
): void {
  const sources = sourcesOf(settings)
  for (const [name, prompts] of sets)
    for (const question of questions) {
      const missing = prompts.missing?.(question, sources) ?? null
      if (missing !== null)
        throw new ConfigError(`prompts ${name}: ${question.taskId}: ${missing}`, { code: 'missing-prompt' })
    }
}
