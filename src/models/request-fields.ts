import type { ArmOptions } from '../core/arm.ts'
import { ConfigError } from '../core/errors.ts'
import { isObject, parseJsonOrNull } from '../text/json.ts'

/** Additional fields of each request to the model under test. */
export type RequestFields = Readonly<Record<string, unknown>>

/** Fields that budgets, tools or other options depend on, with the option to use instead; null when there is none. */
const reservedFields: Readonly<Record<string, string | null>> = {
  model: '--model',
  messages: null,
  input: null,
  system: null,
  instructions: null,
  contents: null,
  prompt: null,
  stream: null,
  stream_options: null,
  n: '--trials',
  best_of: null,
  max_tokens: '--max-output-tokens',
  max_completion_tokens: '--max-output-tokens',
  max_output_tokens: '--max-output-tokens',
  tools: null,
  tool_choice: null,
  parallel_tool_calls: null,
  functions: null,
  function_call: null,
  previous_response_id: null,
  conversation: null,
  temperature: '--temperature',
  top_p: '--top-p',
  reasoning_effort: '--reasoning-effort',
  seed: '--seed',
  response_format: '--structured-output',
}

/**
 * Reads the values of `--request-field NAME=VALUE`. A value is JSON; any other text is taken as it is. Dots in a name make
 * nested objects.
 *
 * @throws ConfigError `invalid-request-field` or `reserved-request-field`
 */
export function parseRequestFields(assignments: readonly string[]): RequestFields {
  let fields: Record<string, unknown> = {}
  for (const text of assignments) {
    const [, name, value] = /^([A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*)=([\s\S]*)$/.exec(text) ?? []
    if (name === undefined || value === undefined || value === '')
      throw new ConfigError(
        `'${text}' is not NAME=VALUE. Write a field and its JSON value, such as presence_penalty=1.1.`,
        { code: 'invalid-request-field' },
      )
    const path = name.split('.')
    requireFree(path[0]!)
    fields = withFields(fields, nestValue(path, fieldValue(value)))
  }
  return fields
}

function requireFree(name: string): void {
  if (!Object.hasOwn(reservedFields, name)) return
  const option = reservedFields[name]
  const fix = option === null ? 'Leave it out.' : `Use ${option}.`
  throw new ConfigError(`'${name}' is set by Tablehunt, because budgets or records depend on it. ${fix}`, {
    code: 'reserved-request-field',
  })
}

function fieldValue(text: string): unknown {
  const value = parseJsonOrNull(text)
  return value === null && text.trim() !== 'null' ? text : value
}

function nestValue([name, ...rest]: readonly string[], value: unknown): Record<string, unknown> {
  return { [name!]: rest.length === 0 ? value : nestValue(rest, value) }
}

/** Returns the body of a request with additional fields. Objects are merged at every depth; other values are replaced. */
export function withFields(body: RequestFields, fields: RequestFields): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...body }
  for (const [name, value] of Object.entries(fields)) {
    const before = merged[name]
    merged[name] = isObject(before) && isObject(value) ? withFields(before, value) : value
  }
  return merged
}

/** Returns the fields as the options of an arm show them. Commas separate options in names, so the value contains none. */
export function shownFields(fields: readonly string[]): ArmOptions {
  if (fields.length === 0) return {}
  const texts = [...fields].sort().map(text => text.replaceAll(',', ';'))
  return { 'request-field': texts.join(' ') }
}
