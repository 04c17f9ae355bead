import type { Prompts } from '../../src/core/prompts.ts'
import { benchmarks } from '../../tasks/registry.ts'
import { aoePrompts } from './aoe-prompts.ts'
import { formatCotPrompts } from './format-cot.ts'
import { ownPrompts } from './own-prompts.ts'
import { structextPromptKinds, structextPrompts } from './structext-prompts.ts'

/** The built-in prompts by their names in --prompts. */
const builtIn: Readonly<Record<string, () => Prompts>> = {
  own: ownPrompts,
  'aoe-conventions': aoePrompts,
  'format-cot': formatCotPrompts,
  ...Object.fromEntries(
    structextPromptKinds.map(kind => [`structext-${kind}`, () => structextPrompts(kind)]),
  ),
}

/** Returns the built-in prompts or a benchmark's own prompts of that name; null when the name is that of a file. */
function namedSet(name: string): (() => Prompts | Promise<Prompts>) | null {
  if (Object.hasOwn(builtIn, name)) return builtIn[name]!
  const prompts = benchmarks.has(name) ? benchmarks.get(name).prompts : null
  return typeof prompts === 'function' ? prompts : null
}

/** Lists the names of built-in prompts, and of benchmarks with prompts of their own. */
function namesOfSets(): string[] {
  return [...Object.keys(builtIn), ...benchmarks.names().filter(isNamedSet)]
}

/** Returns whether a value of --prompts names built-in prompts or a benchmark's own prompts, and not a file. */
export function isNamedSet(name: string): boolean {
  return namedSet(name) !== null
}

/**
 * Loads the prompts that --prompts names, from a file if necessary. published-prompts.ts describes the layout of the file.
 *
 * @throws DataError `unreadable-prompts` or `invalid-prompts`
 */
export async function loadPrompts(name: string): Promise<Prompts> {
  const named = namedSet(name)
  if (named !== null) return await named()
  const { readPublishedPrompts } = await import('./published-prompts.ts')
  return await readPublishedPrompts(name, namesOfSets())
}
