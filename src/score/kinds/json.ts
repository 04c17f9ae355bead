import type { AnswerKind } from '../../core/answer-kind.ts'
import { jsonLeaves } from '../../core/json-leaves.ts'
import type { GoldValue, JsonGold } from '../../core/task.ts'

const leastValuesOfALeak = 3

/** JSON: an item for each value by its path (`.lenders.0.name`); the values give the answer away together. */
export const jsonItems: Pick<AnswerKind<JsonGold>, 'items' | 'groups'> = {
  items: gold =>
    Object.entries(jsonLeaves(gold.value)).map(([path, value]) => ({
      id: path,
      goldRow: 0,
      column: path,
      value,
      isNumeric: typeof value === 'number',
      row: {},
      keys: [],
    })),
  groups: gold => groupOf(jsonLeaves(gold.value)),
}

/** Any document of its kind shows some of the values, so that half of them count. */
export function groupOf(values: Readonly<Record<string, GoldValue>>) {
  const texts = Object.values(values).filter(value => value !== null && typeof value !== 'boolean')
  const distinct = new Set(texts.map(value => String(value).trim()).filter(text => text !== ''))
  return [{ values, leastShown: Math.max(leastValuesOfALeak, Math.ceil(distinct.size / 2)) }]
}
