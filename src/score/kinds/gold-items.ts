import type { GoldGroup, GoldItem } from '../../core/answer-kind.ts'
import type { Gold } from '../../core/task.ts'
import { jsonItems } from './json.ts'
import { tableItems } from './table.ts'
import { textItems } from './text.ts'

const knownItems = new WeakMap<Gold, readonly GoldItem[]>()
const knownGroups = new WeakMap<Gold, readonly GoldGroup[]>()

/** The units of a gold value, in its order. Made once for each gold, so that what is kept by them is found again. */
export function goldItems(gold: Gold): readonly GoldItem[] {
  const items = knownItems.get(gold) ?? itemsOf(gold)
  knownItems.set(gold, items)
  return items
}

function itemsOf(gold: Gold): readonly GoldItem[] {
  switch (gold.kind) {
    case 'table':
      return tableItems.items(gold)
    case 'json':
      return jsonItems.items(gold)
    case 'text':
      return textItems.items(gold)
    default:
      return gold satisfies never
  }
}

/** What gives a gold value away when a tool shows it. Made once for each gold. */
export function goldGroups(gold: Gold): readonly GoldGroup[] {
  const groups = knownGroups.get(gold) ?? groupsOf(gold)
  knownGroups.set(gold, groups)
  return groups
}

function groupsOf(gold: Gold): readonly GoldGroup[] {
  switch (gold.kind) {
    case 'table':
      return tableItems.groups(gold)
    case 'json':
      return jsonItems.groups(gold)
    case 'text':
      return textItems.groups(gold)
    default:
      return gold satisfies never
  }
}
