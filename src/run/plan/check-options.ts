import { existsSync } from 'node:fs'
import { readMcpServer } from '../../../agents/online-options.ts'
import { answersFromWeb, settings } from '../../../agents/registry.ts'
import { benchmarks } from '../../../tasks/registry.ts'
import { listScorerMetrics } from '../../../tasks/scorers.ts'
import { findBrowser } from '../../../tools/page/browser-path.ts'
import { isSealedSearch } from '../../../tools/search/registry.ts'
import { loadFaultProfile } from '../../../tools/web/fault-profile.ts'
import type { RunConfig } from '../../config.ts'
import {
  isOnlineControl,
  type OnlineControlName,
  type RagControlName,
  ragControls,
} from '../../core/controls.ts'
import { ConfigError } from '../../core/errors.ts'
import { parseThreshold } from '../../core/metric.ts'
import type { Task } from '../../core/task.ts'
import { requireMetrics } from '../../report/model/thresholds.ts'
import { requireOutside } from '../../system/files.ts'
import { optionalParts, requirePackages } from '../../system/optional-packages.ts'
import { chooseScorers } from './choose-scorers.ts'

/**
 * Refuses options that name missing files, or that contradict each other, before anything is opened. Options of settings
 * that the run does not use are checked too, so that a typing error is found at once.
 *
 * @throws ConfigError [setting-not-offered, chroma-without-store, no-documents, no-web-folder, control-needs-setting, control-with-queue,
 * control-needs-documents, mcp-not-recordable, no-evidence, several-searches-sealed, structured-output-not-json,
 * structured-output-needs-setting] and those of the parts that it checks
 */
export async function checkOptions(config: RunConfig, tasks: readonly Task[]): Promise<void> {
  requireSettings(config, tasks)
  requireControls(config, tasks)
  requireJsonAnswers(config, tasks)
  requireStoreOfServer(config)
  requireOptionalParts(config)
  if (config.setting.some(answersFromWeb)) {
    requireSeparateSearches(config)
    requireRecordable(config)
  }
  requireMetrics(config.failUnder.map(parseThreshold), listScorerMetrics(chooseScorers(config, tasks)))
  for (const [flag, path] of [
    ['--out', config.out],
    ['--cache', config.cache],
    ['--record', config.record],
  ] as const)
    requireOutside(flag, path, config.docs, { deep: false })
  if (config.faults !== null) await loadFaultProfile(config.faults)
  if (config.browser !== null && config.browser !== 'off')
    await findBrowser({ flag: config.browser, variable: null, searchPath: '' })
  // Settings that search open the web, which reports a missing folder with more detail.
  if (!config.setting.some(answersFromWeb)) requireWebFolder(config.web)
}

/** Refuses several search services on a sealed web, except its own: all other names mean its default, bm25. */
function requireSeparateSearches({ search, web }: RunConfig): void {
  const searches = new Set(search.map(name => (isSealedSearch(name) ? name : 'bm25')))
  if (searches.size < search.length && web.startsWith('sealed'))
    throw new ConfigError(
      `--search ${search.join(',')}: a sealed web has the searches bm25, which all other names mean, and dense. Name one service, name bm25 and dense, or choose --web live or replay:DIR.`,
      { code: 'several-searches-sealed' },
    )
}

/** Refuses MCP servers, whose answers no recording contains, in a run that is recorded or replayed. */
function requireRecordable({ mcp, record, web }: RunConfig): void {
  if (mcp.length > 0 && (record !== null || web.startsWith('replay:')))
    throw new ConfigError(
      `--mcp ${mcp.map(server => readMcpServer(server).name).join(', ')}: a recording does not contain the answers of MCP servers. Remove --mcp, or remove --record and --web replay:….`,
      { code: 'mcp-not-recordable' },
    )
}

/** Refuses the address of a Chroma server that no search would use. */
function requireStoreOfServer({ chroma, vectorStore }: RunConfig): void {
  if (chroma === null || vectorStore !== 'exact') return
  throw new ConfigError(
    `--chroma ${chroma}: --vector-store exact uses no server. Add --vector-store chroma, or leave --chroma out.`,
    { code: 'chroma-without-store' },
  )
}

/** Checks that the packages of the chosen settings and of the vector store are installed. */
function requireOptionalParts({ setting, vectorStore, browser }: RunConfig): void {
  if (setting.some(name => name === 'text-to-sql' || name === 'table-rag')) requirePackages(optionalParts.sql)
  if (vectorStore === 'chroma') requirePackages(optionalParts.chroma)
  if (browser !== null && browser !== 'off') requirePackages(optionalParts.browser)
}

function requireWebFolder(web: string): void {
  const folder = /^(?:sealed|replay):(.+)$/s.exec(web)?.[1]
  if (folder !== undefined && !existsSync(folder))
    throw new ConfigError(`--web ${web}: this folder does not exist. Correct the path, or leave --web out.`, {
      code: 'no-web-folder',
    })
}

/** Checks that the benchmark offers the settings, and that its tasks have the documents that the settings read. */
function requireSettings({ benchmark, setting }: RunConfig, tasks: readonly Task[]): void {
  const { settings: usual, otherSettings } = benchmarks.get(benchmark)
  const offered = [...new Set([...usual, ...otherSettings])]
  const without = tasks.filter(({ documents }) => documents.length === 0)
  for (const name of setting) {
    if (!offered.includes(name) && settings.originOf(name) === null)
      throw new ConfigError(
        `--setting ${name}: benchmark ${benchmark} does not offer it. Choose among ${offered.join(', ')}.`,
        { code: 'setting-not-offered' },
      )
    if (without.length > 0 && settings.get(name).source === 'documents')
      throw new ConfigError(
        `--setting ${name}: it reads documents, and ${without.length} of ${tasks.length} tasks have none (the first is ${without[0]!.question.taskId}). Leave ${name} out of --setting.`,
        { code: 'no-documents' },
      )
  }
}

/** Checks that structured output has a setting that uses it, and that every answer has a JSON Schema. */
function requireJsonAnswers({ structuredOutput, setting }: RunConfig, tasks: readonly Task[]): void {
  if (!structuredOutput.includes('on')) return
  if (!setting.some(name => 'structuredOutput' in (settings.get(name).options ?? {})))
    throw new ConfigError(
      `--structured-output: no setting of this run asks with one request. Add offline, rag or closed-book to --setting, or leave the option out.`,
      { code: 'structured-output-needs-setting' },
    )
  const without = tasks.filter(({ question: { form, turns = [] } }) =>
    [form, ...turns.map(turn => turn.form)].some(({ kind }) => kind !== 'json'),
  )
  if (without.length === 0) return
  throw new ConfigError(
    `--structured-output: ${without.length} of ${tasks.length} tasks ask for answers without a JSON Schema, such as tables (the first is ${without[0]!.question.taskId}). Leave the option out for them.`,
    { code: 'structured-output-not-json' },
  )
}

function requireControls(config: RunConfig, tasks: readonly Task[]): void {
  const { controls, setting } = config
  const ofRag = controls.find(name => !isOnlineControl(name))
  if (ofRag !== undefined && !setting.includes('rag'))
    throw new ConfigError(`--controls ${ofRag}: it replaces the chunks of rag. Add rag to --setting.`, {
      code: 'control-needs-setting',
    })
  const first = controls.find(isOnlineControl)
  if (first !== undefined) requireOnlineControl(first, config, tasks)
  for (const name of controls) requireEvidence(name, tasks)
}

function requireOnlineControl(
  name: OnlineControlName,
  { setting, docs, queue }: RunConfig,
  tasks: readonly Task[],
): void {
  const flag = `--controls ${name}`
  if (!setting.includes('online'))
    throw new ConfigError(`${flag}: it needs what the online setting found. Add online to --setting.`, {
      code: 'control-needs-setting',
    })
  if (queue !== null)
    throw new ConfigError(`${flag}: it can only be made in this process. Leave --queue out.`, {
      code: 'control-with-queue',
    })
  const isKnown = ({ documents }: Task): boolean => documents.every(({ load }) => load !== undefined)
  if (docs === null && !tasks.every(isKnown))
    throw new ConfigError(`${flag}: it needs the tasks' documents. Name their folder with --docs DIR.`, {
      code: 'control-needs-documents',
    })
  const without = tasks.find(({ documents }) => documents.length === 0)
  if (without !== undefined)
    throw new ConfigError(
      `${flag}: it gives documents to the model, and task ${without.question.taskId} has none. Leave the control out.`,
      { code: 'no-documents' },
    )
}

/** Controls need evidence: those of online need documents as evidence, `oracle` needs evidence of any kind. */
function requireEvidence(name: OnlineControlName | RagControlName, tasks: readonly Task[]): void {
  const ofOnline = isOnlineControl(name)
  if (!ofOnline && !ragControls[name].needsEvidence) return
  const without = tasks.filter(({ evidence }) =>
    ofOnline ? evidence?.kind !== 'documents' : evidence === null,
  )
  if (without.length === 0) return
  const requirement = ofOnline ? 'tasks whose evidence is documents' : 'tasks whose evidence is known'
  throw new ConfigError(
    `--controls ${name}: it needs ${requirement}, and ${without.length} of ${tasks.length} are not (the first is ${without[0]!.question.taskId}). Leave ${name} out of --controls.`,
    { code: 'no-evidence' },
  )
}
