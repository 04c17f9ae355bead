import { appendFileSync, fstatSync, ftruncateSync } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { requireRegularFile } from '../../system/files.ts'
import { sha256 } from '../../system/hash.ts'
import { withRecordChecksum } from '../../system/record-checksum.ts'
import { withErrorPath } from '../../system/system-errors.ts'
import { splitLines } from '../../system/text-lines.ts'
import {
  appendLines,
  completeLength,
  iterateCompleteLines,
  type LineSpan,
  parseLine,
  reorderLines,
} from './json-lines.ts'
import {
  addToIndex,
  indexRecords,
  type PlacedLine,
  type RecordIndex,
  type RecordKey,
  sortLines,
} from './record-index.ts'

/** What others did to a file of records while it was open. */
export interface FileChanges {
  /** Lines that this process did not write. They are in damaged.txt now. */
  readonly foreignLines: number
  /** The attempts whose latest record was removed or changed. */
  readonly lostAttempts: readonly string[]
}

/** A file of records with a single writer. It keeps the position of each record, so that the file need not be read again to be sorted. */
export class RecordFile<T extends { attemptId: string }> {
  readonly #path: string
  readonly #key: RecordKey<T>
  readonly #file: FileHandle
  #index: RecordIndex
  /** The keys of the records by the hashes of their lines, in order of writing. Other lines are not ours. */
  readonly #ownLines: Map<string, string>
  #length: number

  private constructor(
    path: string,
    key: RecordKey<T>,
    file: FileHandle,
    {
      index,
      ownLines,
      length,
    }: {
      readonly index: RecordIndex
      readonly ownLines: Map<string, string>
      readonly length: number
    },
  ) {
    this.#path = path
    this.#key = key
    this.#file = file
    this.#index = index
    this.#ownLines = ownLines
    this.#length = length
  }

  /**
   * Opens the file or creates it. Removes a half-written last line.
   *
   * @throws DataError [invalid-record, damaged-record] that names the line
   */
  static async open<T extends { attemptId: string }>(
    path: string,
    key: RecordKey<T>,
  ): Promise<RecordFile<T>> {
    await requireRegularFile(path)
    const file = await open(path, 'a+')
    try {
      const length = await completeLength(file)
      await file.truncate(length)
      const index: RecordIndex = { latest: new Map(), replaced: [] }
      const ownLines = new Map<string, string>()
      for await (const line of iterateCompleteLines(path)) {
        const record = parseLine(path, line, key.schema)
        addOwnLine(ownLines, line.text, addToIndex(index, key, record, line))
      }
      return new RecordFile(path, key, file, { index, ownLines, length })
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** Appends a record. It is in the file as a whole when the call returns, and not at all when it throws. */
  append(record: T): void {
    const text = withRecordChecksum({ ...record })
    const { size } = fstatSync(this.#file.fd)
    // Another program may have added half a line.
    const line = Buffer.from(`${size === this.#length ? '' : '\n'}${text}\n`)
    try {
      appendFileSync(this.#file.fd, line)
    } catch (error) {
      // A later record must not follow half a line, once the disk has room again.
      ftruncateSync(this.#file.fd, size)
      throw withErrorPath(error, this.#path)
    }
    const length = Buffer.byteLength(text)
    this.#length = size + line.length
    const name = addToIndex(this.#index, this.#key, record, { start: this.#length - 1 - length, length })
    addOwnLine(this.#ownLines, text, name)
  }

  /**
   * Compares the file with what was written to it. Lines of others, such as an agent that runs as the same user, are moved
   * to damaged.txt. Do not append afterwards.
   */
  async removeForeignLines(): Promise<FileChanges> {
    const ownSpans: LineSpan[] = []
    const foreign: LineSpan[] = []
    const missing = new Set(this.#ownLines.keys())
    // The path may lead to another file by now.
    const source = this.#file.createReadStream({ start: 0, autoClose: false })
    for await (const { bytes, start, length } of splitLines(source)) {
      if (length === 0 || bytes === null) continue
      const hash = sha256(bytes)
      const lines = this.#ownLines.has(hash) ? ownSpans : foreign
      lines.push({ start, length })
      missing.delete(hash)
    }
    const [opened, placed] = [fstatSync(this.#file.fd), await stat(this.#path).catch(() => null)]
    if (
      foreign.length === 0 &&
      missing.size === 0 &&
      placed?.ino === opened.ino &&
      opened.size === this.#length
    )
      return { foreignLines: 0, lostAttempts: [] }
    if (foreign.length > 0) appendLines(this.#file.fd, foreign, join(dirname(this.#path), 'damaged.txt'))
    await reorderLines(this.#path, ownSpans, this.#file.fd)
    const { latest } = this.#index
    this.#index = await indexRecords(this.#path, this.#key)
    const latestLines = new Map([...this.#ownLines].map(([hash, name]) => [name, hash]))
    const lost = [...latestLines].flatMap(([name, hash]) =>
      missing.has(hash) ? [latest.get(name)!.attemptId] : [],
    )
    return { foreignLines: foreign.length, lostAttempts: [...new Set(lost)] }
  }

  /** Waits until all appended records are on the disk. */
  async sync(): Promise<void> {
    await this.#file.datasync()
  }

  /** The records that a later one with the same key replaced, in order of writing. */
  get replaced(): readonly PlacedLine[] {
    return this.#index.replaced
  }

  /** Keeps the latest record of each key, in the order of the attempts. Do not append afterwards. */
  async putInOrder(attemptIds: readonly string[]): Promise<void> {
    await reorderLines(this.#path, sortLines(this.#index.latest, attemptIds))
  }

  async close(): Promise<void> {
    await this.#file.close()
  }
}

/** Adds a line behind all others, also when an earlier one is equal. */
function addOwnLine(ownLines: Map<string, string>, text: string, name: string): void {
  const hash = sha256(text)
  ownLines.delete(hash)
  ownLines.set(hash, name)
}
