import type { GoldGroup, GoldItem } from '../../core/answer-kind.ts'
import type { Gold } from '../../core/task.ts'
import { answerKindOf } from './registry.ts'

const knownItems = new WeakMap<Gold, readonly GoldItem[]>()
const knownGroups = new WeakMap<Gold, readonly GoldGroup[]>()

/** The units of a gold value, in order. Made once for each gold, so that caches keyed by the list work. */
export function goldItems(gold: Gold): readonly GoldItem[] {
  const items = knownItems.get(gold) ?? answerKindOf(gold).items(gold)
  knownItems.set(gold, items)
  return items
}

/** The groups of gold values by which a leak is recognised. Made once for each gold. */
export function goldGroups(gold: Gold): readonly GoldGroup[] {
  const groups = knownGroups.get(gold) ?? answerKindOf(gold).groups(gold)
  knownGroups.set(gold, groups)
  return groups
}
