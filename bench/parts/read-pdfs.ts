import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { createDocumentReader } from '../../retrieval/document-reader.ts'
import { pdfsIn } from './documents.ts'
import { moduleInput, peakMemoryMb } from './process.ts'

export interface ReadPdfsInput {
  readonly folder: string
  /** An empty folder, so that every document is read. */
  readonly cacheFolder: string
}

export interface ReadPdfsCost {
  readonly pages: number
  readonly peakMb: number
}

/** Reads every PDF of a folder with two threads, as a run does. Prints the amount of text as a line of JSON. */
const { folder, cacheFolder } = moduleInput<ReadPdfsInput>()
const reader = createDocumentReader({ cacheFolder })
const texts = await Promise.all(
  (await pdfsIn(folder)).map(async path => await reader.read(await readFile(path), basename(path))),
)
await reader.close()
const pages = texts.reduce((sum, text) => sum + text.pages.length, 0)
const cost: ReadPdfsCost = { pages, peakMb: peakMemoryMb() }
process.stdout.write(`${JSON.stringify(cost)}\n`)
