import type { TraceStep } from '../../trace/trace-steps.ts'
import type { AttemptData } from './attempt-data.ts'
import type { PageDocument, PageElement, PageWindow } from './dom.ts'

/** The functions of other files that `navigate` needs. They are passed in, because the page's script has no imports. */
export interface AttemptViews {
  attemptView(page: PageDocument, data: AttemptData): PageElement
  traceView(page: PageDocument, attemptId: string, steps: readonly TraceStep[]): PageElement
}

/**
 * Shows the page of an attempt at `#attempt=ID` and the overview at any other address. Handles the keys Esc, j, k and /.
 * Runs in the browser.
 */
export function navigate(page: PageDocument, window: PageWindow, views: AttemptViews): void {
  const overview = page.getElementById('overview')
  const detail = page.getElementById('detail')
  const content = page.getElementById('detail-content')
  if (overview === null || detail === null || content === null) return
  let returnTo = 0
  let shown = ''
  const show = (): void => {
    const id = attemptOf(window.location.hash)
    const data = id === null ? null : attemptData(page, id)
    if (data === null) {
      if (detail.hidden) return
      detail.hidden = true
      overview.hidden = false
      rowOf(page, shown)?.querySelector('a')?.focus()
      window.scrollTo(0, returnTo)
      return
    }
    shown = data.id
    if (detail.hidden) returnTo = window.scrollY
    content.replaceChildren(views.attemptView(page, data))
    overview.hidden = true
    detail.hidden = false
    window.scrollTo(0, 0)
    content.querySelector('h1')?.focus()
    showTrace({ page, window, views, content, data })
  }
  window.addEventListener('hashchange', show)
  page.addEventListener('keydown', event => {
    const typing = /^(?:INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape' && !detail.hidden) window.location.hash = ''
    else if (typing) return
    else if (event.key === '/') {
      event.preventDefault()
      page.querySelector(detail.hidden ? '[data-filter=text]' : '.trace input')?.focus()
    } else if (event.key === 'j' || event.key === 'k') stepAttempt(page, window, event.key === 'j' ? 1 : -1)
  })
  for (const button of page.querySelectorAll('[data-step]')) {
    button.addEventListener('click', () => stepAttempt(page, window, Number(button.dataset.step)))
  }
  show()
}

function attemptOf(hash: string): string | null {
  const id = /^#attempt=([^&]*)/.exec(hash)?.[1]
  if (id === undefined) return null
  try {
    return decodeURIComponent(id)
  } catch {
    // A mistyped address shows the overview.
    return null
  }
}

function attemptData(page: PageDocument, id: string): AttemptData | null {
  for (const script of page.querySelectorAll('script[data-attempt]')) {
    if (script.dataset.attempt === id) return JSON.parse(script.textContent ?? 'null')
  }
  return null
}

function rowOf(page: PageDocument, id: string): PageElement | undefined {
  return Array.from(page.querySelectorAll('#attempts tbody tr')).find(row => row.dataset.id === id)
}

/** Opens the next or previous attempt among those that the filters show. */
function stepAttempt(page: PageDocument, window: PageWindow, by: number): void {
  const shown = Array.from(page.querySelectorAll('#attempts tbody tr')).filter(row => !row.hidden)
  const ids = shown.map(row => row.dataset.id ?? '')
  const current = attemptOf(window.location.hash)
  const at = current === null ? (by > 0 ? -1 : ids.length) : ids.indexOf(current)
  const next = ids[at + by]
  if (next !== undefined) window.location.hash = `#attempt=${encodeURIComponent(next)}`
}

interface ShownTrace {
  readonly page: PageDocument
  readonly window: PageWindow
  readonly views: AttemptViews
  readonly content: PageElement
  readonly data: AttemptData
}

/** Shows the trace that the page contains, or else loads it from the server of `view`. */
function showTrace({ page, window, views, content, data }: ShownTrace): void {
  const heading = page.createElement('h2')
  heading.textContent = 'Trace'
  const place = page.createElement('div')
  content.append(heading, place)
  if (data.trace !== null) {
    place.append(views.traceView(page, data.id, data.trace))
    openEvent(window, place)
    return
  }
  if (!window.location.protocol.startsWith('http')) {
    place.append(
      "This file does not contain the trace. 'tablehunt view RUN' shows the report with all traces.",
    )
    return
  }
  place.append('Loading …')
  window
    .fetch(`trace/${encodeURIComponent(data.id)}.json`)
    .then(async answer => {
      if (!answer.ok) throw new Error(`the server returned status ${answer.status}`)
      place.replaceChildren(views.traceView(page, data.id, JSON.parse(await answer.text())))
      openEvent(window, place)
    })
    .catch((error: unknown) => place.replaceChildren(`The trace could not be loaded: ${String(error)}`))
}

/** Unfolds the event that the address contains. */
function openEvent(window: PageWindow, place: PageElement): void {
  const seq = /&event=(\d+)$/.exec(window.location.hash)?.[1]
  const fold = seq === undefined ? null : place.querySelector(`[data-event="${seq}"]`)
  if (fold === null) return
  fold.open = true
  fold.querySelector('summary')?.focus()
  fold.scrollIntoView()
}

/** The functions of this file that become part of the page's script. */
export const navigateSource: readonly ((...args: never[]) => unknown)[] = [
  navigate,
  attemptOf,
  attemptData,
  rowOf,
  stepAttempt,
  showTrace,
  openEvent,
]
