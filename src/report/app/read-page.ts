import { type AttemptData, traceFileName } from '../page/attempt-data.ts'
import type { PageData } from '../page/page-data.ts'
import type { IndexData, ServedPage, ServedRun } from '../page/served-data.ts'
import type { ShownTrace } from '../trace/trace-steps.ts'

/** Returns the data of the page. */
export function readPageData(): PageData {
  return JSON.parse(document.getElementById('page-data')?.textContent ?? 'null') as PageData
}

/** Loads the data of the page again from the server of `view`, with the attempts that have ended since. */
export async function loadPageData(): Promise<PageData> {
  const answer = await fetch('page.json')
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as PageData
}

/** Returns data that only the server of `view` adds to its pages, or null in other pages. */
export function readServedPage(): ServedPage | null {
  return JSON.parse(document.getElementById('served-page')?.textContent ?? 'null') as ServedPage | null
}

/** Returns the data of a page about one run from the server of `view`, or null in other pages. */
export function readServedRun(): ServedRun | null {
  const served = readServedPage()
  return served?.kind === 'run' ? served : null
}

/** Returns the data of the index of runs, or null in other pages. */
export function readIndexData(): IndexData | null {
  return JSON.parse(document.getElementById('index-data')?.textContent ?? 'null') as IndexData | null
}

/** Returns the data of an attempt from the page or from the server, or null when neither has the attempt. */
export async function readAttempt(attemptId: string): Promise<AttemptData | null> {
  const element = document.querySelector(`script[data-attempt=${CSS.escape(attemptId)}]`)
  if (element === null) return readServedPage() === null ? null : await loadAttempt(attemptId)
  return JSON.parse(await unpackText(element.textContent ?? '')) as AttemptData
}

async function loadAttempt(attemptId: string): Promise<AttemptData | null> {
  const answer = await fetch(`attempt/${encodeURIComponent(attemptId)}.json`)
  return answer.ok ? ((await answer.json()) as AttemptData) : null
}

/** Reverses `packed` of the report's writer: base64, raw deflate. */
async function unpackText(text: string): Promise<string> {
  const bytes = Uint8Array.from(atob(text), character => character.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return await new Response(stream).text()
}

/** Returns where the traces are, relative to the page: `report/`. Null when they are not in files of their own. */
function traceFolder(): string | null {
  return document.getElementById('trace-folder')?.textContent ?? null
}

/** Whether `loadTrace` has somewhere to load from. */
export function canLoadTraces(): boolean {
  return traceFolder() !== null || location.protocol.startsWith('http')
}

/**
 * Loads a trace that is not part of the page: from the folder beside it, or from the server of `view`.
 *
 * @param line a line that the server shows however long its text is; null for none
 * @throws Error when the trace is missing
 */
export async function loadTrace(attemptId: string, line: string | null): Promise<ShownTrace> {
  const folder = traceFolder()
  if (folder !== null)
    return JSON.parse(await unpackText(await readPackedTrace(folder, attemptId))) as ShownTrace
  const query = line === null ? '' : `?line=${encodeURIComponent(line)}`
  const answer = await fetch(`trace/${encodeURIComponent(attemptId)}.json${query}`)
  if (!answer.ok) throw new Error(`the server returned status ${answer.status}`)
  return (await answer.json()) as ShownTrace
}

/** Loads the script of a trace, which calls `tablehuntTrace`. A page opened as a file cannot read other files. */
function readPackedTrace(folder: string, attemptId: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = folder + encodeURIComponent(traceFileName(attemptId))
    script.onerror = () => reject(new Error(`${script.src} is missing. Keep the folder beside the report.`))
    script.onload = () => script.remove()
    Object.assign(globalThis, {
      tablehuntTrace: (id: string, packed: string) => {
        if (id === attemptId) resolve(packed)
      },
    })
    document.head.append(script)
  })
}
