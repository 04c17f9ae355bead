import type { IncomingMessage, ServerResponse } from 'node:http'
import { pageJson } from '../../report/figures/escape-html.ts'

/** A stream of server-sent events to one page. */
export interface EventStream {
  /**
   * @param id what the browser names as the last event when it connects again
   */
  send(event: string, data: unknown, id?: string): void
}

/** Answers with a stream of events. */
export function openEvents(response: ServerResponse): EventStream {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.flushHeaders()
  return {
    send(event, data, id) {
      const lines = [`event: ${event}`, ...(id === undefined ? [] : [`id: ${id}`])]
      response.write(`${[...lines, `data: ${pageJson(data)}`].join('\n')}\n\n`)
    },
  }
}

/** Returns the id of the last event that a reconnecting page received. */
export function lastEventId({ headers }: IncomingMessage): string | null {
  const id = headers['last-event-id']
  return typeof id === 'string' && id !== '' ? id : null
}
