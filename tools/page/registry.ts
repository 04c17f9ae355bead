import { Registry } from '../../src/core/registry.ts'
import type { SearchSettings } from '../search/provider.ts'
import { createJinaReader } from './jina-reader.ts'
import { ownReader } from './own-reader.ts'
import type { PageReader } from './page-reader.ts'

/**
 * A page reader, which extracts the text of a web page.
 *
 * @example
 * import { definePlugin, type PageReaderEntry } from 'tablehunt'
 *
 * const raw: PageReaderEntry = {
 *   summary: "the page's source as it is",
 *   keyVariable: null,
 *   baseUrlVariable: null,
 *   create: () => ({
 *     name: 'raw',
 *     read: async ({ url, bytes }) => {
 *       const text = new TextDecoder().decode(bytes)
 *       return { url, title: url, marked: text, text, links: [], note: null }
 *     },
 *   }),
 * }
 * export default definePlugin({ pageReaders: { raw } })
 */
export interface PageReaderEntry {
  /** One line for --help. */
  readonly summary: string
  readonly keyVariable: string | null
  readonly baseUrlVariable: string | null
  /**
   * Creates the reader.
   *
   * @throws ConfigError when a key (`missing-key`) is missing
   */
  create(settings: SearchSettings): PageReader
}

/** The page readers by name; `own` is the default. */
export const pageReaders = new Registry<PageReaderEntry>({
  kind: 'page reader',
  calls: 2,
  builtIn: {
    own: {
      summary: 'main text by Readability, JavaScript in your browser',
      keyVariable: null,
      baseUrlVariable: null,
      create: () => ownReader,
    },
    jina: {
      summary: 'Jina Reader, which fetches each page once more',
      keyVariable: 'JINA_API_KEY',
      baseUrlVariable: 'JINA_BASE_URL',
      create: createJinaReader,
    },
  },
})
