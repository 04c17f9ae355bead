import { joinTextLines } from '../../src/text/plain-text.ts'
import { type TextRun, writeRuns } from '../html/raised.ts'
import type { CharacterLook } from './markup.ts'
import { findNumberFormat, type NumberFormat, readHiding } from './number-format.ts'
import type { OfficePackage } from './office-package.ts'
import type { CellComment } from './sheet.ts'
import {
  findElement,
  listElements,
  parseXml,
  walkElements,
  walkXml,
  type XmlHandler,
  type XmlNode,
} from './xml-tree.ts'

/** The look of ordinary characters. */
const plainLook: CharacterLook = { raised: false, lowered: false, struck: false }

/** A part of a cell's text. Without a look, it has that of the cell. */
export interface CellRun {
  readonly text: string
  readonly look: CharacterLook | null
}

/** Reads the runs of texts, without the phonetic readings (rPh) of Japanese. */
export interface RunReader extends Required<XmlHandler> {
  /** Returns the runs since the last call. */
  take(): CellRun[]
}

/** Creates a reader of the elements inside of `si` and `is`. */
export function createRunReader(): RunReader {
  let runs: CellRun[] = []
  let look: CharacterLook | null = null
  let text: string | null = null
  let readings = 0
  return {
    open(name, attributes) {
      if (name === 'rPh') readings++
      else if (name === 't' && readings === 0) text = ''
      else if (name === 'rPr') look = plainLook
      else if (look !== null) look = addLook(look, name, attributes.val)
    },
    text(part) {
      if (text !== null) text += part
    },
    close(name) {
      if (name === 'rPh') readings--
      else if (name === 'r') look = null
      else if (name === 't' && text !== null) {
        runs.push({ text: decodeEscapes(text), look })
        text = null
      }
    },
    take() {
      const finished = runs
      runs = []
      look = null
      return finished
    },
  }
}

function addLook(look: CharacterLook, name: string, value: string | undefined): CharacterLook {
  if (name === 'strike') return { ...look, struck: !/^(?:0|false|off)$/.test(value ?? '') }
  if (name !== 'vertAlign') return look
  return { ...look, raised: value === 'superscript', lowered: value === 'subscript' }
}

/** Excel's own escapes of control characters, such as `_x000D_`. */
export function decodeEscapes(text: string): string {
  return text.replace(/_x([\da-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** Returns the texts that cells refer to. */
export function readSharedTexts(xml: string): CellRun[][] {
  const texts: CellRun[][] = []
  const reader = createRunReader()
  walkXml(xml, {
    ...reader,
    close(name) {
      reader.close(name)
      if (name === 'si') texts.push(reader.take())
    },
  })
  return texts
}

/** How struck text is read: as marked text, or not at all. */
export type StruckReading = 'marked' | 'left-out'

/** Writes the runs of a cell as one line. */
export function writeCell(runs: readonly CellRun[], cell: CharacterLook, struck: StruckReading): string {
  const looks: TextRun[] = runs.map(({ text, look }) => ({ text, ...(look ?? cell) }))
  // A space keeps the figures around struck text apart.
  const visible =
    struck === 'marked' ? looks : looks.map(run => (run.struck ? { ...plainLook, text: ' ' } : run))
  return joinTextLines(writeRuns(visible))
}

/** The style of a cell. */
export interface CellStyle {
  readonly format: NumberFormat
  readonly look: CharacterLook
  /** Whether the format of the cell shows nothing of a value. */
  readonly hides: (value: number | string) => boolean
}

/** The style of cells without one. */
export const plainStyle: CellStyle = { format: { kind: 'plain' }, look: plainLook, hides: () => false }

/** Returns the cell styles by index. */
export function readCellStyles(xml: string): CellStyle[] {
  const styles = parseXml(xml)
  const custom = new Map(
    listElements(findElement(styles, 'numFmts'), 'numFmt').map(({ attributes }) => [
      Number(attributes.numFmtId),
      attributes.formatCode ?? '',
    ]),
  )
  const looks = listElements(findElement(styles, 'fonts'), 'font').map(readFontLook)
  return listElements(findElement(styles, 'cellXfs'), 'xf').map(({ attributes: { numFmtId, fontId } }) => {
    const id = Number(numFmtId ?? 0)
    return {
      format: findNumberFormat(id, custom),
      look: looks[Number(fontId ?? 0)] ?? plainLook,
      hides: readHiding(custom.get(id) ?? ''),
    }
  })
}

function readFontLook(font: XmlNode): CharacterLook {
  return listElements(font).reduce(
    (look, { name, attributes }) => addLook(look, name, attributes.val),
    plainLook,
  )
}

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
  return listElements(parseXml(xml)).flatMap(({ attributes, children }) => {
    const [text] = walkElements({ name: '', attributes: {}, children }, 'text')
    return [
      {
        cell: attributes.ref ?? '',
        text: joinTextLines(text?.children.filter(child => typeof child === 'string').join('') ?? ''),
      },
    ]
  })
}
