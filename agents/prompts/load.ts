import { ownPrompts } from './own-prompts.ts'
import type { Prompts } from './prompts.ts'

/** The prompts of a run: our own, or those of the file that --prompts names (see published-prompts.ts for its layout). */
export async function loadPrompts(file: string | null): Promise<Prompts> {
  if (file === null) return ownPrompts()
  const { readPublishedPrompts } = await import('./published-prompts.ts')
  return await readPublishedPrompts(file)
}
