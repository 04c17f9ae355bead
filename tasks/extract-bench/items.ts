import type { ScoredItem } from '../../src/core/scored-item.ts'
import { clipRecordedText } from '../../src/score/contract/scorer.ts'
import {
  isJsonList,
  isJsonObject,
  type JsonValue,
  missing,
  type PresentOrMissing,
} from '../../src/score/python/json-value.ts'
import type { NodeResult } from './evaluate.ts'

/**
 * Lists every unit of gold with its score: one item for each scored node of the schema. A list that is scored
 * by matching its elements has an item for each value of each gold element. The item is right when the
 * element was matched. When a judge only counted the matches, the list is one item.
 */
export function listNodeItems(nodes: readonly NodeResult[]): ScoredItem[] {
  return withUniqueIds(nodes.flatMap(node => listElementItems(node) ?? [makeNodeItem(node)]))
}

/**
 * The items of an answer without a readable value: nothing was predicted, and all items are wrong.
 *
 * @param nodes the gold's own nodes, as `listGoldNodes` returns them
 * @param rule the reason why there is no value
 */
export function listMissingItems(nodes: readonly NodeResult[], rule: string): ScoredItem[] {
  return listNodeItems(nodes).map(item => ({ ...item, predicted: null, score: 0, rule }))
}

/** The place of a node in the JSON value, such as `.lender.name`. */
const placeNode = (path: string): string => path.slice(1).replaceAll('.properties.', '.')

function makeNodeItem({ path, values, metric, score, presence, errorType }: NodeResult): ScoredItem {
  const isJudgeFailure = errorType === 'JudgeError'
  return {
    ...makeItem(placeNode(path), values.gold, values.predicted),
    score: isJudgeFailure ? null : score,
    rule: isJudgeFailure ? 'judge-failed' : presence === 'both_present' ? metric : presence,
  }
}

/** The items of a list that was scored by its elements; null for any other node. */
function listElementItems({ path, values, metric, matches, presence, errorType }: NodeResult) {
  const { gold, predicted } = values
  if (metric !== 'array_llm' || errorType !== null || !isJsonList(gold) || gold.length === 0) return null
  const answer = isJsonList(predicted) ? predicted : []
  const partnerOf = createPartnerFinder(gold.length, answer, matches)
  if (partnerOf === null) return null
  const place = placeNode(path)
  const rule = presence === 'both_present' ? metric : presence
  return gold.flatMap((element, at) => {
    const partner = partnerOf(at)
    return listLeaves(element, `${place}.${at}`).map(leaf => ({
      ...makeItem(leaf.place, leaf.value, partner === null ? missing : readValueAt(partner, leaf.keys)),
      score: partner === null ? 0 : 1,
      rule: partner === null && presence === 'both_present' ? 'unmatched-element' : rule,
    }))
  })
}

/**
 * Returns a function that finds the predicted element of a gold element, null when it has none. Null when the pairs
 * are unknown.
 */
function createPartnerFinder(
  count: number,
  answer: readonly JsonValue[],
  matches: NodeResult['matches'],
): ((at: number) => PresentOrMissing | null) | null {
  if (matches === null || matches.matched === 0) return () => null
  const { goldOf } = matches
  if (goldOf !== undefined) {
    const predictedOf = new Map([...goldOf].map(([predicted, gold]) => [gold, answer[predicted]!]))
    return at => predictedOf.get(at) ?? null
  }
  return matches.missedGold === 0 && matches.matched >= count ? () => missing : null
}

interface Leaf {
  readonly place: string
  /** The keys from the element to the value. */
  readonly keys: readonly string[]
  readonly value: JsonValue
}

/** The values below an element, or the element itself when it contains none. */
function listLeaves(element: JsonValue, place: string, keys: readonly string[] = []): Leaf[] {
  const inner = isJsonList(element) || isJsonObject(element) ? Object.entries(element) : []
  if (inner.length === 0) return [{ place, keys, value: element }]
  return inner.flatMap(([key, child]) => listLeaves(child as JsonValue, `${place}.${key}`, [...keys, key]))
}

function readValueAt(value: PresentOrMissing, keys: readonly string[]): PresentOrMissing {
  let inner: PresentOrMissing = value
  for (const key of keys) {
    if (!(isJsonObject(inner) || isJsonList(inner)) || !Object.hasOwn(inner, key)) return missing
    inner = (inner as Readonly<Record<string, JsonValue>>)[key]!
  }
  return inner
}

function makeItem(
  place: string,
  gold: PresentOrMissing,
  predicted: PresentOrMissing,
): Omit<ScoredItem, 'score' | 'rule'> {
  return {
    id: place,
    path: place,
    gold: writeValue(gold) ?? '',
    predicted: writeValue(predicted),
    class: null,
  }
}

function writeValue(value: PresentOrMissing): string | null {
  if (value === missing) return null
  return clipRecordedText(typeof value === 'string' ? value : JSON.stringify(value))
}

/** Numbers the ids of a node with several metrics, which has an item for each. */
function withUniqueIds(items: readonly ScoredItem[]): ScoredItem[] {
  const counts = new Map<string, number>()
  return items.map(item => {
    const count = (counts.get(item.id) ?? 0) + 1
    counts.set(item.id, count)
    return count === 1 ? item : { ...item, id: `${item.id} #${count}` }
  })
}
