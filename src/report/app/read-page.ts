import type { AttemptData } from '../page/attempt-data.ts'
import type { PageData } from '../page/page-data.ts'

/** Returns the data of the page. */
export function readPageData(): PageData {
  return JSON.parse(document.getElementById('page-data')?.textContent ?? 'null') as PageData
}

/** Returns the data of an attempt, or null when the page does not contain the attempt. */
export async function readAttempt(attemptId: string): Promise<AttemptData | null> {
  const element = document.querySelector(`script[data-attempt=${CSS.escape(attemptId)}]`)
  if (element === null) return null
  return JSON.parse(await unpacked(element.textContent ?? '')) as AttemptData
}

/** Reverses `packed` of the report's writer: base64, raw deflate. */
async function unpacked(text: string): Promise<string> {
  const bytes = Uint8Array.from(atob(text), character => character.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return await new Response(stream).text()
}
