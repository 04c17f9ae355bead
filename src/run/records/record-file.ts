import { appendFileSync, ftruncateSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { withRecordChecksum } from '../../system/hash.ts'
import { withErrorPath } from '../../system/system-errors.ts'
import { reorderLines, wholeLength } from './json-lines.ts'
import {
  addToIndex,
  indexRecords,
  inOrder,
  type Place,
  type RecordIndex,
  type RecordKey,
} from './record-index.ts'

/** A file of records for its one writer: it knows where they stand, so that it is not read to be put in order. */
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

  /** Made where there is none; a half-written last line is cut off. DataError names a line that is no record. */
  static async open<T extends { attemptId: string }>(
    path: string,
    key: RecordKey<T>,
  ): Promise<RecordFile<T>> {
    const file = await open(path, 'a+')
    try {
      const length = await wholeLength(file)
      await file.truncate(length)
      return new RecordFile(path, key, file, { index: await indexRecords(path, key), length })
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** On disk when it returns; nothing of it where it throws. */
  append(record: T): void {
    const line = Buffer.from(`${withRecordChecksum({ ...record })}\n`)
    try {
      appendFileSync(this.#file.fd, line)
    } catch (error) {
      // Another attempt may still be recorded, when there is room again: not on the end of half a line.
      ftruncateSync(this.#file.fd, this.#length)
      throw withErrorPath(error, this.#path)
    }
    addToIndex(this.#index, this.#key, record, { start: this.#length, length: line.length - 1 })
    this.#length += line.length
  }

  /** Records that a later one of the same key replaced, as they came. */
  get replaced(): readonly Place[] {
    return this.#index.replaced
  }

  /** Leaves the latest of each key, in the order of the attempts. Nothing may be appended after it. */
  async putInOrder(attemptIds: readonly string[]): Promise<void> {
    await reorderLines(this.#path, inOrder(this.#index.latest, attemptIds))
  }

  async close(): Promise<void> {
    await this.#file.close()
  }
}
