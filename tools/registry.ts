import type { StructuredToolInterface } from '@langchain/core/tools'
import { PluginError } from '../src/core/errors.ts'
import { Registry } from '../src/core/registry.ts'
import type { ToolKind } from '../src/core/usage.ts'
import { releaseStore } from './page/attempt-store.ts'
import type { ToolEnvironment, ToolFactory } from './tool.ts'

/**
 * A tool that the agent can call. `defineTool` makes one.
 *
 * @example
 * import { defineTool, type ToolEntry, z } from 'tablehunt'
 *
 * const today: ToolEntry = defineTool({
 *   name: 'today',
 *   description: 'Returns the date of today.',
 *   schema: z.object({}),
 *   run: async (_input, { clock }) => new Date(clock.now()).toISOString().slice(0, 10),
 * })
 */
export interface ToolEntry {
  /** One line for --help. */
  readonly summary: string
  /** Whether its failures count as search or fetch failures; null for neither. */
  readonly kind: ToolKind | null
  /** Whether an agent gets the tool only when `--tools` names it. */
  readonly optional?: boolean
  /** Loads the tool's module when it is first used. */
  create(): Promise<ToolFactory>
}

/** The agent's tools by name. To add one, write a file and add a line here. */
export const tools = new Registry<ToolEntry>({
  kind: 'tool',
  // The levels are create, the factory and invoke.
  calls: 3,
  builtIn: {
    web_search: {
      summary: 'searches the web: titles, links, snippets',
      kind: 'search',
      create: async () => (await import('./web-search.ts')).createWebSearch,
    },
    fetch_page: {
      summary: 'reads a page as Markdown, tables as rows, links numbered',
      kind: 'fetch',
      create: async () => (await import('./page-tools.ts')).createFetchPage,
    },
    read_pdf: {
      summary: 'reads pages of a PDF, or the passages around words in it',
      kind: 'fetch',
      create: async () => (await import('./page-tools.ts')).createReadPdf,
    },
    calculate: {
      summary: 'calculates expressions and differences between dates',
      kind: null,
      optional: true,
      create: async () => (await import('./calculate.ts')).createCalculate,
    },
    scholar_search: {
      summary: 'searches for scientific papers: titles, links, years, snippets',
      kind: 'search',
      optional: true,
      create: async () => (await import('./web-search.ts')).createScholarSearch,
    },
  },
})

/**
 * Returns the names of the tools offered to an agent when `--tools` names none: the built-in ones that are not optional,
 * and those of the run's plug-ins.
 */
export function listOfferedTools(plugins: readonly string[]): string[] {
  return tools.names().filter(name => {
    const origin = tools.originOf(name)
    return origin === null ? tools.get(name).optional !== true : plugins.includes(origin)
  })
}

/** Returns the names of the tools that an agent gets only when `--tools` names them. */
export function optionalTools(): string[] {
  return tools.names().filter(name => tools.get(name).optional === true)
}

/** Requests that an agent of its own makes through the proxy, in traces. No model is offered such a tool. */
export const proxyCall = 'http'

/** Returns the kind of a tool; null for unknown names, because a model may call a tool that does not exist. */
export function toolKind(name: string): ToolKind | null {
  if (name === proxyCall) return 'fetch'
  return tools.has(name) ? tools.get(name).kind : null
}

/**
 * Loads the named tools once.
 *
 * @returns a function that creates the tools of one attempt, in the given order
 * @throws ConfigError `unknown-tool`
 */
export async function loadTools(
  names: readonly string[] = listOfferedTools([]),
): Promise<(environment: ToolEnvironment) => StructuredToolInterface[]> {
  const factories = await Promise.all(names.map(name => tools.get(name).create()))
  return environment =>
    factories.map((factory, at) => {
      const tool = factory(environment)
      if (tool.name !== names[at])
        throw new PluginError(
          `plug-in ${tools.originOf(names[at]!)}: tool ${names[at]}: what it creates has the name ${tool.name}: both must be the same`,
          { code: 'plugin-failed' },
        )
      return tool
    })
}

/** Closes what the tools of an attempt hold open. Call it when the attempt has ended. */
export const closeTools: (environment: ToolEnvironment) => Promise<void> = releaseStore

/**
 * Creates the tools of one attempt in the given order.
 *
 * @throws ConfigError `unknown-tool`
 */
export async function createTools(
  names: readonly string[],
  environment: ToolEnvironment,
): Promise<StructuredToolInterface[]> {
  return (await loadTools(names))(environment)
}
