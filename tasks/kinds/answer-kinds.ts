import type { AnswerKind, GoldGroup, GoldItem } from '../../src/core/answer-kind.ts'
import type { Gold } from '../../src/core/gold.ts'
import type { AnswerKindName } from '../../src/core/metric.ts'
import { lruCache } from '../../src/system/lru-cache.ts'
import { jsonKind } from './json.ts'
import { tableKind } from './table.ts'
import { textKind } from './text.ts'

/** Every kind of answer that a task can ask for, by the kind of its gold. */
export const answerKinds = {
  table: tableKind,
  json: jsonKind,
  text: textKind,
} as const satisfies { readonly [K in AnswerKindName]: AnswerKind<Extract<Gold, { kind: K }>> }

/** Returns the answer kind of a gold value. */
export function findAnswerKind<G extends Gold>(gold: G): AnswerKind<G> {
  return answerKinds[gold.kind] as unknown as AnswerKind<G>
}

/** Whether an answer of the asked kind can be read from a text. */
export function hasAnswer(text: string, { kind }: { readonly kind: Gold['kind'] }): boolean {
  return answerKinds[kind].read(text).parseStatus === kind
}

/**
 * How many items of gold are kept, and how many groups. A run of many tasks would otherwise need more memory with every task:
 * the gold of a task lives as long as the run, and so do caches keyed by its items.
 */
const mostKept = 20_000
const knownItems = lruCache<readonly GoldItem[], Gold>(mostKept)
const knownGroups = lruCache<readonly GoldGroup[], Gold>(mostKept)
const weighItems = ({ length }: readonly unknown[]): number => length + 1

/**
 * The units of a gold value, in order. Returns the same list for the golds that were used most recently, so that caches keyed
 * by the list work.
 */
export function listGoldItems(gold: Gold): readonly GoldItem[] {
  return knownItems(gold, () => findAnswerKind(gold).items(gold), weighItems)
}

/** The groups of gold values by which a leak is recognised. */
export function listGoldGroups(gold: Gold): readonly GoldGroup[] {
  return knownGroups(gold, () => findAnswerKind(gold).groups(gold), weighItems)
}
