import type { SettingOptions } from '../src/core/option-spec.ts'
import type { AnswerSource } from '../src/core/prompts.ts'
import { Registry } from '../src/core/registry.ts'
import { documentOptions } from './document-options.ts'
import { onlineOptions } from './online-options.ts'
import { ragOptions } from './rag-options.ts'
import type { Setting } from './setting.ts'

/** The settings by name; a new one is a file and a line here. Each loads its module when it is first run. */
export const settings = new Registry<Setting>({
  kind: 'setting',
  builtIn: {
    'closed-book': {
      summary: 'the question alone, without documents and tools: what a model already knows',
      source: 'memory',
      run: async (question, environment) =>
        (await import('./closed-book.ts')).runClosedBook(question, environment),
    },
    offline: {
      summary: 'all documents of a task in one prompt',
      source: 'documents',
      options: documentOptions,
      run: async (question, environment) => (await import('./offline.ts')).runOffline(question, environment),
    },
    rag: {
      summary: 'retrieved chunks of the documents in one prompt',
      source: 'documents',
      options: { ...documentOptions, ...ragOptions },
      run: async (question, environment) => (await import('./rag.ts')).runRag(question, environment),
    },
    online: {
      summary: 'query and file names alone: the agent finds the documents on the web',
      source: 'web',
      options: onlineOptions,
      run: async (question, environment) => (await import('./online.ts')).runOnline(question, environment),
    },
  },
})

/** What the models of such settings answer from. */
export function sourcesOf(names: readonly string[]): ReadonlySet<AnswerSource> {
  return new Set(names.map(name => settings.get(name).source))
}

/** Whether a setting searches and fetches, as online does. */
export function answersFromWeb(name: string): boolean {
  return settings.has(name) && settings.get(name).source === 'web'
}

/** Whether a setting shows its models no documents. */
export function answersFromMemory(name: string): boolean {
  return settings.has(name) && settings.get(name).source === 'memory'
}

/** The options of the built-in settings. */
export const builtInSettingOptions = { ...documentOptions, ...ragOptions, ...onlineOptions } as const

/** The options of every setting, those of plug-ins too. */
export function settingOptions(): SettingOptions {
  return Object.assign({}, ...settings.entries().map(([, { options = {} }]) => options))
}
