import { Registry } from '../../src/core/registry.ts'
import { isObject } from '../../src/text/json.ts'
import type { ReadLog } from './foreign-log.ts'

const isList = Array.isArray

/** Returns a test of the first record of a file. Only objects can pass it. */
const recogniseObject =
  (test: (record: Readonly<Record<string, unknown>>) => boolean) =>
  (record: unknown): boolean =>
    isObject(record) && test(record)

const sessionItems =
  /^(?:session_meta|response_item|event_msg|turn_context|token_usage_record|world_state|compacted)$/
const execEvents =
  /^(?:thread\.started|turn\.(?:started|completed|failed)|item\.(?:started|updated|completed))$/

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
  /**
   * Whether the first record of a file is of this format. Error messages use it to suggest the right format. Absent: the
   * format cannot be recognised.
   */
  readonly recognises?: (record: unknown) => boolean
  /**
   * The name of a file beside a log with the questions of its samples: an id, a tab and a question per line. Absent: the
   * logs contain the questions.
   */
  readonly questionsFile?: string
}

/** The formats of other agents' logs that `logs import` reads. Each is recognised by fields that no other format has. */
export const logFormats = new Registry<LogFormatEntry>({
  kind: 'log format',
  // The levels are load, read, the iterator and its steps.
  calls: 4,
  builtIn: {
    tongyi: {
      summary: "Tongyi DeepResearch's JSON lines, and WebSailor's and NestBrowse's",
      load: async () => (await import('./tongyi.ts')).readTongyi,
      recognises: recogniseObject(
        record =>
          !isList(record.history) &&
          ('question' in record || 'messages' in record) &&
          ('prediction' in record || 'writer_prediction' in record || 'final_response' in record) &&
          !('agent_error' in record) &&
          !('intermediate_steps' in record),
      ),
    },
    'browsecomp-plus': {
      summary: "BrowseComp-Plus's run files, one query per file",
      load: async () => (await import('./browsecomp-plus.ts')).readBrowseCompPlus,
      recognises: recogniseObject(
        record => 'query_id' in record && (isList(record.result) || 'status' in record),
      ),
      questionsFile: 'queries.tsv',
    },
    inspect: {
      summary: "Inspect AI's logs, .json or .eval",
      load: async () => (await import('./inspect.ts')).readInspect,
      recognises: recogniseObject(record => isObject(record.eval)),
    },
    atif: {
      summary: "ATIF trajectories (Harbor, OpenHands, NVIDIA's toolkits), v1.0 to v1.8",
      load: async () => (await import('./atif.ts')).readAtif,
      recognises: recogniseObject(
        record => typeof record.schema_version === 'string' && isList(record.steps),
      ),
    },
    smolagents: {
      summary: "smolagents' open deep research, JSON lines",
      load: async () => (await import('./smolagents.ts')).readSmolagents,
      recognises: recogniseObject(
        record =>
          'iteration_limit_exceeded' in record || 'agent_error' in record || 'intermediate_steps' in record,
      ),
    },
    codex: {
      summary: "Codex CLI's session files, or the output of codex exec --json",
      load: async () => (await import('./codex.ts')).readCodex,
      recognises: recogniseObject(record => {
        const { type, timestamp, id } = record
        if (type === undefined)
          return typeof id === 'string' && typeof timestamp === 'string' && 'instructions' in record
        return typeof type === 'string' && (isObject(record.payload) ? sessionItems : execEvents).test(type)
      }),
    },
    mirothinker: {
      summary: "MiroThinker's task logs, a JSON file each",
      load: async () => (await import('./mirothinker.ts')).readMiroThinker,
      recognises: recogniseObject(record => isList(record.step_logs) && 'env_info' in record),
    },
    miroflow: {
      summary: "MiroFlow's task logs, a JSON file each",
      load: async () => (await import('./miroflow.ts')).readMiroFlow,
      recognises: recogniseObject(record => isList(record.step_logs) && !('env_info' in record)),
    },
    widesearch: {
      summary: "WideSearch's response files",
      load: async () => (await import('./widesearch.ts')).readWideSearch,
      recognises: recogniseObject(
        record => 'instance_id' in record && 'response' in record && 'messages' in record,
      ),
    },
    asearcher: {
      summary: "ASearcher's JSON lines",
      load: async () => (await import('./asearcher.ts')).readASearcher,
      recognises: recogniseObject(
        record => isList(record.history) && ('pred_answer' in record || 'running' in record),
      ),
    },
    'openai-agents': {
      summary: 'Traces and spans of the OpenAI Agents SDK, JSON lines',
      load: async () => (await import('./openai-agents.ts')).readOpenAiAgents,
      recognises: recogniseObject(record => record.object === 'trace' || record.object === 'trace.span'),
    },
    webthinker: {
      summary: "WebThinker's results, a list of questions in one JSON file",
      load: async () => (await import('./webthinker.ts')).readWebThinker,
      recognises: recogniseObject(record => 'Question' in record && typeof record.Output === 'string'),
    },
    'open-deep-research': {
      summary: "open_deep_research's reports, JSON lines",
      load: async () => (await import('./open-deep-research.ts')).readOpenDeepResearch,
      recognises: recogniseObject(record => 'article' in record && 'prompt' in record),
    },
    generic: {
      summary: 'JSON lines of any agent, or lists of chat messages: docs/imported-logs.md',
      load: async () => (await import('./generic.ts')).readGeneric,
    },
  },
})
