import { compareByCodePoint } from '../../src/score/fuzzy/token-sort.ts'
import { isJsonList, isJsonObject, type JsonValue } from '../../src/score/python/json-value.ts'
import type { MetricNode } from './schema-node.ts'

/** Which leaves of the gold the prediction has, by path. The names are those of ExtractBench's published report. */
interface Coverage {
  readonly present_in_both: number
  readonly missing_in_extracted: number
  readonly spurious_in_extracted: number
  readonly required_missing: number
  readonly missing_paths: readonly string[]
  readonly spurious_paths: readonly string[]
}

/** Compares the leaf paths of two values; the values themselves do not matter. */
export function compareCoverage(root: MetricNode, gold: JsonValue, predicted: JsonValue): Coverage {
  const left = listLeafPaths(gold)
  const right = listLeafPaths(predicted)
  const required = listRequiredPaths(root)
  const missing = [...left].filter(path => !right.has(path)).sort(compareByCodePoint)
  const spurious = [...right].filter(path => !left.has(path)).sort(compareByCodePoint)
  return {
    present_in_both: left.size - missing.length,
    missing_in_extracted: missing.length,
    spurious_in_extracted: spurious.length,
    required_missing: missing.filter(path => required.has(path)).length,
    missing_paths: missing,
    spurious_paths: spurious,
  }
}

/**
 * Lists the paths of all leaves, such as a.b[0].c. An empty list or object is a leaf under a key, but not as a list
 * item: the published code does the same.
 */
function listLeafPaths(value: JsonValue): Set<string> {
  const paths = new Set<string>()
  const visit = (inner: JsonValue, path: string): void => {
    if (isJsonObject(inner)) {
      for (const [key, child] of Object.entries(inner)) {
        const childPath = path === '' ? key : `${path}.${key}`
        if (isFilled(child)) visit(child, childPath)
        else paths.add(childPath)
      }
    } else if (isJsonList(inner)) {
      for (const [i, item] of inner.entries()) visit(item, `${path}[${i}]`)
    } else if (path !== '') paths.add(path)
  }
  visit(value, '')
  return paths
}

const isFilled = (value: JsonValue): boolean =>
  isJsonList(value) ? value.length > 0 : isJsonObject(value) && Object.keys(value).length > 0

/** The paths of required keys. Like the published code, it only looks at objects inside objects. */
function listRequiredPaths(root: MetricNode): Set<string> {
  const paths = new Set<string>()
  const visit = (node: MetricNode, path: string): void => {
    if (node.kind !== 'object') return
    for (const [key, child] of node.properties) {
      const childPath = path === '' ? key : `${path}.${key}`
      if (node.required.has(key)) paths.add(childPath)
      visit(child, childPath)
    }
  }
  visit(root, '')
  return paths
}
