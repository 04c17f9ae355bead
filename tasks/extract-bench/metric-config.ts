import { isJsonList, isJsonObject, type JsonValue } from '../../src/score/python/json-value.ts'
import { RefusedError } from './errors.ts'
import type { MetricChoice, MetricNode } from './schema-node.ts'

const presetParams: Readonly<Record<string, Readonly<Record<string, JsonValue>>>> = {
  string_exact: {},
  string_case_insensitive: {},
  string_fuzzy: { threshold: 0.8 },
  string_semantic: {},
  string_llm: {},
  integer_exact: {},
  number_exact: {},
  number_tolerance: { tolerance: 0.001 },
  boolean_exact: {},
  array_llm: {},
}

const defaultPreset: Readonly<Record<MetricNode['kind'], string | null>> = {
  string: 'string_semantic',
  integer: 'integer_exact',
  number: 'number_tolerance',
  boolean: 'boolean_exact',
  array: 'array_llm',
  object: null,
  null: null,
  anyof: null,
}

/**
 * Reads the metrics of a node from its `evaluation_config`: a preset's name, or { metrics: [{ metric_id, params }] }.
 * Without one, the default of the node's kind applies. Like the published package, it accepts an unknown metric_id,
 * which fails when it is evaluated.
 *
 * @throws RefusedError for an unknown preset or an unknown field
 */
export function readMetrics(
  kind: MetricNode['kind'],
  config: JsonValue | undefined,
): readonly MetricChoice[] {
  if (config === undefined || config === null) return readPreset(defaultPreset[kind])
  if (typeof config === 'string') {
    if (config === 'skip' || Object.hasOwn(presetParams, config)) return readPreset(config)
    throw createRefusal(`Invalid evaluation preset '${config}'.`)
  }
  if (!isJsonObject(config)) throw makeConfigError()
  refuseOthers(config, ['metrics', 'aggregation_weight'])
  const { metrics = [] } = config
  if (!isJsonList(metrics)) throw makeConfigError()
  return metrics.map(metric => {
    if (!isJsonObject(metric)) throw makeConfigError()
    refuseOthers(metric, ['metric_id', 'weight', 'params'])
    const { metric_id: metricId, params = null } = metric
    if (typeof metricId !== 'string' || !(params === null || isJsonObject(params))) throw makeConfigError()
    return { metricId, params: params ?? {} }
  })
}

function readPreset(name: string | null): readonly MetricChoice[] {
  return name === null || name === 'skip' ? [] : [{ metricId: name, params: presetParams[name]! }]
}

function refuseOthers(object: Readonly<Record<string, unknown>>, allowed: readonly string[]): void {
  if (Object.keys(object).some(key => !allowed.includes(key))) throw makeConfigError()
}

const makeConfigError = (): RefusedError =>
  createRefusal('Invalid evaluation_config for schema node: 1 validation error for EvaluationConfig')

const createRefusal = (message: string): RefusedError =>
  new RefusedError({ stage: 'schema', type: 'ValueError', message })
