import { isObject } from '../../src/text/json.ts'

const isList = Array.isArray
type Recognise = (record: unknown) => boolean

/** Makes a test of whether a record is an object with certain fields. */
function fields(test: (record: Readonly<Record<string, unknown>>) => boolean): Recognise {
  return record => isObject(record) && test(record)
}

const sessionItems =
  /^(?:session_meta|response_item|event_msg|turn_context|token_usage_record|world_state|compacted)$/
const execEvents =
  /^(?:thread\.started|turn\.(?:started|completed|failed)|item\.(?:started|updated|completed))$/

/**
 * Tests that recognise the first record of each built-in format by fields that no other format has. Error messages
 * use them to suggest the right format.
 */
export const recognised = {
  tongyi: fields(
    record =>
      !isList(record.history) &&
      ('question' in record || 'messages' in record) &&
      ('prediction' in record || 'writer_prediction' in record || 'final_response' in record) &&
      !('agent_error' in record) &&
      !('intermediate_steps' in record),
  ),
  'browsecomp-plus': fields(record => 'query_id' in record && (isList(record.result) || 'status' in record)),
  inspect: fields(record => isObject(record.eval)),
  smolagents: fields(
    record =>
      'iteration_limit_exceeded' in record || 'agent_error' in record || 'intermediate_steps' in record,
  ),
  codex: fields(record => {
    const { type, timestamp, id } = record
    if (type === undefined)
      return typeof id === 'string' && typeof timestamp === 'string' && 'instructions' in record
    return typeof type === 'string' && (isObject(record.payload) ? sessionItems : execEvents).test(type)
  }),
  mirothinker: fields(record => isList(record.step_logs) && 'env_info' in record),
  miroflow: fields(record => isList(record.step_logs) && !('env_info' in record)),
  widesearch: fields(record => 'instance_id' in record && 'response' in record && 'messages' in record),
  asearcher: fields(record => isList(record.history) && ('pred_answer' in record || 'running' in record)),
  'openai-agents': fields(record => record.object === 'trace' || record.object === 'trace.span'),
  webthinker: fields(record => 'Question' in record && typeof record.Output === 'string'),
  'open-deep-research': fields(record => 'article' in record && 'prompt' in record),
} as const satisfies Readonly<Record<string, Recognise>>
