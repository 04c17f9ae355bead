import type { GoldGroup, GoldItem } from '../../src/core/answer-kind.ts'
import type { Gold } from '../../src/core/task.ts'
import { lruCache } from '../../src/system/lru-cache.ts'
import { findAnswerKind } from './answer-kinds.ts'

/**
 * How many items of gold are kept, and how many groups. A run of many tasks would otherwise need more memory with every task:
 * the gold of a task lives as long as the run, and so do caches keyed by its items.
 */
const mostKept = 20_000
const knownItems = lruCache<readonly GoldItem[], Gold>(mostKept)
const knownGroups = lruCache<readonly GoldGroup[], Gold>(mostKept)
const weightOf = ({ length }: readonly unknown[]): number => length + 1

/**
 * The units of a gold value, in order. Returns the same list for the golds that were used most recently, so that caches keyed
 * by the list work.
 */
export function goldItems(gold: Gold): readonly GoldItem[] {
  return knownItems(gold, () => findAnswerKind(gold).items(gold), weightOf)
}

/** The groups of gold values by which a leak is recognised. */
export function goldGroups(gold: Gold): readonly GoldGroup[] {
  return knownGroups(gold, () => findAnswerKind(gold).groups(gold), weightOf)
}
