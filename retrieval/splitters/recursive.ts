import type { Span, Splitter } from '../chunk.ts'

const chunkChars = 512
const overlapChars = 100

/**
 * Creates LangChain's RecursiveCharacterTextSplitter with 512 characters and an overlap of 100, as in AOE's baseline.
 * LangChain returns texts without offsets. Each text is therefore searched from the first offset that the overlap allows.
 */
export function recursiveSplitter(): Splitter {
  return {
    name: `recursive-${chunkChars}-${overlapChars}`,
    async split(text) {
      const { RecursiveCharacterTextSplitter } = await import('@langchain/textsplitters')
      const splitter = new RecursiveCharacterTextSplitter({
        chunkSize: chunkChars,
        chunkOverlap: overlapChars,
      })
      const pieces = await splitter.splitText(text)
      const spans: Span[] = []
      for (const piece of pieces) {
        const before = spans.at(-1) ?? { start: -1, end: 0 }
        const start = text.indexOf(piece, Math.max(before.start + 1, before.end - overlapChars))
        if (start < 0) throw new Error('the splitter returned a piece that the text does not contain')
        spans.push({ start, end: start + piece.length })
      }
      return spans
    },
  }
}
