import { RefusedError } from './errors.ts'
import { evaluateByRules, type NodeResult } from './evaluate.ts'
import type { JsonValue } from './json-value.ts'
import type { ExtractionFailure } from './parse-extraction.ts'
import { readSchema } from './read-schema.ts'
import { childrenOf, type SchemaNode } from './schema-node.ts'
import type { ExtractionScore } from './score-extraction.ts'

/** What the paper names and the published package does not report. */
export interface ExtractionFigures {
  /** Gold has a value, the prediction has none. */
  readonly omissions: number
  /** The prediction has a value, gold has none. */
  readonly hallucinations: number
  /** Both have a value, and they differ. */
  readonly wrongValues: number
  /** Items of scored lists, all lists together; precision counts spurious items, which the package's score does not. */
  readonly items: {
    readonly matched: number
    readonly missed: number
    readonly spurious: number
    readonly precision: number
    readonly recall: number
    readonly f1: number
  }
}

/** Omission, hallucination and list items of one scored document. */
export function figuresOf(nodes: readonly NodeResult[]): ExtractionFigures {
  const failed = nodes.filter(node => !node.passed)
  let matched = 0
  let missed = 0
  let spurious = 0
  for (const { matches } of nodes) {
    matched += matches?.matched ?? 0
    missed += matches?.missedGold ?? 0
    spurious += matches?.spuriousPredicted ?? 0
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
      f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall),
    },
  }
}

/**
 * Keys a document by the paper: leaves of the expanded schema, list items entered once, an anyOf one leaf. Null where the
 * package refuses the schema.
 */
export function schemaKeys(schema: JsonValue): number | null {
  const count = (node: SchemaNode): number => {
    if (node.kind === 'anyof') return 1
    const children = [...childrenOf(node)]
    return children.length === 0 ? 1 : children.reduce((sum, [, child]) => sum + count(child), 0)
  }
  return unlessRefused(() => count(readSchema(schema)))
}

/** How many nodes the package would score here, as the gold against itself gives; null where it refuses the gold. */
export function scorableNodes(schema: JsonValue, gold: JsonValue): number | null {
  return unlessRefused(() => {
    const evaluation = evaluateByRules(readSchema(schema), gold, gold)
    return evaluation.results.filter(result => !result.internal).length
  })
}

function unlessRefused(count: () => number): number | null {
  try {
    return count()
  } catch (error) {
    if (error instanceof RefusedError) return null
    throw error
  }
}

/** One document of a model, scored or not. */
export interface ExtractionRecord {
  readonly schemaName: string
  /** Null where the answer held no JSON. */
  readonly score: ExtractionScore | null
  /** Why it could not be scored; null where it was. A document that the schema refuses is schema-mismatch. */
  readonly failure: ExtractionFailure | null
  readonly scorable: number
  readonly keys: number
}

/** A row of Table 5, for one schema or for `all`. */
export interface ExtractionRow {
  readonly schemaName: string
  readonly documents: number
  readonly valid: number
  readonly failures: Readonly<Partial<Record<ExtractionFailure, number>>>
  readonly passed: number
  /** Nodes that the package scores, invalid documents in the denominator. */
  readonly scorable: number
  readonly passRate: number | null
  /** The paper's denominator: keys of the schema times documents. */
  readonly keys: number
  readonly passRateOfKeys: number | null
  /** Pass rate of the valid documents alone. */
  readonly accuracyOfValid: number | null
}

/** Table 5: one row a schema, and `all` at the end. */
export function extractionTable(records: readonly ExtractionRecord[]): ExtractionRow[] {
  const names = [...new Set(records.map(record => record.schemaName))]
  return [
    ...names.map(name =>
      rowOf(
        name,
        records.filter(record => record.schemaName === name),
      ),
    ),
    rowOf('all', records),
  ]
}

function rowOf(schemaName: string, records: readonly ExtractionRecord[]): ExtractionRow {
  const valid = records.filter(record => record.score?.valid === true)
  const failures: Partial<Record<ExtractionFailure, number>> = {}
  for (const { failure } of records) if (failure !== null) failures[failure] = (failures[failure] ?? 0) + 1
  const passed = valid.reduce(
    (sum, record) => sum + record.score!.nodes.filter(node => node.passed).length,
    0,
  )
  const evaluated = valid.reduce((sum, record) => sum + record.score!.nodes.length, 0)
  const scorable = records.reduce(
    (sum, record) => sum + (record.score?.valid ? record.score.nodes.length : record.scorable),
    0,
  )
  const keys = records.reduce((sum, record) => sum + record.keys, 0)
  return {
    schemaName,
    documents: records.length,
    valid: valid.length,
    failures,
    passed,
    scorable,
    passRate: scorable === 0 ? null : passed / scorable,
    keys,
    passRateOfKeys: keys === 0 ? null : passed / keys,
    accuracyOfValid: evaluated === 0 ? null : passed / evaluated,
  }
}
