import { isJsonList, missing, type PresentOrMissing } from '../../src/score/python/json-value.ts'
import type { MetricNode } from './schema-node.ts'
import type { ValuePair } from './walk-values.ts'

/** Which side has a value at a node, in the words of the published package. */
export type Presence =
  | 'both_present'
  | 'both_missing'
  | 'both_null'
  | 'both_empty_array'
  | 'both_absent'
  | 'gold_missing'
  | 'gold_null'
  | 'gold_empty_array'
  | 'extracted_missing'
  | 'extracted_null'
  | 'extracted_empty_array'

type Absence = 'missing' | 'null' | 'empty_array'

/**
 * Determines which side has a value. A missing key, null, and an empty list at an array node are absent; "", 0, false
 * and {} are values.
 */
export function findPresence(kind: MetricNode['kind'], { gold, predicted }: ValuePair): Presence {
  const left = findAbsence(kind, gold)
  const right = findAbsence(kind, predicted)
  if (left !== null && right !== null) return left === right ? `both_${left}` : 'both_absent'
  if (left !== null) return `gold_${left}`
  return right !== null ? `extracted_${right}` : 'both_present'
}

function findAbsence(kind: MetricNode['kind'], value: PresentOrMissing): Absence | null {
  if (value === missing) return 'missing'
  if (value === null) return 'null'
  return kind === 'array' && isJsonList(value) && value.length === 0 ? 'empty_array' : null
}
