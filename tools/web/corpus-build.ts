import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { hasPdfHeader, sniffFormat } from '../../retrieval/text/format.ts'
import { canonicalJson, sha256 } from '../../src/system/hash.ts'
import { type Corpus, type CorpusEntry, type CorpusItem, requireDocuments } from './corpus.ts'
import { placeFor } from './corpus-places.ts'
import { containsFileName, findTitle, joinFirstLines, makeTitle } from './corpus-text.ts'
import { writePdf } from './pdf-writer.ts'
import { writeDocumentPage } from './sealed-pages.ts'
import type { TwinText } from './twin.ts'
import { hashNumber, makeTwin } from './twin.ts'

/** A document from a folder. `text` is the reader's result; null when the document has no text (a scan). */
export interface SourceDocument {
  readonly name: string
  /** The document name in the tasks that this document answers; its own name by default. Distractors have none. */
  readonly hint?: string
  readonly source: { readonly path: string } | { readonly bytes: Uint8Array }
  readonly text: string | null
  /**
   * The reader that produced the text, with its version. When absent, the hash of the corpus covers the text
   * itself.
   */
  readonly reader?: string
}

/** A document that a benchmark supplies as text. It becomes a page with that title. */
export interface SuppliedText {
  readonly hint: string
  readonly title: string
  readonly text: string
}

/** What a corpus is built from. */
export interface CorpusInput {
  readonly documents: readonly SourceDocument[]
  readonly embedded: readonly SuppliedText[]
  readonly distractors?: readonly SourceDocument[]
  /** Number of twins per document with text. */
  readonly twins: number
  readonly seed: number
}

/** Returns the document's bytes. */
async function readBytesOfSource({ source }: SourceDocument): Promise<Uint8Array> {
  return 'path' in source ? await readFile(source.path) : source.bytes
}

/** Increase this whenever the same documents would build a different corpus. */
const builderVersion = 'tablehunt-corpus-builder-2'

/**
 * Returns the hash that identifies a corpus. It covers the bytes of the documents, the readers and the
 * settings, but not the extracted text. A page that a reader skipped for lack of time does not change the
 * corpus.
 */
async function hashOfInput(input: CorpusInput): Promise<string> {
  const { seed, twins, embedded, distractors = [] } = input
  return sha256(
    canonicalJson({
      builder: builderVersion,
      seed,
      twins,
      documents: await hashFacts(input.documents),
      embedded,
      distractors: await hashFacts(distractors),
    }),
  )
}

async function hashFacts(documents: readonly SourceDocument[]): Promise<unknown[]> {
  const facts: unknown[] = []
  for (const document of documents) {
    const { name, hint = name, text, reader = { text: sha256(text ?? '') } } = document
    facts.push([name, hint, sha256(await readBytesOfSource(document)), reader])
  }
  return facts
}

interface Draft {
  readonly name: string
  readonly hint: string | null
  readonly twinOf: string | null
  readonly title: string | null
  readonly text: string
  readonly contentType: string
  /** '' for a web page. */
  readonly extension: string
  readonly sha256: string
  readonly size: number
  readonly mayHide: boolean
  body(): Promise<Uint8Array>
}

/**
 * Builds a sealed web from documents, cases stored inside records, distractors and twins. The same input and seed
 * always build the same corpus. Half of the documents do not show their file name in any search result. They are
 * chosen by the seed, documents with text first.
 *
 * @throws ConfigError `empty-corpus` when the input has no documents
 */
export async function buildCorpus(input: CorpusInput): Promise<Corpus> {
  const drafts: Draft[] = []
  const addresses = new Set<string>()
  const add = (draft: Draft) => {
    const key = `${draft.name}\n${draft.sha256}`
    if (addresses.has(key)) return
    addresses.add(key)
    drafts.push(draft)
  }
  for (const document of input.documents) add(await draftOfFile(document, document.hint ?? document.name))
  for (const document of input.embedded) add(draftOfCase(document))
  const originals = drafts.filter(draft => draft.text !== '')
  for (const document of input.distractors ?? []) add(await draftOfFile(document, null))
  const real = new Set(drafts.flatMap(({ name, title }) => [name, title ?? name]))
  for (const original of originals) {
    for (const twin of draftTwins(original, real, input)) add(twin)
  }
  const hidden = pickHiddenNames(drafts, input.seed)
  const items = drafts.map(draft => finish(draft, hidden.has(draft), input.seed))
  requireDocuments(items, 'sealed web (--docs)')
  return { seed: input.seed, items, hash: await hashOfInput(input) }
}

async function draftOfFile(document: SourceDocument, hint: string | null): Promise<Draft> {
  const bytes = await readBytesOfSource(document)
  const text = document.text ?? ''
  const type = detectContentType(bytes, document.name)
  return {
    name: document.name,
    hint,
    twinOf: null,
    title: (type.extension === '' ? readHtmlTitle(bytes) : null) ?? findTitle(text),
    text,
    ...type,
    sha256: sha256(bytes),
    size: bytes.byteLength,
    mayHide: true,
    body: () => readBytesOfSource(document),
  }
}

function draftOfCase(document: SuppliedText): Draft {
  const { hint, title, text } = document
  return draftOfPage({ name: hint, hint, twinOf: null, title, text })
}

function draftOfPage(page: Pick<Draft, 'name' | 'hint' | 'twinOf' | 'text'> & { title: string }): Draft {
  const bytes = Buffer.from(writeDocumentPage(page.title, page.text))
  return {
    ...page,
    contentType: 'text/html; charset=utf-8',
    extension: '',
    sha256: sha256(bytes),
    size: bytes.byteLength,
    mayHide: false,
    body: () => Promise.resolve(bytes),
  }
}

// Another year of a report may also be one of the documents. After this many attempts the twin keeps its name.
const maxNameAttempts = 10

function* draftTwins(original: Draft, real: ReadonlySet<string>, input: CorpusInput): Generator<Draft> {
  const seed = hashNumber(`${input.seed}:${original.name}`)
  const { name: originalName, title, text } = original
  for (let index = 0; index < input.twins; index++) {
    const kind = (seed + index) % 2 === 0 ? 'year' : 'company'
    const make = (variant: number) => makeTwin({ name: originalName, title, text }, kind, variant, seed)
    let twin = make(index)
    for (let tries = 1; hasRealName(twin, originalName, real) && tries < maxNameAttempts; tries++) {
      twin = make(index + tries * input.twins)
    }
    const name = twin.name === originalName ? `${index + 2}-${originalName}` : twin.name
    yield original.mayHide
      ? draftOfTwinFile(original, name, twin.title, twin.text)
      : draftOfPage({ name, hint: null, twinOf: originalName, title: twin.title ?? name, text: twin.text })
  }
}

/**
 * Returns whether a twin has the name or title of a real document. A reader could then not tell which of the two a
 * task means.
 */
function hasRealName({ name, title }: TwinText, originalName: string, real: ReadonlySet<string>): boolean {
  return (name !== originalName && real.has(name)) || (title !== null && real.has(title))
}

/**
 * Returns the file of a twin in its original's format. PDF and other binary documents become PDF; pages and text
 * keep their type.
 */
function draftOfTwinFile(original: Draft, name: string, title: string | null, text: string): Draft {
  if (original.extension === '') {
    const page = { name, hint: null, twinOf: original.name, title: title ?? name, text }
    return { ...draftOfPage(page), mayHide: true }
  }
  const plain = original.contentType.startsWith('text/')
  const bytes = plain ? Buffer.from(text) : writePdf(text, title ?? '')
  return {
    name: plain ? name : name.replace(/\.[A-Za-z0-9]{1,5}$/, '.pdf'),
    hint: null,
    twinOf: original.name,
    title,
    text,
    contentType: plain ? original.contentType : 'application/pdf',
    extension: plain ? original.extension : '.pdf',
    sha256: sha256(bytes),
    size: bytes.byteLength,
    mayHide: true,
    body: () => Promise.resolve(bytes),
  }
}

function finish(draft: Draft, nameHidden: boolean, seed: number): CorpusItem {
  const place = placeFor({ ...draft, nameHidden, seed })
  const title = draft.title ?? (nameHidden ? 'Document' : makeTitle(draft.name))
  const viaLanding = place.landingUrl !== null && hashNumber(`${seed}:result:${draft.name}`) % 2 === 0
  const entry: CorpusEntry = {
    ...place,
    resultUrl: viaLanding ? (place.landingUrl ?? place.url) : place.url,
    sha256: draft.sha256,
    bytes: draft.size,
    contentType: draft.contentType,
    name: draft.name,
    hint: draft.hint,
    twinOf: draft.twinOf,
    title,
    snippet: draft.text === '' ? '' : joinFirstLines(draft.text),
    nameHidden,
    hasText: draft.text !== '',
  }
  return { entry, body: draft.body, text: () => Promise.resolve(draft.text) }
}

/**
 * Chooses half of the real documents and half of the others, in a seeded order. Documents whose own text contains
 * their name come last.
 */
function pickHiddenNames(drafts: readonly Draft[], seed: number): Set<Draft> {
  const hidden = new Set<Draft>()
  for (const real of [true, false]) {
    const group = drafts.filter(draft => draft.mayHide && (draft.hint !== null) === real)
    const eligible = group
      .filter(draft => draft.text !== '')
      .map(draft => ({
        draft,
        givenAway: containsFileName(`${draft.title ?? ''} ${joinFirstLines(draft.text)}`, draft.name),
        order: hashNumber(`${seed}:hide:${draft.name}`),
      }))
      .filter(candidate => !candidate.givenAway)
      .sort((a, b) => a.order - b.order)
    for (const { draft } of eligible.slice(0, Math.ceil(group.length / 2))) hidden.add(draft)
  }
  return hidden
}

const officeTypes: Readonly<Record<string, string>> = {
  '.docx': 'vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.xlsx': 'vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.pptx': 'vnd.openxmlformats-officedocument.presentationml.presentation',
  '.xlsb': 'vnd.ms-excel.sheet.binary.macroEnabled.12',
  '.doc': 'msword',
  '.xls': 'vnd.ms-excel',
  '.ppt': 'vnd.ms-powerpoint',
  '.odt': 'vnd.oasis.opendocument.text',
  '.ods': 'vnd.oasis.opendocument.spreadsheet',
  '.odp': 'vnd.oasis.opendocument.presentation',
}

/** Returns the extension of an Office file by its content; of formats with one reader, by its name. Null for other files. */
function pickOfficeExtension(bytes: Uint8Array, name: string): string | null {
  const { format } = sniffFormat(bytes, name)
  const named = extname(name).toLowerCase()
  if ((format === 'odt' && /^\.od[ps]$/.test(named)) || (format === 'xls' && named === '.xlsb')) return named
  return officeTypes[`.${format}`] === undefined ? null : `.${format}`
}

function detectContentType(bytes: Uint8Array, name: string): { contentType: string; extension: string } {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  const extension = extname(name).toLowerCase()
  if (hasPdfHeader(head)) return { contentType: 'application/pdf', extension: '.pdf' }
  const office = pickOfficeExtension(bytes, name)
  if (office !== null) return { contentType: `application/${officeTypes[office]}`, extension: office }
  if (/<!doctype html|<html|<head|<body/i.test(head)) return { contentType: 'text/html', extension: '' }
  if (extension === '.md' || extension === '.markdown') {
    return { contentType: 'text/markdown; charset=utf-8', extension: '.md' }
  }
  if (extension === '.pdf') return { contentType: 'application/pdf', extension: '.pdf' }
  return { contentType: 'text/plain; charset=utf-8', extension: '.txt' }
}

function readHtmlTitle(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 64_000)).toString('utf8')
  const title = /<title[^>]*>([^<]+)<\/title>/i.exec(head)?.[1] ?? /<h1[^>]*>([^<]+)<\/h1>/i.exec(head)?.[1]
  return title?.replace(/\s+/g, ' ').trim() ?? null
}
