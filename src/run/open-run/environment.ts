import { basename, join, resolve } from 'node:path'
import { answersFromWeb } from '../../../agents/registry.ts'
import type { ReaderVersion } from '../../../retrieval/document-reader.ts'
import { relevanceEndpointName } from '../../../retrieval/relevance-endpoint.ts'
import type { RunConfig } from '../../config.ts'
import type { Task, TaskDocument } from '../../core/task.ts'
import { sha256OfPath } from '../../system/hash.ts'

/**
 * The programs and files of this machine that results depend on. A field is absent when the run does not use the program
 * or file.
 */
export interface RunEnvironment {
  /** The version of the code that extracts text from documents. */
  readonly documentText: string
  /** The OCR program for scanned pages; null when none is installed, so that scanned pages have no text. */
  readonly ocr?: string | null
  /** Whether pages that need JavaScript are rendered. */
  readonly browser?: 'chromium' | null
  /** The endpoint that rates passages; null when the model under test rates them. */
  readonly reranker?: string | null
  /** SHA-256 of the files that options name by a prefix, such as `scripted:turns.jsonl`. */
  readonly files?: Readonly<Record<string, string>>
}

/** What decides the environment of a run. */
export interface EnvironmentInput {
  readonly config: RunConfig
  readonly tasks: readonly Task[]
  readonly reader: ReaderVersion
  readonly hasBrowser: boolean
  readonly env: NodeJS.ProcessEnv
}

/** Finds the programs and files of this machine that a run's results depend on. */
export async function findEnvironment(input: EnvironmentInput): Promise<RunEnvironment> {
  const { config, reader, env } = input
  const isOnline = config.setting.some(answersFromWeb)
  const isReranked = config.setting.includes('rag') && config.retriever.includes('rerank')
  const files = await hashNamedFiles(config)
  return {
    documentText: reader.text,
    ...(isOnline || readsPdfs(input) ? { ocr: reader.ocr } : {}),
    ...(isOnline ? { browser: input.hasBrowser ? 'chromium' : null } : {}),
    ...(isReranked ? { reranker: relevanceEndpointName(env) } : {}),
    ...(Object.keys(files).length === 0 ? {} : { files }),
  }
}

/** Only PDFs have scanned pages. */
function readsPdfs({ config, tasks }: EnvironmentInput): boolean {
  const isPdf = ({ name }: TaskDocument): boolean => /\.pdf$/i.test(name)
  return config.docs !== null && tasks.some(task => task.documents.some(isPdf))
}

/** Hashes scripts, weights of a local embedder, and a recording with --replay strict (with --replay auto it changes). */
async function hashNamedFiles(config: RunConfig): Promise<Record<string, string>> {
  const isRag = config.setting.includes('rag')
  const replayed = config.setting.some(answersFromWeb) && config.replay === 'strict' ? [config.web] : []
  const named = [...config.model, config.judge, ...(isRag ? [config.embedder] : []), ...replayed]
  const hashes: Record<string, string> = {}
  for (const value of named) {
    const [prefix, path] = /^(scripted|onnx|replay):(.+)$/s.exec(value)?.slice(1) ?? []
    if (prefix === undefined || path === undefined) continue
    const hash = await sha256OfPath(prefix === 'replay' ? join(path, 'index.jsonl') : path)
    if (hash !== null) hashes[`${prefix}:${basename(resolve(path))}`] = hash
  }
  return hashes
}
