import { readFile } from 'node:fs/promises'
import type { Context } from '../src/core/attempt.ts'
import type { ContextDocument } from '../src/core/document.ts'
import { promptLanguageOf } from '../src/core/language.ts'
import type { Question } from '../src/core/task.ts'
import type { AttachedFile } from './conversation.ts'
import type { SettingEnvironment } from './setting.ts'

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
export interface PdfDocuments {
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
export async function attachPdfs(
  { language }: Question,
  documents: readonly ContextDocument[],
  { model, documentFile }: Pick<SettingEnvironment, 'documentFile' | 'model'>,
): Promise<PdfDocuments> {
  const loaded = await Promise.all(documents.map(one => readPdf(one, documentFile)))
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
        : { name: hint, text: attachedNotes[promptLanguageOf(language)], problem: null },
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
