import type { Prompts } from '../../src/core/prompts.ts'
import { benchmarks } from '../../tasks/registry.ts'
import { aoePrompts } from './aoe-prompts.ts'
import { ownPrompts } from './own-prompts.ts'

/** The prompts that are built in, by the name that --prompts gives them. */
const builtIn: Readonly<Record<string, () => Prompts>> = {
  own: ownPrompts,
  'aoe-conventions': aoePrompts,
}

/** The set that a name of --prompts stands for, built in or a benchmark's own; null: the name is that of a file. */
function namedSet(name: string): (() => Prompts | Promise<Prompts>) | null {
  if (Object.hasOwn(builtIn, name)) return builtIn[name]!
  const prompts = benchmarks.has(name) ? benchmarks.get(name).prompts : null
  return typeof prompts === 'function' ? prompts : null
}

/** Whether --prompts names a set, built in or a benchmark's own, and not a file. */
export function isNamedSet(name: string): boolean {
  return namedSet(name) !== null
}

/** The prompts that --prompts names: a set, or a file (see published-prompts.ts for its layout). */
export async function loadPrompts(name: string): Promise<Prompts> {
  const named = namedSet(name)
  if (named !== null) return await named()
  const { readPublishedPrompts } = await import('./published-prompts.ts')
  return await readPublishedPrompts(name)
}
