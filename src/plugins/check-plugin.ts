import { ConfigError } from '../core/errors.ts'
import { answerKindNames } from '../core/metric.ts'
import { describeUnknownName } from '../core/nearest-name.ts'
import { isObject } from '../text/json.ts'
import type { Plugin, PluginField } from './define-plugin.ts'
import { type MemberType, pluginFields } from './plugin-kinds.ts'

/** Names appear in options and records, so they have no commas, colons, slashes or spaces. */
const entryName = /^[A-Za-z][\w.-]*$/

/**
 * What a module exports, as a plug-in.
 * @param place the file or package, for messages
 * @throws ConfigError [plugin-invalid] that names the place and the member that is wrong
 */
export function checkPlugin(exported: unknown, place: string): Plugin {
  const refuse = (what: string): never => {
    throw new ConfigError(`plug-in ${place}: ${what}. See docs/plugins.md.`, { code: 'plugin-invalid' })
  }
  if (!isObject(exported)) return refuse('`export default definePlugin({ … })` is expected')
  const { name, ...fields } = exported
  if (name !== undefined && (typeof name !== 'string' || name.trim() === ''))
    refuse('`name` is a text that is not empty')
  const known = Object.keys(pluginFields)
  for (const [field, entries] of Object.entries(fields)) {
    if (!known.includes(field)) refuse(`unknown field ${describeUnknownName(field, known)}`)
    if (!isObject(entries)) return refuse(`\`${field}\` is an object of entries by their names`)
    for (const [entry, value] of Object.entries(entries)) {
      const problem = problemOf(field as PluginField, entry, value)
      if (problem !== null) refuse(problem)
    }
  }
  if (Object.values(fields).every(entries => Object.keys(entries as object).length === 0))
    refuse(`it adds nothing: give it entries in one of ${known.join(', ')}`)
  return exported
}

/** What is wrong with an entry; null: it is valid. */
function problemOf(field: PluginField, name: string, entry: unknown): string | null {
  if (!entryName.test(name))
    return `${field}: '${name}' is no name: a letter, then letters, digits, '.', '_' and '-'`
  if (!isObject(entry)) return `${field}.${name} is an object`
  const members: Record<string, MemberType> = { summary: 'a text', ...pluginFields[field].members }
  for (const [member, type] of Object.entries(members)) {
    const value = entry[member]
    if (isOf(type, value)) continue
    const expected = typeof type === 'string' ? type : `one of ${type.map(one => one ?? 'null').join(', ')}`
    return `${field}.${name}.${member} ${value === undefined ? 'is missing' : 'is wrong'}: ${expected} is expected`
  }
  if (field === 'benchmarks') return benchmarkProblem(name, entry)
  return field === 'scorers' ? scorerProblem(name, entry) : null
}

/** What is wrong with the members that a benchmark may leave out; null: they are valid. */
function benchmarkProblem(name: string, entry: Readonly<Record<string, unknown>>): string | null {
  const place = `benchmarks.${name}`
  for (const member of ['answerKinds', 'scorers', 'settings', 'otherSettings', 'answerHosts']) {
    const value = entry[member]
    if (value === undefined) continue
    if (!Array.isArray(value) || value.some(one => typeof one !== 'string'))
      return `${place}.${member} is wrong: a list of texts is expected`
    const mayBeEmpty = member === 'otherSettings' || member === 'answerHosts'
    if (value.length === 0 && !mayBeEmpty) return `${place}.${member} is empty: name one, or leave it out`
  }
  const kinds: readonly string[] = answerKindNames
  const unknown = (entry.answerKinds as string[] | undefined)?.find(kind => !kinds.includes(kind))
  if (unknown !== undefined)
    return `${place}.answerKinds: unknown kind ${describeUnknownName(unknown, kinds)}`
  if (!['undefined', 'string', 'function'].includes(typeof entry.prompts))
    return `${place}.prompts is wrong: a text or a function is expected`
  return null
}

/** What is wrong with a scorer's configuration or metrics; null: they are valid. */
function scorerProblem(name: string, entry: Readonly<Record<string, unknown>>): string | null {
  const { configuration, metrics } = entry
  if (
    configuration !== undefined &&
    !(isObject(configuration) && typeof configuration.safeParse === 'function')
  )
    return `scorers.${name}.configuration is wrong: a zod schema is expected, or leave it out`
  return metricsProblem(name, metrics as readonly unknown[])
}

/** What is wrong with a scorer's description of its metrics; null: it is valid. */
function metricsProblem(name: string, metrics: readonly unknown[]): string | null {
  const keys = new Set<string>()
  for (const [at, metric] of metrics.entries()) {
    const place = `scorers.${name}.metrics[${at}]`
    if (!isObject(metric)) return `${place} is an object`
    const { key } = metric
    if (typeof key !== 'string' || !/^[A-Za-z]\w*$/.test(key))
      return `${place}.key is a name of letters and digits, such as 'cellF1'`
    if (keys.has(key)) return `${place}.key is '${key}' again: each metric has a key of its own`
    keys.add(key)
    if (!Array.isArray(metric.range) || metric.range.length !== 2)
      return `${place}.range is a list of the smallest and the largest value, such as [0, null]`
  }
  const primary = metrics.filter(metric => isObject(metric) && metric.primary === true).length
  return primary === 1
    ? null
    : `scorers.${name}.metrics has ${primary} primary metrics: exactly one is expected`
}

function isOf(type: MemberType, value: unknown): boolean {
  if (typeof type !== 'string') return type.some(one => one === value)
  if (type === 'a function') return typeof value === 'function'
  if (type === 'a list') return Array.isArray(value)
  return typeof value === 'string' || (type === 'a text or null' && value === null)
}
