import type { Prompts } from '../../src/core/prompts.ts'
import { aoePrompts } from './aoe-prompts.ts'
import { ownPrompts } from './own-prompts.ts'

/** The prompts that are built in, by the name that --prompts gives them. */
const builtIn: Readonly<Record<string, () => Prompts>> = {
  own: ownPrompts,
  'aoe-conventions': aoePrompts,
}

/** Whether --prompts names a built-in set and not a file. */
export function isBuiltIn(name: string): boolean {
  return Object.hasOwn(builtIn, name)
}

/** The prompts that --prompts names: a built-in set, or a file (see published-prompts.ts for its layout). */
export async function loadPrompts(name: string): Promise<Prompts> {
  const built = builtIn[name]
  if (built !== undefined) return built()
  const { readPublishedPrompts } = await import('./published-prompts.ts')
  return await readPublishedPrompts(name)
}
