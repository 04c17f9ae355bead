import { isObject } from '../text/json.ts'

type Fields = Record<string, unknown>

/**
 * Joins the chunks of a streamed answer to one chat completion with its first choice. Some servers stream although the
 * request does not ask for it. An error among the events becomes the member `error`.
 *
 * @returns null when the text is not a complete event stream
 */
export function completionOfStream(text: string): Fields | null {
  const events = dataOf(text)
  if (events === null) return null
  const message: Fields = { role: 'assistant', content: null }
  const calls: Fields[] = []
  const whole: Fields = {}
  let finishReason: unknown = null
  for (const event of events) {
    for (const [name, value] of Object.entries(event)) if (value !== null) whole[name] = value
    const choice = asList(event.choices).find(one => (one.index ?? 0) === 0)
    if (choice === undefined) continue
    finishReason = choice.finish_reason ?? finishReason
    // Some servers send the whole message in a single event.
    const delta = asFields(choice.delta ?? choice.message)
    for (const name of ['content', 'refusal', 'reasoning', 'reasoning_content'])
      append(message, name, delta[name])
    for (const detail of asList(delta.reasoning_details)) addDetail(message, detail)
    for (const call of asList(delta.tool_calls)) addCall(calls, call)
  }
  if (calls.length > 0) message.tool_calls = calls.filter(call => call !== undefined)
  // A complete stream has a finish reason or ends with [DONE].
  if (finishReason === null && !/^data:\s*\[DONE\]/m.test(text)) finishReason = 'abort'
  const choices = events.some(event => Array.isArray(event.choices) && event.choices.length > 0)
  return { ...whole, choices: choices ? [{ index: 0, finish_reason: finishReason, message }] : [] }
}

/** Returns the JSON objects of the stream's data lines; null when there are none or the stream ends within an event. */
function dataOf(text: string): Fields[] | null {
  const lines = text.split(/\r\n|\r|\n/)
  const data = lines.filter(line => line.startsWith('data:')).map(line => line.slice('data:'.length).trim())
  const events: Fields[] = []
  for (const json of data) {
    if (json === '' || json === '[DONE]') continue
    try {
      events.push(asFields(JSON.parse(json)))
    } catch {
      return null
    }
  }
  return events.length === 0 ? null : events
}

function addCall(calls: Fields[], delta: Fields): void {
  const index = typeof delta.index === 'number' && delta.index < 1_000 ? delta.index : calls.length
  calls[index] ??= { id: '', type: 'function', function: { name: '', arguments: '' } }
  const call = calls[index]!
  const [known, more] = [asFields(call.function), asFields(delta.function)]
  if (typeof delta.id === 'string' && delta.id !== '') call.id = delta.id
  // Some servers repeat the name in every chunk.
  if (typeof more.name === 'string' && more.name !== '') known.name = more.name
  append(known, 'arguments', more.arguments)
}

/** Adds a part of structured reasoning, whose text comes in pieces with one index. */
function addDetail(message: Fields, detail: Fields): void {
  const details = asList(message.reasoning_details)
  const known = details.find(one => one.index === detail.index && one.type === detail.type)
  if (known === undefined || detail.index === undefined) {
    message.reasoning_details = [...details, { ...detail }]
    return
  }
  for (const [name, value] of Object.entries(detail))
    if (name === 'text' || name === 'summary' || name === 'data') append(known, name, value)
    else if (value !== null) known[name] = value
}

function append(fields: Fields, name: string, more: unknown): void {
  if (typeof more === 'string')
    fields[name] = `${typeof fields[name] === 'string' ? fields[name] : ''}${more}`
}

function asFields(value: unknown): Fields {
  return isObject(value) ? value : {}
}

function asList(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(asFields) : []
}
