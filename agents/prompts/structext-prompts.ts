import { z } from 'zod/v4'
import { DataError } from '../../src/core/errors.ts'
import type { PromptDocument, PromptMessages, Prompts } from '../../src/core/prompts.ts'
import type { Question } from '../../src/core/task.ts'
import { zodProblemOf } from '../../src/core/zod-problems.ts'
import { canonicalJson, sha256 } from '../../src/system/hash.ts'
import { noteTexts } from './notes.ts'
import { promptsOfEachSource } from './own-prompts.ts'

/** The kinds of prompts of StrucText-Eval. Each is a set of prompts `structext-KIND`. */
export const structextPromptKinds = ['naive', 'self-cot', 'plan-and-solve', 'few-shot', 'rule-hint'] as const
export type StructextPromptKind = (typeof structextPromptKinds)[number]

/** The texts of one set of prompts, with placeholders in braces. */
const wordsSchema = z.object({
  /** The system message; may be empty. */
  system: z.string().default(''),
  /** The user message with {question}, {reference}, {examples} and {hint}. */
  user: z.string(),
  /** One solved example with {question}, {reference} and {answer}. */
  example: z.string().default(''),
})
type Words = z.infer<typeof wordsSchema>

const system =
  'You read texts in structured languages: {language}. Answer a question about one text, and use nothing but this text.'
const text = '# Text\n{reference}\n\n# Question\n{question}'
const only = 'Write the answer itself and nothing else: no explanation and no code fence.'
const tagged = 'End with the answer alone between <answer> and </answer>, without a code fence.'

const words: Readonly<Record<StructextPromptKind, Words>> = {
  naive: { system, user: `${only}\n\n${text}\n\n# Answer\n`, example: '' },
  'self-cot': {
    system,
    user: `${text}\n\n# Answer\nFirst work through the text step by step and write down each step. ${tagged}`,
    example: '',
  },
  'plan-and-solve': {
    system,
    user: `${text}\n\n# Answer\nFirst write a plan: which parts of the text decide the answer, and in which order you look at them. Then carry out the plan and write down each result. ${tagged}`,
    example: '',
  },
  'few-shot': {
    system,
    user: `${only}\n\n# Solved examples\n{examples}\n\n${text}\n\n# Answer\n`,
    example: '<example>\n# Text\n{reference}\n\n# Question\n{question}\n\n# Answer\n{answer}\n</example>',
  },
  'rule-hint': { system, user: `${only}\n\n${text}\n\n# Hint\n{hint}\n\n# Answer\n`, example: '' },
}

/** Returns StrucText-Eval's kind of prompts in our words. `--cot` does not change them. */
export function structextPrompts(kind: StructextPromptKind): Prompts {
  return promptsOf(`structext-${kind}`, words[kind])
}

/**
 * Returns prompts from the value of `structext` in a YAML file, so that the published ones can be used:
 *
 *     structext:
 *       system: |          # optional
 *       user: |            # contains {question} and {reference}; may contain {language}, {examples} and {hint}
 *       example: |         # one example with {question}, {reference} and {answer}, when `user` contains {examples}
 *
 * @throws DataError `invalid-prompts`
 */
export function structextPromptsOfFile(file: string, value: unknown): Prompts {
  const invalid = (problem: string): DataError =>
    new DataError(`--prompts ${file}: structext${problem}. Correct it.`, { code: 'invalid-prompts' })
  const parsed = wordsSchema.safeParse(value)
  if (!parsed.success) throw invalid(`.${zodProblemOf(parsed.error, 'prompts')}`)
  const { user, example } = parsed.data
  for (const name of ['{question}', '{reference}'])
    if (!user.includes(name)) throw invalid(`.user: ${name} is missing`)
  if (user.includes('{examples}') && !example.includes('{answer}'))
    throw invalid('.example: {answer} is missing')
  return promptsOf(file, parsed.data)
}

function promptsOf(name: string, given: Words): Prompts {
  const needs = (placeholder: string): boolean => given.user.includes(placeholder)
  return {
    hash: sha256(canonicalJson({ version: 1, words: given, notes: noteTexts() })),
    missing: question => {
      if (question.form.kind !== 'text' || question.turns !== undefined)
        return `--prompts ${name}: these prompts ask for one text, but ${question.taskId} asks for something else. Use --prompts own.`
      if (needs('{examples}') && question.examples === undefined)
        return `--prompts ${name}: ${question.taskId} has no solved examples. Use samples with examples (tasks make structext --shots 2), or other prompts.`
      if (needs('{hint}') && question.hint === undefined)
        return `--prompts ${name}: ${question.taskId} has no hint. Use other prompts.`
      return null
    },
    ...promptsOfEachSource((question, _source, documents) => messagesOf(given, question, documents ?? [])),
  }
}

function messagesOf(
  { system, user, example }: Words,
  question: Question,
  documents: readonly PromptDocument[],
): PromptMessages {
  const examples = (question.examples ?? []).map(({ query, text: reference, answer }) =>
    fill(example, { question: query, reference, answer }),
  )
  const values = {
    language: question.facets?.language ?? question.domain,
    question: question.query,
    reference: documents.map(document => document.text).join('\n\n'),
    examples: examples.join('\n\n'),
    hint: question.hint ?? '',
  }
  return { system: fill(system, values), user: fill(user, values) }
}

/** Replaces placeholders in one pass, so that braces in a text are never read as a placeholder. */
function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (found, name: string) => values[name] ?? found)
}
