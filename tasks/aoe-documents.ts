import { z } from 'zod/v4'
import { DataError } from '../src/core/errors.ts'
import type { TaskDocument } from '../src/core/task.ts'
import { isObject } from '../src/text/json.ts'

/** A document that stands inside a record: a case, or a statute beside it. */
interface InsideDocument {
  readonly title: string
  readonly number: string | null
  readonly text: string
}

// A case's facts alone are its text: its other fields may hold the gold.
const titleFields = ['案件名', '法律名称', '法规名称', '名称', '标题', 'title', 'name']
const textFields = ['基本案情', '正文', '全文', '内容', 'text', 'content']
const wantedInputDoc = 'a list of file names, or of objects {"title": …, "text": …}'
const missingInputDoc = `input_doc is missing. Add it: ${wantedInputDoc}.`
const filledText = z.string().trim().min(1)

/**
 * `input_doc`: a list of file names and of legal case objects (案件名, 入库编号, 基本案情), whose name is the 案件名.
 * A document that is named twice is one; of different cases of one name each gets its 入库编号 behind the name.
 * Throws DataError naming the item that does not fit.
 */
export function readInputDocuments(inputDoc: unknown): TaskDocument[] {
  const items = typeof inputDoc === 'string' ? [inputDoc] : inputDoc
  if (!Array.isArray(items))
    throw new DataError(inputDoc === undefined ? missingInputDoc : `input_doc: expected ${wantedInputDoc}`)
  if (items.length === 0) throw new DataError('input_doc is empty. Name at least one document.')
  const read = items.map(readItem)
  const inside = read.filter(item => typeof item !== 'string')
  const texts = new Map<string, string | null>()
  const documents: TaskDocument[] = []
  for (const item of read) {
    const name = typeof item === 'string' ? item : nameOf(item, inside)
    const text = typeof item === 'string' ? null : item.text
    if (texts.has(name) && texts.get(name) !== text) {
      throw new DataError(`input_doc: two different documents are named ${name}`)
    }
    if (!texts.has(name)) documents.push(typeof item === 'string' ? { name } : supplied(name, item))
    texts.set(name, text)
  }
  return documents
}

function readItem(item: unknown, index: number): string | InsideDocument {
  if (typeof item === 'string') {
    if (item.trim() === '') throw new DataError(`input_doc[${index}] is an empty name`)
    return item.trim()
  }
  if (!isObject(item)) {
    throw new DataError(`input_doc[${index}] is neither a name nor a case object`)
  }
  return readInside(new Map(Object.entries(item)), index)
}

function readInside(fields: ReadonlyMap<string, unknown>, index: number): InsideDocument {
  const titleField = titleFields.find(field => fields.has(field))
  const textField = textFields.find(field => fields.has(field))
  const [only] = fields
  if (titleField === undefined && textField === undefined && fields.size === 1 && only !== undefined) {
    return { title: only[0], number: null, text: filled(only[1], `input_doc[${index}].${only[0]}`) }
  }
  const number = fields.get('入库编号')
  return {
    title: filled(fields.get(titleField ?? '案件名'), `input_doc[${index}].${titleField ?? '案件名'}`),
    number: typeof number === 'string' && number.trim() !== '' ? number.trim() : null,
    text: filled(fields.get(textField ?? '基本案情'), `input_doc[${index}].${textField ?? '基本案情'}`),
  }
}

function filled(value: unknown, place: string): string {
  const parsed = filledText.safeParse(value)
  if (!parsed.success) throw new DataError(`${place} is missing or no text`)
  return parsed.data
}

function supplied(name: string, { title, text }: InsideDocument): TaskDocument {
  return { name, title, load: async () => ({ kind: 'text', text }) }
}

function nameOf(item: InsideDocument, all: readonly InsideDocument[]): string {
  const rival = all.some(other => other.title === item.title && other.text !== item.text)
  return rival && item.number !== null ? `${item.title}（${item.number}）` : item.title
}
