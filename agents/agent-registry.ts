import { Registry } from '../src/core/registry.ts'
import type { Agent } from './setting.ts'

/** The agents by the names that `--agent` takes. Those of the config file and of command lines are added by the run. */
export const agents = new Registry<Agent>({
  kind: 'agent',
  builtIn: {
    tablehunt: {
      summary: 'the agent loop of Tablehunt',
      run: async (question, environment) => (await import('./loop.ts')).runOwnAgent(question, environment),
    },
  },
})
