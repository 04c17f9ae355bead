import type { Observation } from '../../logs/event-parts.ts'
import { ToolError } from '../../src/core/errors.ts'
import { sha256 } from '../../src/system/hash.ts'
import { NotShownError, type ToolArtifact, type ToolEnvironment } from '../tool.ts'
import type { PageBody } from './body-type.ts'

/** A body, whether or not it was shown. */
interface WholeBody {
  /** The whole text of the body, including parts that were not shown. */
  readonly text: string
  readonly contentType: string
  /** The number of its pages or parts. */
  readonly total: number
  /** What of a document may be wrong or is left out. */
  readonly notices?: readonly string[]
}

/** What a tool call showed of a body. */
export interface ShownBody extends WholeBody {
  /** The pages or parts shown, 1-based, out of `total`. */
  readonly shown: readonly number[]
  /** Pages of `shown` that were read by OCR. */
  readonly ocr?: readonly number[]
  readonly links: readonly string[]
  readonly truncated: boolean
}

/** Returns the record of one opened body. The whole text of the body is stored with the run, when it has any. */
export function makeBodyArtifact(
  body: PageBody,
  view: ShownBody,
  environment: ToolEnvironment,
): ToolArtifact {
  const { ocr = [], notices = [] } = view
  return {
    truncated: view.truncated,
    observations: [
      {
        kind: 'body',
        url: body.url,
        finalUrl: body.finalUrl,
        sha256: body.sha256,
        contentType: view.contentType,
        bytes: body.bytes.length,
        textSha256: /\S/.test(view.text) ? environment.keepText(view.text) : null,
        shown: [...view.shown],
        ...(ocr.length > 0 && { ocr: [...ocr] }),
        ...(notices.length > 0 && { notices: [...notices] }),
        total: view.total,
        links: [...view.links],
      },
    ],
  }
}

/** Returns the record of a page of which only the text is known: hash and size are those of the text. */
export function textBody(url: string, text: string, keepText: (text: string) => string): Observation {
  return {
    kind: 'body',
    url,
    finalUrl: url,
    sha256: sha256(text),
    contentType: 'text/plain',
    bytes: Buffer.byteLength(text),
    textSha256: /\S/.test(text) ? keepText(text) : null,
    shown: [1],
    total: 1,
    links: [],
  }
}

/**
 * Runs `show`. When it fails, the error carries the record of the body, because the body was opened nevertheless.
 *
 * @throws NotShownError in place of a ToolError
 */
export function withBodyRecord<T>(
  body: PageBody,
  whole: WholeBody,
  environment: ToolEnvironment,
  show: () => T,
): T {
  try {
    return show()
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    const view = { ...whole, shown: [], links: [], truncated: false }
    throw new NotShownError(error, makeBodyArtifact(body, view, environment))
  }
}
