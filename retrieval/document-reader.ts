import type { DocumentText } from '../src/core/document.ts'

/**
 * Turns bytes of any known format into text, by content, not by name; keeps the text on disk by the bytes' hash,
 * so that none is read twice. Never rejects for what the bytes are: DocumentText.problem says why there is no text.
 */
export interface DocumentReader {
  read(bytes: Uint8Array, name: string, signal?: AbortSignal): Promise<DocumentText>
  close(): Promise<void>
}
