import { Registry } from '../src/core/registry.ts'
import type { Setting } from './setting.ts'

/** The settings by name; a new one is a file and a line here. Each loads its module when it is first run. */
export const settings = new Registry<Setting>({
  kind: 'setting',
  builtIn: {
    offline: {
      summary: 'all documents of a task in one prompt',
      run: async (question, environment) => (await import('./offline.ts')).runOffline(question, environment),
    },
    rag: {
      summary: 'retrieved chunks of the documents in one prompt',
      run: async (question, environment) => (await import('./rag.ts')).runRag(question, environment),
    },
    online: {
      summary: 'query and file names alone: the agent finds the documents on the web',
      run: async (question, environment) => (await import('./online.ts')).runOnline(question, environment),
    },
  },
})
