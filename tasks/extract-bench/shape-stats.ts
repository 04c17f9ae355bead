import { findMedian } from '../../src/core/median.ts'
import {
  isJsonList,
  isJsonObject,
  type JsonValue,
  LargeInteger,
  WholeFloat,
} from '../../src/score/python/json-value.ts'
import { listChildren, type MetricNode } from './schema-node.ts'

type Counts = Record<string, number>

/** The `schema_stats` of the published report: counts of the expanded tree, without additionalProperties. */
export function countSchemaShape(root: MetricNode): { readonly [key: string]: JsonValue } {
  const byType: Counts = {}
  const required: Counts = {}
  const optional: Counts = {}
  let total = 0
  const visit = (node: MetricNode): void => {
    total += 1
    add(byType, node.kind)
    if (node.kind === 'object') {
      for (const [key, child] of node.properties)
        add(node.required.has(key) ? required : optional, child.kind)
    }
    for (const [step, child] of listChildren(node)) if (step !== '.additionalProperties') visit(child)
  }
  visit(root)
  return {
    total_nodes: total,
    counts_by_type: byType,
    required_keys_count: sumCounts(required),
    optional_keys_count: sumCounts(optional),
    required_by_type: required,
    optional_by_type: optional,
  }
}

/** The value statistics of the published report: keys at all depths by the type of their value, and list lengths. */
export function countValueShape(value: JsonValue): { readonly [key: string]: JsonValue } {
  const byType: Counts = {}
  const lengths: number[] = []
  const visit = (inner: JsonValue): void => {
    if (isJsonList(inner)) {
      lengths.push(inner.length)
      for (const item of inner) visit(item)
    } else if (isJsonObject(inner)) {
      for (const child of Object.values(inner)) {
        add(byType, nameType(child))
        visit(child)
      }
    }
  }
  visit(value)
  return {
    total_keys: sumCounts(byType),
    counts_by_type: byType,
    null_count: byType.null ?? 0,
    missing_count: 0,
    array_stats: lengths.length === 0 ? null : countArrays(lengths),
  }
}

const countArrays = (lengths: readonly number[]): { readonly [key: string]: JsonValue } => ({
  array_field_count: lengths.length,
  total_items: lengths.reduce((sum, length) => sum + length, 0),
  min_length: Math.min(...lengths),
  median_length: findMedian(lengths),
  max_length: Math.max(...lengths),
})

function nameType(value: JsonValue): string {
  if (value === null) return 'null'
  if (value instanceof WholeFloat) return 'number'
  if (value instanceof LargeInteger) return 'integer'
  if (isJsonList(value)) return 'array'
  if (isJsonObject(value)) return 'object'
  return typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value
}

function add(counts: Counts, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1
}

const sumCounts = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + count, 0)
