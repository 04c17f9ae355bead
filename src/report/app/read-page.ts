import type { AttemptData } from '../page/attempt-data.ts'
import type { PageData } from '../page/page-data.ts'
import type { IndexData, ServedRun } from '../page/served-data.ts'

/** Returns the data of the page. */
export function readPageData(): PageData {
  return JSON.parse(document.getElementById('page-data')?.textContent ?? 'null') as PageData
}

/** Returns data that only the server of `view` adds to its pages, or null in other pages. */
export function readServedRun(): ServedRun | null {
  return JSON.parse(document.getElementById('served-run')?.textContent ?? 'null') as ServedRun | null
}

/** Returns the data of the index of runs, or null in other pages. */
export function readIndexData(): IndexData | null {
  return JSON.parse(document.getElementById('index-data')?.textContent ?? 'null') as IndexData | null
}

/** Returns the data of an attempt from the page or from the server, or null when neither has the attempt. */
export async function readAttempt(attemptId: string): Promise<AttemptData | null> {
  const element = document.querySelector(`script[data-attempt=${CSS.escape(attemptId)}]`)
  if (element === null) return readServedRun() === null ? null : await loadAttempt(attemptId)
  return JSON.parse(await unpacked(element.textContent ?? '')) as AttemptData
}

async function loadAttempt(attemptId: string): Promise<AttemptData | null> {
  const answer = await fetch(`attempt/${encodeURIComponent(attemptId)}.json`)
  return answer.ok ? ((await answer.json()) as AttemptData) : null
}

/** Reverses `packed` of the report's writer: base64, raw deflate. */
async function unpacked(text: string): Promise<string> {
  const bytes = Uint8Array.from(atob(text), character => character.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return await new Response(stream).text()
}
