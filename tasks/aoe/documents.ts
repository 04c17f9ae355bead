import { z } from 'zod/v4'
import type { TaskDocument } from '../../src/core/task.ts'
import { isObject } from '../../src/text/json.ts'
import { makeRecordError } from '../validate/problem.ts'

/** A document whose text is part of the record: a case or a statute. */
interface InsideDocument {
  readonly title: string
  readonly number: string | null
  readonly text: string
}

// Only the facts of a case are its text, because its other fields may contain the gold.
const titleFields = ['案件名', '法律名称', '法规名称', '名称', '标题', 'title', 'name']
const textFields = ['基本案情', '正文', '全文', '内容', 'text', 'content']
const inputDocForm = 'a list of file names, or of objects {"title": …, "text": …}'
const missingInputDoc = `input_doc is missing. Add it: ${inputDocForm}.`
const filledText = z.string().trim().min(1)

/**
 * Reads `input_doc`, a list of file names and of legal case objects (案件名, 入库编号, 基本案情). The name of a case is its
 * 案件名. A document that is named twice is returned once. Different cases with the same name get their 入库编号 appended.
 *
 * @throws DataError `invalid-record` with the item that is wrong
 */
export function readInputDocuments(inputDoc: unknown): TaskDocument[] {
  const items = typeof inputDoc === 'string' ? [inputDoc] : inputDoc
  if (!Array.isArray(items))
    throw makeRecordError(
      inputDoc === undefined ? missingInputDoc : `input_doc is not a list. Write ${inputDocForm}.`,
    )
  if (items.length === 0) throw makeRecordError('input_doc is empty. Name at least one document.')
  const parsed = items.map(readItem)
  const inside = parsed.filter(item => typeof item !== 'string')
  const texts = new Map<string, string | null>()
  const documents: TaskDocument[] = []
  for (const item of parsed) {
    const name = typeof item === 'string' ? item : nameDocument(item, inside)
    const text = typeof item === 'string' ? null : item.text
    if (texts.has(name) && texts.get(name) !== text) {
      throw makeRecordError(`input_doc: two different documents are named ${name}. Rename one of them.`)
    }
    if (!texts.has(name)) documents.push(typeof item === 'string' ? { name } : createDocument(name, item))
    texts.set(name, text)
  }
  return documents
}

function readItem(item: unknown, index: number): string | InsideDocument {
  if (typeof item === 'string') {
    if (item.trim() === '')
      throw makeRecordError(`input_doc[${index}] is an empty name. Write a file name or remove it.`)
    return item.trim()
  }
  if (!isObject(item)) {
    throw makeRecordError(`input_doc[${index}] is neither a file name nor an object. Write one of them.`)
  }
  return readInside(new Map(Object.entries(item)), index)
}

function readInside(fields: ReadonlyMap<string, unknown>, index: number): InsideDocument {
  const titleField = titleFields.find(field => fields.has(field))
  const textField = textFields.find(field => fields.has(field))
  const [only] = fields
  if (titleField === undefined && textField === undefined && fields.size === 1 && only !== undefined) {
    return { title: only[0], number: null, text: requireText(only[1], `input_doc[${index}].${only[0]}`) }
  }
  const number = fields.get('入库编号')
  return {
    title: requireText(fields.get(titleField ?? '案件名'), `input_doc[${index}].${titleField ?? '案件名'}`),
    number: typeof number === 'string' && number.trim() !== '' ? number.trim() : null,
    text: requireText(fields.get(textField ?? '基本案情'), `input_doc[${index}].${textField ?? '基本案情'}`),
  }
}

function requireText(value: unknown, place: string): string {
  const parsed = filledText.safeParse(value)
  if (!parsed.success) throw makeRecordError(`${place} is missing or not a text. Write the text.`)
  return parsed.data
}

function createDocument(name: string, { title, text }: InsideDocument): TaskDocument {
  return { name, title, load: async () => ({ kind: 'text', text }) }
}

function nameDocument(item: InsideDocument, siblings: readonly InsideDocument[]): string {
  const rival = siblings.some(sibling => sibling.title === item.title && sibling.text !== item.text)
  return rival && item.number !== null ? `${item.title}（${item.number}）` : item.title
}
