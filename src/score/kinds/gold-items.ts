import type { GoldGroup, GoldItem } from '../../core/answer-kind.ts'
import type { Gold } from '../../core/task.ts'
import { answerKindOf } from './registry.ts'

const knownItems = new WeakMap<Gold, readonly GoldItem[]>()
const knownGroups = new WeakMap<Gold, readonly GoldGroup[]>()

/** The units of a gold value, in its order. Made once for each gold, so that what is kept by them is found again. */
export function goldItems(gold: Gold): readonly GoldItem[] {
  const items = knownItems.get(gold) ?? answerKindOf(gold).items(gold)
  knownItems.set(gold, items)
  return items
}

/** What gives a gold value away when a tool shows it. Made once for each gold. */
export function goldGroups(gold: Gold): readonly GoldGroup[] {
  const groups = knownGroups.get(gold) ?? answerKindOf(gold).groups(gold)
  knownGroups.set(gold, groups)
  return groups
}
