import { basename, resolve } from 'node:path'
import type { Fact, RunFacts } from '../report/page/page-data.ts'
import { packageVersion } from '../system/paths.ts'
import type { Manifest, RunManifest } from './records/manifest.ts'

/** Describes a run for its report: everything that a reader needs to judge or to repeat its numbers. */
export function runFacts(folder: string, manifest: Manifest): RunFacts {
  const facts: (readonly [string, string | null])[] = [
    ['run', manifest.runId],
    ['started', manifest.startedAt],
    ['ended', manifest.endedAt ?? 'not finished'],
    ...(manifest.source === 'run'
      ? ownFacts(manifest)
      : [['imported from', manifest.config.imported] as const]),
    ['Tablehunt', codeVersion(manifest)],
    ['platform', `Node ${manifest.platform.node}, ${manifest.platform.os}, ${manifest.platform.arch}`],
  ]
  const known = facts.filter((fact): fact is Fact => fact[1] !== null)
  return {
    name: basename(resolve(folder)),
    runId: manifest.runId,
    facts: known,
    command: manifest.source === 'run' ? commandLine(manifest.command) : null,
    bibtex: bibtex(manifest),
  }
}

/** The facts that only a run made here has. Options that the run does not name have their defaults. */
function ownFacts(manifest: RunManifest): (readonly [string, string | null])[] {
  const { config, inputs, search } = manifest
  const option = (name: string): string | null => optionText(config[name])
  const tasks = option('tasks')
  const hash = Object.values(inputs ?? {})[0]
  return [
    ['benchmark', option('benchmark')],
    [
      'tasks',
      tasks === null ? null : `${tasks}${hash === undefined ? '' : ` (SHA-256 ${hash.slice(0, 12)}…)`}`,
    ],
    ['models', option('model')],
    ['temperature', option('temperature')],
    ['seed', option('seed')],
    ['trials', option('trials')],
    ['web', option('web')],
    ['search', search?.provider ?? null],
    ['judge', option('judge')],
    ['budgets', manifest.caps === undefined ? null : JSON.stringify(manifest.caps)],
    ['prompts', manifest.prompts === undefined ? null : `version ${manifest.prompts}`],
  ]
}

function optionText(value: unknown): string | null {
  if (value === undefined || value === null) return null
  return Array.isArray(value) ? value.map(String).join(', ') : String(value)
}

function codeVersion(manifest: Manifest): string {
  const own = manifest.source === 'run' ? (manifest.codeVersion ?? manifest.tablehunt) : manifest.tablehunt
  return own
}

/** Writes the words of a command so that a shell reads them as they were. */
function commandLine(words: readonly string[]): string {
  const quoted = words.map(word =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`,
  )
  return quoted.join(' ')
}

/** Cites the program with its version and the year of the run. */
function bibtex({ startedAt, tablehunt }: Manifest): string {
  const lines = [
    '@software{tablehunt,',
    '  title = {Tablehunt},',
    `  version = {${tablehunt || packageVersion}},`,
    `  year = {${startedAt.slice(0, 4)}},`,
    '}',
  ]
  return lines.join('\n')
}
