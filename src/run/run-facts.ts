import { basename, resolve } from 'node:path'
import { settings } from '../../agents/registry.ts'
import { formatFlag } from '../core/option-spec.ts'
import type { Fact, RunFacts } from '../report/page/page-data.ts'
import { formatCompactCount, formatSeconds, unknown } from '../report/tables/value-text.ts'
import { isObject } from '../text/json.ts'
import type { Manifest, RunManifest } from './records/manifest.ts'

/** A fact whose value may be unknown. */
type PossibleFact = readonly [name: string, value: string | null]

/** Describes a run for its report: everything that a reader needs to judge or to repeat its numbers. */
export function runFacts(folder: string, manifest: Manifest): RunFacts {
  const facts: PossibleFact[] = [
    ['run', manifest.runId],
    ['started', manifest.startedAt],
    ['ended', manifest.endedAt ?? 'not finished'],
    ...(manifest.source === 'run' ? listOwnFacts(manifest) : importFacts(manifest)),
    ['scorers', Object.keys(manifest.scorers ?? {}).join(', ') || null],
    ['Tablehunt', listVersions(manifest)],
    ['platform', `Node ${manifest.platform.node}, ${manifest.platform.os}, ${manifest.platform.arch}`],
  ]
  return {
    name: basename(resolve(folder)),
    runId: manifest.runId,
    startedAt: manifest.startedAt,
    facts: facts.filter((fact): fact is Fact => fact[1] !== null),
    command: manifest.source === 'run' ? formatCommandLine(manifest.command) : null,
    bibtex: writeBibtex(manifest),
  }
}

/** Facts with the hashes and versions of what a run used. They are more than the options of the same names. */
const comparedFacts = ['tasks', 'documents', 'web', 'Tablehunt', 'platform', 'programs']
const optionsOfFacts = ['out', 'tasks', 'docs', 'web']

/** Lists all that may differ between a run and another: every option by its flag, and the versions of what the run used. */
export function listOptions(manifest: Manifest): Fact[] {
  const facts = runFacts('.', manifest).facts.filter(([name]) => comparedFacts.includes(name))
  const options = Object.entries(manifest.config)
    .filter(([name]) => !optionsOfFacts.includes(name))
    .map(([name, value]): Fact => {
      const text = isObject(value)
        ? Object.keys(value).length === 0
          ? null
          : JSON.stringify(value)
        : formatOption(value)
      return [formatFlag(name), text ?? unknown]
    })
  return [...options, ...facts]
}

function importFacts({ config }: Extract<Manifest, { source: 'import' }>): PossibleFact[] {
  return [
    ['imported from', config.imported],
    ['tasks', config.tasks ?? null],
  ]
}

/** The facts that only a run made here has. */
function listOwnFacts(manifest: RunManifest): PossibleFact[] {
  const { config, identity, search, plugins = [], programs = {} } = manifest
  const option = (name: string): string | null => formatOption(config[name])
  const withHash = (name: string, hash: unknown): string | null => {
    const value = option(name)
    return value === null || typeof hash !== 'string' ? value : `${value} (SHA-256 ${hash.slice(0, 12)}…)`
  }
  const { usesWeb, usesDocuments, usesEmbedder } = findUses(config.setting)
  const onWeb = (value: string | null): string | null => (usesWeb ? value : null)
  const usedPrograms = Object.entries(programs).filter(
    // The platform names Node.
    ([name]) => name !== 'node' && (name === 'browser' ? usesWeb : usesDocuments || usesWeb),
  )
  return [
    ['benchmark', option('benchmark')],
    ['tasks', withHash('tasks', identity.tasksSha256)],
    ['documents', withHash('docs', identity.documentsSha256)],
    ['settings', option('setting')],
    ['agents', onWeb(option('agent'))],
    ['models', formatModels(identity) ?? option('model')],
    ['trials', option('trials')],
    ['seed', option('seed')],
    ['web', onWeb(withHash('web', identity.webSha256))],
    ['search', onWeb(search?.provider ?? null)],
    ['judge', option('judge')],
    ['budgets', formatBudgets(manifest.caps)],
    ['prompts', manifest.prompts === undefined ? null : `version ${manifest.prompts}`],
    ['embedder', usesEmbedder ? option('embedder') : null],
    ['plug-ins', plugins.map(({ name, hash }) => `${name} (${hash.slice(0, 12)}…)`).join(', ') || null],
    ['programs', formatPrograms(usedPrograms)],
  ]
}

/** What the settings of a run use, so that its facts leave out options without effect. */
interface SettingUses {
  readonly usesWeb: boolean
  readonly usesDocuments: boolean
  readonly usesEmbedder: boolean
}

/** A setting of a plug-in that is not loaded may use everything. */
function findUses(names: unknown): SettingUses {
  const uses = [names].flat().map(name => {
    const setting = typeof name === 'string' && settings.has(name) ? settings.get(name) : null
    return {
      source: setting?.source ?? null,
      hasEmbedder: setting === null || 'embedder' in (setting.options ?? {}),
    }
  })
  return {
    usesWeb: uses.some(({ source }) => source === null || source === 'web'),
    usesDocuments: uses.some(({ source }) => source === null || source === 'documents'),
    usesEmbedder: uses.some(({ hasEmbedder }) => hasEmbedder),
  }
}

function formatOption(value: unknown): string | null {
  const list = (Array.isArray(value) ? value : [value]).filter(item => item !== null && item !== undefined)
  return list.length === 0 ? null : list.map(String).join(', ')
}

/** Names each model with the temperature that its requests had. */
function formatModels({ models, temperature }: RunManifest['identity']): string | null {
  if (!isObject(models)) return null
  const names = Object.entries(models).map(([name, facts]) => {
    const sentTemperature = isObject(facts) && 'temperature' in facts ? facts.temperature : temperature
    return `${name} (temperature ${typeof sentTemperature === 'number' ? sentTemperature : "the server's default"})`
  })
  return names.join(', ') || null
}

/** Names the programs that may change what attempts find. A missing program is named too. */
function formatPrograms(
  programs: readonly (readonly [name: string, version: string | null])[],
): string | null {
  const names = programs.map(([name, version]) => (version === null ? `${name}: not installed` : version))
  return names.join(', ') || null
}

const capUnits: Readonly<Record<string, (value: number) => string>> = {
  tokens: value => `${formatCompactCount(value)} tokens`,
  modelCalls: value => `${value} model calls`,
  searchCalls: value => `${value} searches`,
  fetchCalls: value => `${value} fetches`,
  wallMs: value => `${formatSeconds(value)} s`,
  usd: value => `US$ ${value}`,
}

/** Writes the budgets of an attempt by setting, and those of the run. */
function formatBudgets(caps: RunManifest['caps']): string | null {
  if (caps === undefined || !isObject(caps.attempt)) return null
  const parts = [...Object.entries(caps.attempt), ['run', caps.run] as const].map(([name, values]) => {
    const entries = isObject(values) ? Object.entries(values) : []
    return `${name}: ${entries.map(([kind, value]) => capUnits[kind]?.(Number(value)) ?? `${kind} ${value}`).join(', ') || 'none'}`
  })
  return parts.join('; ')
}

function listVersions(manifest: Manifest): string {
  const version =
    manifest.source === 'run' ? (manifest.codeVersion ?? manifest.tablehunt) : manifest.tablehunt
  const later = manifest.source === 'run' ? (manifest.laterVersions ?? []) : []
  return [version, ...later].join(', ')
}

/** Writes the words of a command so that a shell reads them as they were. */
function formatCommandLine(words: readonly string[]): string {
  const quoted = words.map(word =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`,
  )
  return ['npx tablehunt', ...quoted].join(' ')
}

/** Cites the program, its version and the run. */
function writeBibtex({ startedAt, tablehunt, runId }: Manifest): string {
  return [
    '@software{tablehunt,',
    '  title = {Tablehunt},',
    `  version = {${tablehunt}},`,
    `  year = {${startedAt.slice(0, 4)}},`,
    `  note = {run ${runId}, ${startedAt.slice(0, 10)}}`,
    '}',
  ].join('\n')
}
