import type { DocumentReader } from '../../../retrieval/document-reader.ts'
import { BudgetRefusedError } from '../../../src/core/errors.ts'
import type { Clock } from '../../../src/core/runtime.ts'
import { sha256 } from '../../../src/system/hash.ts'
import type { SearchProvider } from '../../../tools/search/provider.ts'
import { createSerperProvider } from '../../../tools/search/serper.ts'
import type { ToolEnvironment } from '../../../tools/tool.ts'
import { plainTransport } from './local-web.ts'
import { pdfiumReader } from './pdfium-reader.ts'

/** A tool environment that records what tools do with it. */
export interface TestEnvironment extends ToolEnvironment {
  readonly charged: string[]
  readonly retries: { what: string; reason: string; retry: number; waitMs: number }[]
  readonly texts: Map<string, string>
  readonly sleeps: number[]
}

/** What a test changes in its environment. */
export interface TestOptions {
  readonly searchUrl?: string
  readonly search?: SearchProvider
  readonly reader?: DocumentReader
  /** The budget for searches and fetches together; unlimited by default. */
  readonly calls?: number
  readonly signal?: AbortSignal
}

/** Creates the tool environment of one attempt over plain HTTP. Waits take no time and are recorded. */
export function testEnvironment(options: TestOptions = {}): TestEnvironment {
  const charged: string[] = []
  const retries: TestEnvironment['retries'] = []
  const texts = new Map<string, string>()
  const sleeps: number[] = []
  const clock: Clock = {
    now: () => 1_000,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted()
      sleeps.push(ms)
    },
  }
  return {
    transport: plainTransport(),
    search:
      options.search ??
      createSerperProvider({ apiKey: 'secret-1', baseUrl: options.searchUrl ?? 'http://127.0.0.1:1' }),
    reader: options.reader ?? pdfiumReader(),
    clock,
    signal: options.signal ?? new AbortController().signal,
    charged,
    retries,
    texts,
    sleeps,
    charge(kind, what) {
      if (charged.length >= (options.calls ?? Number.POSITIVE_INFINITY)) {
        throw new BudgetRefusedError(kind, `no ${kind} left: answer from what you have`)
      }
      charged.push(`${kind} ${what}`)
    },
    retried: (what, reason, retry, waitMs) => void retries.push({ what, reason, retry, waitMs }),
    keepText(text) {
      const hash = sha256(text)
      texts.set(hash, text)
      return hash
    },
  }
}
