import { readFile } from 'node:fs/promises'
import type { Context } from '../src/core/attempt.ts'
import type { ContextDocument } from '../src/core/document.ts'
import { choosePromptLanguage } from '../src/core/language.ts'
import type { PromptMessages } from '../src/core/prompts.ts'
import type { Question } from '../src/core/task.ts'
import { untilAborted } from '../src/system/retry.ts'
import { type AttemptRun, openAttemptRun } from './attempt-run.ts'
import { conclude } from './conclude.ts'
import type { AttachedFile } from './conversation.ts'
import { type CutDocument, type CutDocuments, cutDocuments } from './cut-documents.ts'
import type { SettingEnvironment, SettingOutcome } from './setting.ts'
import { askAll, canThinkAloud, madeOnce, promptSize } from './single-request.ts'
import type { Ended } from './termination.ts'

/**
 * Asks with all documents of the task in one prompt. Text that does not fit the context window is cut by `--cut` and
 * recorded.
 */
export async function runOffline(
  question: Question,
  environment: SettingEnvironment,
): Promise<SettingOutcome> {
  const run = openAttemptRun(environment)
  const chainOfThought = canThinkAloud(environment)
  let context: Context | null = null
  const concluded = await conclude(run, question, async () => {
    const documents = await untilAborted(environment.documents(), run.signal)
    if (environment.options.documentInput === 'pdf') {
      const attached = await attachPdfs(question, documents, environment)
      context = attached.context
      return await askWithFiles(run, question, attached)
    }
    const writePrompt = (cut: readonly CutDocument[]): PromptMessages =>
      environment.prompts.withDocuments(question, cut.map(asPromptDocument), chainOfThought)
    const count = (cut: readonly CutDocument[]): number => promptSize(environment.model, writePrompt(cut))
    const promptFor = madeOnce(limit => {
      const cut = cutDocuments(documents, environment.cutStrategy, limit, count)
      context = recordCut(run, cut)
      const prompt = writePrompt(cut.documents)
      return { prompt, tokens: () => count(cut.documents) }
    })
    return await askAll(run, question, 'documents', promptFor)
  })
  return { ...concluded, context, retrieval: null, chunks: null }
}

/** Sends a request with files, which are never cut. The attempt ends when the provider refuses them. */
async function askWithFiles(
  run: AttemptRun,
  question: Question,
  { documents, files }: PdfDocuments,
): Promise<Ended> {
  const { environment } = run
  const prompt = environment.prompts.withDocuments(question, documents, canThinkAloud(environment))
  const fileTokens = files.reduce((sum, { tokens }) => sum + tokens, 0)
  return await askAll(run, question, 'documents', () => ({
    prompt: files.length === 0 ? prompt : { ...prompt, files },
    tokens: () => promptSize(environment.model, prompt) + fileTokens,
  }))
}

/** Converts a document to the form that prompts use. */
export function asPromptDocument({ hint, text, problem }: CutDocument) {
  return { name: hint, text, problem }
}

/** Returns the record of the documents in a prompt. A cut is also written to the trace. */
export function recordCut(run: AttemptRun, { documents, wasCut }: CutDocuments): Context {
  const { cutStrategy } = run.environment
  if (wasCut) {
    const sizes = documents.map(({ hint, chars, charsInPrompt }) => ({ hint, chars, charsInPrompt }))
    run.emit({ type: 'context-cut', strategy: cutStrategy, documents: sizes, shortened: [] })
  }
  return {
    documents: documents.map(({ hint, chars, charsInPrompt, charsFromStart, problem, notices, ocr }) => ({
      hint,
      chars,
      charsInPrompt,
      ...(charsFromStart === undefined ? {} : { charsFromStart }),
      problem,
      ...(notices === undefined ? {} : { notices: [...notices] }),
      ocr,
    })),
    cutStrategy: wasCut ? cutStrategy : null,
  }
}

/**
 * An estimate of the tokens that providers count for the image of a page, beside its text. It is on the high side:
 * Anthropic's images have at most about 1,600 tokens, and Gemini counts 258 for a page.
 */
const tokensPerPage = 1_600

const attachedNotes = {
  en: '(The document is attached as a PDF file.)',
  zh: '（该文件以 PDF 附件形式提供。）',
} as const

/** The documents of a prompt, some of them as attached files. */
interface PdfDocuments {
  /** In the form that prompts use. A PDF has a note instead of its text. */
  readonly documents: readonly {
    readonly name: string
    readonly text: string
    readonly problem: string | null
  }[]
  readonly files: readonly AttachedFile[]
  readonly context: Context
}

/** Attaches a task's PDFs as files (`--document-input pdf`). Documents in other formats stay texts. Nothing is cut. */
async function attachPdfs(
  { language }: Question,
  documents: readonly ContextDocument[],
  { model, documentFile }: SettingEnvironment,
): Promise<PdfDocuments> {
  const loaded = await Promise.all(documents.map(document => readPdf(document, documentFile)))
  const files = documents.flatMap((document, index) => {
    const bytes = loaded[index]!
    if (bytes === null) return []
    const tokens = model.countTokens(document.text) + (document.pages ?? 1) * tokensPerPage
    return [{ name: document.hint, base64: bytes.toString('base64'), tokens }]
  })
  return {
    documents: documents.map(({ hint, text, problem }, index) =>
      loaded[index] === null
        ? { name: hint, text, problem }
        : { name: hint, text: attachedNotes[choosePromptLanguage(language)], problem: null },
    ),
    files,
    context: {
      documents: documents.map(({ hint, text, problem, ocr = false }, index) => {
        const chars = text.length
        // The model reads an attached file by itself.
        return { hint, chars, charsInPrompt: chars, problem: loaded[index] === null ? problem : null, ocr }
      }),
      cutStrategy: null,
    },
  }
}

/** Returns the bytes of a PDF; null for any other document. */
async function readPdf(
  { hint }: ContextDocument,
  documentFile: SettingEnvironment['documentFile'],
): Promise<Buffer | null> {
  const path = (await documentFile?.(hint)) ?? null
  if (path === null) return null
  const bytes = await readFile(path)
  return bytes.subarray(0, 1_024).includes('%PDF-') ? bytes : null
}
