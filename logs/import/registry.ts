import { Registry } from '../../src/core/registry.ts'
import type { ReadLog } from './foreign-log.ts'

/**
 * A format of other agents' logs for `logs import`.
 *
 * @example
 * import { type LogFormatEntry } from 'tablehunt'
 *
 * const empty: LogFormatEntry = {
 *   summary: 'a log without any attempt',
 *   load: async () => async function* () {},
 * }
 */
export interface LogFormatEntry {
  /** One line for --help. */
  readonly summary: string
  /** Loads the module when it is first used. The function that it returns reads one file. */
  readonly load: () => Promise<ReadLog>
}

/** The formats of other agents' logs that `logs import` reads. */
export const logFormats = new Registry<LogFormatEntry>({
  kind: 'log format',
  // The levels are load, read, the iterator and its steps.
  calls: 4,
  builtIn: {
    tongyi: {
      summary: "Tongyi DeepResearch's JSON lines",
      load: async () => (await import('./tongyi.ts')).readTongyi,
    },
    'browsecomp-plus': {
      summary: "BrowseComp-Plus's run files, one query per file",
      load: async () => (await import('./browsecomp-plus.ts')).readBrowseCompPlus,
    },
    inspect: {
      summary: "Inspect AI's logs, .json or .eval",
      load: async () => (await import('./inspect.ts')).readInspect,
    },
    smolagents: {
      summary: "smolagents' open deep research, JSON lines",
      load: async () => (await import('./smolagents.ts')).readSmolagents,
    },
    generic: {
      summary: 'JSON lines of any agent: docs/imported-logs.md',
      load: async () => (await import('./generic.ts')).readGeneric,
    },
  },
})
