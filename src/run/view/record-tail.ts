import { stat } from 'node:fs/promises'
import type { z } from 'zod/v4'
import { ifMissing } from '../../system/files.ts'
import { iterateCompleteLines, type LineSpan, parseLine } from '../records/json-lines.ts'

/** A record and its place in its file. */
export interface PlacedRecord<T> {
  readonly record: T
  readonly place: LineSpan
}

/** The records that were added to a file since it was last read. */
export interface Appended<T> {
  readonly records: readonly PlacedRecord<T>[]
  /** True when the file was written anew. The records are then all records of the new file. */
  readonly isReplaced: boolean
}

/** Reads a growing JSON-lines file. Every line is read and parsed once. */
export class RecordTail<T> {
  readonly #path: string
  readonly #schema: z.ZodType<T>
  #file = 0
  #length = 0
  #lines = 0

  constructor(path: string, schema: z.ZodType<T>) {
    this.#path = path
    this.#schema = schema
  }

  /** Names the file and how far it was read. */
  get position(): string {
    return `${this.#file}-${this.#length}`
  }

  /**
   * Reads the records that were added.
   *
   * @throws DataError [invalid-record, damaged-record] that names the line
   */
  async read(): Promise<Appended<T>> {
    const { ino = 0, size = 0 } = (await stat(this.#path).catch(ifMissing)) ?? {}
    const isReplaced = this.#file !== 0 && (ino !== this.#file || size < this.#length)
    if (isReplaced) [this.#length, this.#lines] = [0, 0]
    this.#file = ino
    if (size === this.#length) return { records: [], isReplaced }
    const records: PlacedRecord<T>[] = []
    for await (const line of iterateCompleteLines(this.#path, this.#length)) {
      const { start, length, number, text } = line
      const record = parseLine(this.#path, { number: this.#lines + number, text }, this.#schema)
      records.push({ record, place: { start, length } })
    }
    const last = records.at(-1)?.place
    this.#length = last === undefined ? this.#length : last.start + last.length + 1
    this.#lines += records.length
    return { records, isReplaced }
  }
}
