import { settings } from '../../agents/registry.ts'
import { cutStrategies } from '../core/cut-strategy.ts'
import { ConfigError } from '../core/errors.ts'
import { answerKindNames } from '../core/metric.ts'
import { describeUnknownName } from '../core/nearest-name.ts'
import { isObject } from '../text/json.ts'
import type { Plugin, PluginField } from './define-plugin.ts'
import { type MemberType, pluginFields } from './plugin-kinds.ts'

/** Names appear in options and records, so they have no commas, colons, slashes or spaces. */
const entryName = /^[A-Za-z][\w.-]*$/

/**
 * Checks the default export of a module, and returns it as a plug-in.
 *
 * @param place the file or package, for messages
 * @throws ConfigError [plugin-invalid], whose message names the place and the wrong member
 */
export function checkPlugin(exported: unknown, place: string): Plugin {
  const refuse = (what: string): never => {
    throw new ConfigError(`plug-in ${place}: ${what}. See docs/plugins.md.`, { code: 'plugin-invalid' })
  }
  if (!isObject(exported))
    return refuse('its default export is not a plug-in. Write `export default definePlugin({ … })`')
  const { name, ...fields } = exported
  if (name !== undefined && (typeof name !== 'string' || name.trim() === ''))
    refuse('`name` must be a text that is not empty')
  const fieldNames = Object.keys(pluginFields)
  for (const [field, entries] of Object.entries(fields)) {
    if (!fieldNames.includes(field)) refuse(writeUnknownField(field, entries))
    if (!isObject(entries)) return refuse(`\`${field}\` must be an object with entries by their names`)
    for (const [entry, value] of Object.entries(entries)) {
      const problem = findProblem(field as PluginField, entry, value)
      if (problem !== null) refuse(problem)
    }
  }
  if (Object.values(fields).every(entries => Object.keys(entries as object).length === 0))
    refuse(`it adds nothing. Give it entries in one of ${fieldNames.join(', ')}`)
  requireKnownSettings(exported, refuse)
  return exported
}

/** Says that a field is unknown, or that it contains the plug-in, which must be the default export itself. */
function writeUnknownField(field: string, value: unknown): string {
  const fieldNames = Object.keys(pluginFields)
  const isPlugin = isObject(value) && Object.keys(value).some(key => fieldNames.includes(key))
  return isPlugin
    ? `the plug-in is exported as '${field}'. Export it as default: \`export default ${field}\``
    : `unknown field ${describeUnknownName(field, fieldNames)}`
}

/** A benchmark may name built-in settings and settings of its own plug-in. */
function requireKnownSettings(
  { benchmarks, settings: ownSettings }: Plugin,
  refuse: (what: string) => never,
): void {
  const settingNames = [...settings.names(), ...Object.keys(ownSettings ?? {})]
  for (const [name, benchmark] of Object.entries(benchmarks ?? {}))
    for (const member of ['settings', 'otherSettings'] as const) {
      const unknown = benchmark[member]?.find(setting => !settingNames.includes(setting))
      if (unknown !== undefined)
        refuse(`benchmarks.${name}.${member}: unknown setting ${describeUnknownName(unknown, settingNames)}`)
    }
}

/** Returns what is wrong with an entry; null when it is valid. */
function findProblem(field: PluginField, name: string, entry: unknown): string | null {
  if (!entryName.test(name))
    return `${field}: the name '${name}' is not valid. Begin with a letter, and use letters, digits, '.', '_' and '-'`
  if (!isObject(entry)) return `${field}.${name} must be an object`
  const members: Record<string, MemberType> = { summary: 'a text', ...pluginFields[field].members }
  for (const [member, type] of Object.entries(members)) {
    const value = entry[member]
    if (hasType(type, value)) continue
    const expected =
      typeof type === 'string' ? type : `one of ${type.map(alternative => alternative ?? 'null').join(', ')}`
    return `${field}.${name}.${member} ${value === undefined ? 'is missing' : 'is wrong'}: ${expected} is expected`
  }
  if (field === 'benchmarks') return findBenchmarkProblem(name, entry)
  return field === 'scorers' ? findScorerProblem(name, entry) : null
}

/** Returns what is wrong with the optional members of a benchmark; null when they are valid. */
function findBenchmarkProblem(name: string, entry: Readonly<Record<string, unknown>>): string | null {
  const place = `benchmarks.${name}`
  for (const member of ['answerKinds', 'scorers', 'settings', 'otherSettings', 'answerHosts']) {
    const value = entry[member]
    if (value === undefined) continue
    if (!Array.isArray(value) || value.some(element => typeof element !== 'string'))
      return `${place}.${member} is wrong: a list of texts is expected`
    const mayBeEmpty = member === 'otherSettings' || member === 'answerHosts'
    if (value.length === 0 && !mayBeEmpty) return `${place}.${member} is empty. Name one, or leave it out`
  }
  const kinds: readonly string[] = answerKindNames
  const unknown = (entry.answerKinds as string[] | undefined)?.find(kind => !kinds.includes(kind))
  if (unknown !== undefined)
    return `${place}.answerKinds: unknown kind ${describeUnknownName(unknown, kinds)}`
  const wrongHost = (entry.answerHosts as string[] | undefined)?.find(rule => !isBlockRule(rule))
  if (wrongHost !== undefined)
    return `${place}.answerHosts: '${wrongHost}' is not valid. Write HOST, HOST/PATH or *TEXT*`
  const { data } = entry
  const dataMembers = ['source', 'licence', 'layout']
  if (
    data !== undefined &&
    data !== null &&
    !(isObject(data) && dataMembers.every(member => typeof data[member] === 'string'))
  )
    return `${place}.data is wrong: an object with the texts ${dataMembers.join(', ')} is expected`
  if (!['undefined', 'string', 'function'].includes(typeof entry.prompts))
    return `${place}.prompts is wrong: a text or a function is expected`
  const cuts: readonly unknown[] = [undefined, ...cutStrategies]
  if (!cuts.includes(entry.cut))
    return `${place}.cut is wrong: one of ${cutStrategies.join(', ')} is expected`
  return null
}

/** Whether a text is a rule as --block takes it: HOST, HOST/PATH or *TEXT*. */
function isBlockRule(rule: string): boolean {
  if (/^\*.+\*$/.test(rule)) return true
  const place = rule.replace(/^https?:\/\//, '')
  return /^[^\s/*?#@]+(?:\/[^\s*]*)?$/.test(place) && URL.canParse(`https://${place}`)
}

/** Returns what is wrong with a scorer's configuration or metrics; null when they are valid. */
function findScorerProblem(name: string, entry: Readonly<Record<string, unknown>>): string | null {
  const { configuration, metrics } = entry
  if (
    configuration !== undefined &&
    !(isObject(configuration) && typeof configuration.safeParse === 'function')
  )
    return `scorers.${name}.configuration is wrong: a zod schema is expected, or leave it out`
  return findMetricsProblem(name, metrics as readonly unknown[])
}

/** Returns what is wrong with a scorer's description of its metrics; null when it is valid. */
function findMetricsProblem(name: string, metrics: readonly unknown[]): string | null {
  const keys = new Set<string>()
  for (const [at, metric] of metrics.entries()) {
    const place = `scorers.${name}.metrics[${at}]`
    if (!isObject(metric)) return `${place} must be an object`
    const { key } = metric
    if (typeof key !== 'string' || !/^[A-Za-z]\w*$/.test(key))
      return `${place}.key must be a name of letters and digits, such as 'cellF1'`
    if (keys.has(key)) return `${place}.key is '${key}' again. Give each metric a key of its own`
    keys.add(key)
    if (!Array.isArray(metric.range) || metric.range.length !== 2)
      return `${place}.range must be a list of the smallest and the largest value, such as [0, null]`
  }
  const primary = metrics.filter(metric => isObject(metric) && metric.primary === true).length
  return primary === 1
    ? null
    : `scorers.${name}.metrics has ${primary} primary metrics: exactly one is expected`
}

function hasType(type: MemberType, value: unknown): boolean {
  if (typeof type !== 'string') return type.some(alternative => alternative === value)
  if (type === 'a function') return typeof value === 'function'
  if (type === 'a list') return Array.isArray(value)
  return typeof value === 'string' || (type === 'a text or null' && value === null)
}
