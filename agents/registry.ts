import { defaultTableFormat, tableFormatNames } from '../retrieval/table-formats/formats.ts'
import { type CutStrategy, cutStrategies } from '../src/core/cut-strategy.ts'
import { armPerElement, defineOption, oneArm, type SettingOptions } from '../src/core/option-spec.ts'
import { listOf, oneOf, optional } from '../src/core/option-values.ts'
import type { AnswerSource } from '../src/core/prompts.ts'
import { Registry } from '../src/core/registry.ts'
import { agents } from './agent-registry.ts'
import { onlineOptions } from './online-options.ts'
import { programWords } from './prompts/program-words.ts'
import { ragOptions } from './rag-options.ts'
import type { Setting } from './setting.ts'
import { structuredOptions } from './structured-options.ts'

const option = defineOption('Documents in prompts')

/** The options of every setting that puts documents into a prompt. */
const documentOptions = {
  cut: option(
    'HOW',
    optional(oneOf(cutStrategies)),
    `how to cut documents that do not fit: ${cutStrategies.join(', ')} (default: the benchmark's)`,
    { separates: ['offline', 'rag'], arms: oneArm<CutStrategy | null>(null) },
  ),
  tableFormat: option(
    'LIST',
    listOf(tableFormatNames).default([defaultTableFormat]),
    `the format of documents that are tables: ${tableFormatNames.filter(name => !name.includes(':')).join(', ')}, each also with :published; each value is an arm`,
    { separates: [], arms: armPerElement(defaultTableFormat) },
  ),
} as const

/** The options of the setting offline. */
const offlineOptions = {
  documentInput: option(
    'LIST',
    listOf(['text', 'pdf']).default(['text']),
    'offline: send PDFs as text, or as files (pdf) to providers that read them; each value is an arm',
    { arms: armPerElement<'text' | 'pdf'>('text') },
  ),
} as const

/** The settings by name. To add one, write a file and add an entry here. Its module is loaded when it is first run. */
export const settings = new Registry<Setting>({
  kind: 'setting',
  builtIn: {
    'closed-book': {
      summary: 'only the question, without documents and tools, to measure what a model already knows',
      source: 'memory',
      options: structuredOptions,
      run: async (question, environment) =>
        (await import('./closed-book.ts')).runClosedBook(question, environment),
    },
    offline: {
      summary: 'all documents of a task in one prompt',
      source: 'documents',
      options: { ...documentOptions, ...structuredOptions, ...offlineOptions },
      run: async (question, environment) => (await import('./offline.ts')).runOffline(question, environment),
    },
    rag: {
      summary: 'retrieved chunks of the documents in one prompt',
      source: 'documents',
      options: { ...documentOptions, ...structuredOptions, ...ragOptions },
      run: async (question, environment) => (await import('./rag.ts')).runRag(question, environment),
    },
    'table-rag': {
      summary:
        'for tables: the model names columns and values to look up, and writes a SQL query from what is found',
      source: 'documents',
      promptTexts: programWords,
      needs: { requests: 3, mostRequests: 4, documentTokens: 700 },
      run: async (question, environment) =>
        (await import('./table-rag.ts')).runTableRag(question, environment),
    },
    'text-to-sql': {
      summary: 'for tables: the model writes a SQL query from the columns, and answers from its result',
      source: 'documents',
      promptTexts: programWords,
      needs: { requests: 2, mostRequests: 3, documentTokens: 1_000 },
      run: async (question, environment) =>
        (await import('./text-to-sql.ts')).runTextToSql(question, environment),
    },
    online: {
      summary: 'only the query and the file names: the agent finds the documents on the web',
      source: 'web',
      options: onlineOptions,
      run: async (question, environment) =>
        await (environment.agent ?? agents.get('tablehunt')).run(question, environment),
    },
  },
})

/** Returns what the models of these settings answer from. */
export function listAnswerSources(names: readonly string[]): ReadonlySet<AnswerSource> {
  return new Set(names.map(name => settings.get(name).source))
}

/** Returns whether the agent of a setting searches the web, as in online. */
export function answersFromWeb(name: string): boolean {
  return settings.has(name) && settings.get(name).source === 'web'
}

/** Returns whether a setting answers from the model's memory, without documents. */
export function answersFromMemory(name: string): boolean {
  return settings.has(name) && settings.get(name).source === 'memory'
}

/** The options of the built-in settings. */
export const builtInSettingOptions = {
  ...documentOptions,
  ...structuredOptions,
  ...offlineOptions,
  ...ragOptions,
  ...onlineOptions,
} as const

/** Returns the options of every setting, including those of plug-ins. */
export function settingOptions(): SettingOptions {
  return Object.assign({}, ...settings.entries().map(([, { options = {} }]) => options))
}
