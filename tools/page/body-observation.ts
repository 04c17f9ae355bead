import { ToolError } from '../../src/core/errors.ts'
import { NotShownError, type ToolArtifact, type ToolEnvironment } from '../tool.ts'
import type { PageBody } from './body-type.ts'

/** What a call showed of a body. */
export interface ShownBody {
  /** The body's whole text, of which a part was shown. */
  readonly text: string
  readonly contentType: string
  /** Pages or parts shown, 1-based, of so many. */
  readonly shown: readonly number[]
  readonly total: number
  /** Pages of `shown` that were read off their images. */
  readonly ocr?: readonly number[]
  readonly links: readonly string[]
  readonly truncated: boolean
}

/** The record of one body that was opened; its whole text is kept with the run, where it has any. */
export function bodyArtifact(body: PageBody, seen: ShownBody, environment: ToolEnvironment): ToolArtifact {
  const { ocr = [] } = seen
  return {
    truncated: seen.truncated,
    observations: [
      {
        kind: 'body',
        url: body.url,
        finalUrl: body.finalUrl,
        sha256: body.sha256,
        contentType: seen.contentType,
        bytes: body.bytes.length,
        textSha256: /\S/.test(seen.text) ? environment.keepText(seen.text) : null,
        shown: [...seen.shown],
        ...(ocr.length > 0 && { ocr: [...ocr] }),
        total: seen.total,
        links: [...seen.links],
      },
    ],
  }
}

/** What `show` gives; where it fails, the failure tells of the body, which was opened all the same. */
export function showing<T>(
  body: PageBody,
  whole: Pick<ShownBody, 'text' | 'contentType' | 'total'>,
  environment: ToolEnvironment,
  show: () => T,
): T {
  try {
    return show()
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    const seen = { ...whole, shown: [], links: [], truncated: false }
    throw new NotShownError(error, bodyArtifact(body, seen, environment))
  }
}
