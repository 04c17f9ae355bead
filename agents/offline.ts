import type { Context } from '../src/core/attempt.ts'
import type { PromptMessages } from '../src/core/prompts.ts'
import type { Question } from '../src/core/task.ts'
import { untilAborted } from '../src/system/retry.ts'
import { type AttemptRun, openAttemptRun } from './attempt-run.ts'
import { conclude } from './conclude.ts'
import { type CutDocument, type CutDocuments, cutDocuments } from './cut-documents.ts'
import { attachPdfs, type PdfDocuments } from './pdf-documents.ts'
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
  const concluded = await conclude(
    run,
    question,
    async () => {
      const documents = await untilAborted(environment.documents(), run.signal)
      if (environment.options.documentInput === 'pdf') {
        const attached = await attachPdfs(question, documents, environment)
        context = attached.context
        return await askWithFiles(run, question, attached)
      }
      const promptOf = (cut: readonly CutDocument[]): PromptMessages =>
        environment.prompts.withDocuments(question, cut.map(asPromptDocument), chainOfThought)
      const count = (cut: readonly CutDocument[]): number => promptSize(environment.model, promptOf(cut))
      const promptFor = madeOnce(limit => {
        const cut = cutDocuments(documents, environment.cutStrategy, limit, count)
        context = recordCut(run, cut)
        const prompt = promptOf(cut.documents)
        return { prompt, tokens: () => count(cut.documents) }
      })
      return await askAll(run, question, 'documents', promptFor)
    },
    () => ({ draft: null, forcedFinal: false }),
  )
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
      ...{ hint, chars, charsInPrompt },
      ...(charsFromStart === undefined ? {} : { charsFromStart }),
      problem,
      ...(notices === undefined ? {} : { notices: [...notices] }),
      ocr,
    })),
    cutStrategy: wasCut ? cutStrategy : null,
  }
}
