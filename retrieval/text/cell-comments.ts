import { oneLine } from '../../src/text/plain-text.ts'
import { createRunReader, plainLook, writeCell } from './cell-texts.ts'
import type { OfficePackage } from './office-package.ts'
import type { CellComment } from './sheet.ts'
import { elementsBelow, elementsIn, parseXml, walkXml } from './xml-tree.ts'

/** Returns the comments of a sheet in their order. Replies to a comment follow it. */
export function readCellComments(file: OfficePackage, sheet: string): CellComment[] {
  const links = file.relationships(sheet)
  const parts = (kind: string): string[] =>
    links.filter(link => link.kind === kind).map(({ target }) => file.text(target) ?? '')
  const threaded = parts('threadedComment').flatMap(readThreads)
  const inThreads = new Set(threaded.map(({ cell }) => cell))
  // Excel writes each thread a second time, as a note for older versions.
  const notes = parts('comments')
    .flatMap(readNotes)
    .filter(({ cell }) => !inThreads.has(cell))
  return [...notes, ...threaded].filter(({ text }) => text !== '')
}

function readNotes(xml: string): CellComment[] {
  const comments: CellComment[] = []
  const runs = createRunReader()
  let cell = ''
  walkXml(xml, {
    ...runs,
    open(name, attributes) {
      if (name === 'comment') cell = attributes.ref ?? ''
      else runs.open(name, attributes)
    },
    close(name) {
      runs.close(name)
      if (name !== 'comment') return
      const text = writeCell(runs.take(), plainLook, 'marked')
      comments.push({ cell, text })
    },
  })
  return comments
}

function readThreads(xml: string): CellComment[] {
  return elementsIn(parseXml(xml)).flatMap(({ attributes, children }) => {
    const [text] = elementsBelow({ name: '', attributes: {}, children }, 'text')
    return [
      {
        cell: attributes.ref ?? '',
        text: oneLine(text?.children.filter(child => typeof child === 'string').join('') ?? ''),
      },
    ]
  })
}
