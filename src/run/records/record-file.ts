import { appendFileSync, ftruncateSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { requireRegularFile } from '../../system/files.ts'
import { withRecordChecksum } from '../../system/record-checksum.ts'
import { withErrorPath } from '../../system/system-errors.ts'
import { completeLength, reorderLines } from './json-lines.ts'
import {
  addToIndex,
  indexRecords,
  inOrder,
  type PlacedLine,
  type RecordIndex,
  type RecordKey,
} from './record-index.ts'

/** A file of records with a single writer. It keeps the position of each record, so that the file need not be read again to be sorted. */
export class RecordFile<T extends { attemptId: string }> {
  readonly #path: string
  readonly #key: RecordKey<T>
  readonly #file: FileHandle
  readonly #index: RecordIndex
  #length: number

  private constructor(
    path: string,
    key: RecordKey<T>,
    file: FileHandle,
    { index, length }: { readonly index: RecordIndex; readonly length: number },
  ) {
    this.#path = path
    this.#key = key
    this.#file = file
    this.#index = index
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
      return new RecordFile(path, key, file, { index: await indexRecords(path, key), length })
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** Appends a record. It is in the file as a whole when the call returns, and not at all when it throws. */
  append(record: T): void {
    const line = Buffer.from(`${withRecordChecksum({ ...record })}\n`)
    try {
      appendFileSync(this.#file.fd, line)
    } catch (error) {
      // A later record must not follow half a line, once the disk has room again.
      ftruncateSync(this.#file.fd, this.#length)
      throw withErrorPath(error, this.#path)
    }
    addToIndex(this.#index, this.#key, record, { start: this.#length, length: line.length - 1 })
    this.#length += line.length
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
    await reorderLines(this.#path, inOrder(this.#index.latest, attemptIds))
  }

  async close(): Promise<void> {
    await this.#file.close()
  }
}
