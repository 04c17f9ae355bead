import { z } from 'zod/v4'
import { DataError } from '../../src/core/errors.ts'
import type { AnswerSource } from '../../src/core/prompts.ts'
import { describeZodProblem } from '../../src/core/zod-problems.ts'
import { hasPlaceholder, placeholderProblem } from './placeholders.ts'

/** The texts of a prompt that `--cot off` replaces. */
const noCot = z
  .strictObject({ system: z.string().optional(), user: z.string().optional(), next: z.string().optional() })
  .optional()

const messagesSchema = z.strictObject({
  system: z.string().default(''),
  user: z.string(),
  next: z.string().optional(),
  noCot,
})

const templateSchema = z.strictObject({
  ...messagesSchema.shape,
  user: z.string().optional(),
  example: z.string().default(''),
  earlierAnswers: z.enum(['assistant', 'system']).optional(),
  online: messagesSchema.optional(),
  closedBook: messagesSchema.optional(),
})

/**
 * The texts of the prompts of a benchmark, with placeholders in braces. `user` is for settings with documents, `online` and
 * `closedBook` for the settings of these names. docs/prompts.md describes the layout.
 */
export type PromptTemplate = z.infer<typeof templateSchema>

/** The messages of the settings with documents, or of a setting of its own. */
type Messages = z.infer<typeof messagesSchema> | PromptTemplate

/** The texts of one prompt. */
export interface TemplateTexts {
  /** The place of the texts in their template, such as `.online`; empty for those of settings with documents. */
  readonly at: string
  /** Empty for no system message. */
  readonly system: string
  readonly user: string
  /** The user message of a later question in a conversation. Absent when there is none. */
  readonly next?: string | undefined
}

const questionPlaceholders = ['question', 'form', 'schema', 'names', 'language'] as const
const taskPlaceholders = [...questionPlaceholders, 'examples', 'hint'] as const
const documentPlaceholders = [...taskPlaceholders, 'documents', 'reference'] as const
const examplePlaceholders = ['question', 'reference', 'answer'] as const

/** A placeholder of a message. */
export type MessagePlaceholder = (typeof documentPlaceholders)[number]
/** A placeholder of a solved example. */
export type ExamplePlaceholder = (typeof examplePlaceholders)[number]

/**
 * Checks a template from a file.
 *
 * @param place where the template is, such as `longtablebench.multi`
 * @returns the template, or a problem with its place and how to correct it
 */
export function readTemplate(value: unknown, place: string): PromptTemplate | string {
  const parsed = templateSchema.safeParse(value)
  if (!parsed.success) {
    const problem = describeZodProblem(parsed.error, '')
    return `${place}${problem.startsWith(':') ? '' : '.'}${problem}. Correct it.`
  }
  const problem = findProblem(parsed.data)
  return problem === null ? parsed.data : `${place}${problem}`
}

/**
 * Returns the texts that ask a question. Without a text of its own, closed-book uses the prompt with documents, which are then
 * empty.
 *
 * @returns null when the template has no prompt for this source
 */
export function textsFor(
  template: PromptTemplate,
  source: AnswerSource,
  chainOfThought: boolean,
): TemplateTexts | null {
  const { at, messages } = messagesFor(template, source)
  if (messages?.user === undefined) return null
  const { system, user, next, noCot } = messages
  if (chainOfThought || noCot === undefined) return { at, system, user, next }
  return {
    at: `${at}.noCot`,
    system: noCot.system ?? system,
    user: noCot.user ?? user,
    next: noCot.next ?? next,
  }
}

function messagesFor(
  template: PromptTemplate,
  source: AnswerSource,
): { readonly at: string; readonly messages: Messages | undefined } {
  const { online, closedBook } = template
  if (source === 'web') return { at: '.online', messages: online }
  if (source === 'memory' && closedBook !== undefined) return { at: '.closedBook', messages: closedBook }
  return { at: '', messages: template }
}

/** Returns whether a template contains a placeholder in any message. */
export function usesPlaceholder(template: PromptTemplate, name: MessagePlaceholder): boolean {
  return listBlocks(template).some(([, block]) =>
    [block.system, block.user, block.next].some(text => text !== undefined && hasPlaceholder(text, name)),
  )
}

type MessageBlock = { readonly [K in 'system' | 'user' | 'next']?: string | undefined }

/** Returns the parts of a template with the place of each. */
function listBlocks(
  template: PromptTemplate,
): [place: string, block: MessageBlock, names: readonly string[]][] {
  const { online, closedBook } = template
  return [
    ['', template, documentPlaceholders],
    ['.noCot', template.noCot ?? {}, documentPlaceholders],
    ['.online', online ?? {}, taskPlaceholders],
    ['.online.noCot', online?.noCot ?? {}, taskPlaceholders],
    ['.closedBook', closedBook ?? {}, taskPlaceholders],
    ['.closedBook.noCot', closedBook?.noCot ?? {}, taskPlaceholders],
  ]
}

/** Returns what is wrong with the texts of a template, with its place; null when nothing is. */
function findProblem(template: PromptTemplate): string | null {
  const { user, system, next, online, closedBook, example } = template
  const isUsed = system !== '' || next !== undefined || template.noCot !== undefined
  const hasOther = online !== undefined || closedBook !== undefined
  if (user === undefined && (isUsed || !hasOther)) return '.user: is missing, a text is expected. Add it.'
  for (const [place, block, names] of listBlocks(template))
    for (const field of ['system', 'user', 'next'] as const) {
      const problem = placeholderProblem(block[field] ?? '', field === 'next' ? questionPlaceholders : names)
      if (problem !== null) return `${place}.${field}: ${problem}.`
    }
  const exampleProblem = placeholderProblem(example, examplePlaceholders)
  if (exampleProblem !== null) return `.example: ${exampleProblem}.`
  if (usesPlaceholder(template, 'examples') && !hasPlaceholder(example, 'answer'))
    return example === ''
      ? ': the key example is missing, and {examples} needs it. Add it: a text with {question}, {reference} and {answer}.'
      : '.example: {answer} is missing, and {examples} shows an example for each solved question. Add it.'
  return missingPlaceholder(template)
}

/** Returns which placeholder a prompt needs and lacks; null when it lacks none. */
function missingPlaceholder(template: PromptTemplate): string | null {
  for (const source of ['documents', 'web', 'memory'] as const)
    for (const chainOfThought of [true, false]) {
      const texts = textsFor(template, source, chainOfThought)
      if (texts === null) continue
      const { at, user, next } = texts
      const has = (name: MessagePlaceholder): boolean => hasPlaceholder(user, name)
      if (!has('question')) return `${at}.user: {question} is missing. Add it.`
      if (source === 'documents' && !has('documents') && !has('reference'))
        return `${at}.user: {documents} or {reference} is missing. Add one of them.`
      if (next !== undefined && !hasPlaceholder(next, 'question'))
        return `${at}.next: {question} is missing. Add it.`
    }
  return null
}

/** Creates the error [invalid-prompts] of a file. */
export function invalidPrompts(file: string, problem: string, cause?: unknown): DataError {
  return new DataError(`--prompts ${file}: ${problem}`, { code: 'invalid-prompts', cause })
}
