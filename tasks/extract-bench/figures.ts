import { computeF1 } from '../../src/score/fuzzy/overlap.ts'
import type { JsonValue } from '../../src/score/python/json-value.ts'
import { RefusedError } from './errors.ts'
import { evaluateByRules, type NodeResult } from './evaluate.ts'
import { readSchema } from './read-schema.ts'
import { listChildren, type MetricNode } from './schema-node.ts'

/** Figures that the ExtractBench paper names but its published package does not report. */
interface ExtractionFigures {
  /** Failed fields with a value in the gold only. */
  readonly omissions: number
  /** Failed fields with a value in the prediction only. */
  readonly hallucinations: number
  /** Failed fields with different values on both sides. */
  readonly wrongValues: number
  /**
   * Items of all scored lists, including lists that one side lacks completely. Precision counts spurious items; the
   * package's own score does not.
   */
  readonly items: {
    readonly matched: number
    readonly missed: number
    readonly spurious: number
    readonly precision: number
    readonly recall: number
    readonly f1: number
  }
}

/** Computes omissions, hallucinations and list items of one scored document. */
export function countFigures(nodes: readonly NodeResult[]): ExtractionFigures {
  const failed = nodes.filter(node => !node.passed)
  let matched = 0
  let missed = 0
  let spurious = 0
  for (const { matches, unpaired } of nodes) {
    const items = matches ?? unpaired
    matched += items?.matched ?? 0
    missed += items?.missedGold ?? 0
    spurious += items?.spuriousPredicted ?? 0
  }
  const precision = matched + spurious === 0 ? 1 : matched / (matched + spurious)
  const recall = matched + missed === 0 ? 1 : matched / (matched + missed)
  return {
    omissions: failed.filter(node => node.presence.startsWith('extracted_')).length,
    hallucinations: failed.filter(node => node.presence.startsWith('gold_')).length,
    wrongValues: failed.filter(node => node.presence === 'both_present').length,
    items: {
      matched,
      missed,
      spurious,
      precision,
      recall,
      f1: computeF1(precision, recall),
    },
  }
}

/**
 * Counts the keys of a document as the paper does. It counts the leaves of the expanded schema, with list
 * items counted once and an anyOf counted as one leaf.
 *
 * @returns null when the package refuses the schema
 */
export function countSchemaKeys(schema: JsonValue): number | null {
  const count = (node: MetricNode): number => {
    if (node.kind === 'anyof') return 1
    const children = [...listChildren(node)]
    return children.length === 0 ? 1 : children.reduce((sum, [, child]) => sum + count(child), 0)
  }
  return readUnlessRefused(() => count(readSchema(schema)))
}

/**
 * Counts the levels of objects and lists in the expanded schema, as the paper does.
 *
 * @returns null when the package refuses the schema
 */
export function countSchemaLevels(schema: JsonValue): number | null {
  const levels = (node: MetricNode): number => {
    const below = Math.max(0, ...[...listChildren(node)].map(([, child]) => levels(child)))
    return node.kind === 'object' || node.kind === 'array' ? below + 1 : below
  }
  return readUnlessRefused(() => levels(readSchema(schema)))
}

/**
 * The nodes that the package scores when the gold is compared with itself.
 *
 * @returns null when the package refuses the gold
 */
export function listGoldNodes(schema: JsonValue, gold: JsonValue): readonly NodeResult[] | null {
  return readUnlessRefused(() =>
    evaluateByRules(readSchema(schema), gold, gold).results.filter(result => !result.internal),
  )
}

/** Counts the nodes that the package scores; null when it refuses the gold. */
export function countScorableNodes(schema: JsonValue, gold: JsonValue): number | null {
  return listGoldNodes(schema, gold)?.length ?? null
}

function readUnlessRefused<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof RefusedError) return null
    throw error
  }
}
