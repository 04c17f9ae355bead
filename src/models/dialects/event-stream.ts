import { isObject, parseJsonOrNull } from '../../text/json.ts'
import type { JsonObject } from './dialect.ts'

/** One event of a `text/event-stream` body. */
export interface StreamedEvent {
  /** The lines before the data, such as `event: message_start` or a comment, each with its line end. */
  readonly head: string
  /** The data lines, joined; null when there are none. */
  readonly data: string | null
}

/** Splits the bytes of a `text/event-stream` body into events, wherever the chunks begin and end. */
export class EventStream {
  readonly #decoder = new TextDecoder()
  #rest = ''
  #searched = 0
  #endsWithReturn = false

  /** Takes the next bytes and returns the events that they complete. */
  push(bytes: Uint8Array): StreamedEvent[] {
    return this.#take(this.#decoder.decode(bytes, { stream: true }))
  }

  /** Returns the last event when the body ends without an empty line. */
  end(): StreamedEvent[] {
    return this.#take(`${this.#decoder.decode()}\n\n`)
  }

  #take(text: string): StreamedEvent[] {
    this.#rest += this.#withLineFeeds(text)
    const events: StreamedEvent[] = []
    for (;;) {
      const end = this.#rest.indexOf('\n\n', this.#searched)
      if (end < 0) break
      const block = this.#rest.slice(0, end)
      this.#rest = this.#rest.slice(end + 2)
      this.#searched = 0
      if (block.trim() !== '') events.push(readEvent(block))
    }
    this.#searched = Math.max(0, this.#rest.length - 1)
    return events
  }

  /** Lines may end with CR, LF or both, and a chunk may end between the two. */
  #withLineFeeds(text: string): string {
    if (text === '') return ''
    const rest = this.#endsWithReturn && text.startsWith('\n') ? text.slice(1) : text
    this.#endsWithReturn = text.endsWith('\r')
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest
  }
}

function readEvent(block: string): StreamedEvent {
  let head = ''
  const data: string[] = []
  for (const line of block.split('\n')) {
    if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5))
    else if (line !== '') head += `${line}\n`
  }
  return { head, data: data.length === 0 ? null : data.join('\n') }
}

/** Members in which a chunk without choices describes a failure. */
const failureMembers = ['message', 'detail', 'msg', 'error_msg'] as const

/**
 * Returns the failure that a server reports in a complete body: in an event named `error`, in a line `error: …`, or in a
 * chunk that describes one and has no choices. Null when it reports none.
 */
export function streamFailure(text: string): unknown {
  for (const { head, data } of splitBody(text)) {
    const part = data === null ? null : parseJsonOrNull(data)
    if (/^event:\s*error\b/m.test(head)) return part ?? data ?? 'an error without words'
    const line = /^error:(.*)/m.exec(head)?.[1]
    if (line !== undefined) return parseJsonOrNull(line) ?? line.trim()
    if (isObject(part) && part.choices === undefined && failureMembers.some(name => part[name])) return part
  }
  return null
}

function splitBody(text: string): StreamedEvent[] {
  const stream = new EventStream()
  return [...stream.push(new TextEncoder().encode(text)), ...stream.end()]
}

/** Returns the JSON objects in the events of a complete body; an empty list when a text is not an event stream. */
export function readEvents(text: string): JsonObject[] {
  return splitBody(text).flatMap(({ data }) => {
    if (data === null) return []
    const part = parseJsonOrNull(data)
    // Some servers write no empty line between events.
    return isObject(part) ? [part] : data.split('\n').map(parseJsonOrNull).filter(isObject)
  })
}
