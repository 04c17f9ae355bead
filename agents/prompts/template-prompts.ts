import { DataError } from '../../src/core/errors.ts'
import type { AnswerSource, PromptDocument, PromptMessages, Prompts } from '../../src/core/prompts.ts'
import type { Question } from '../../src/core/task.ts'
import { canonicalJson, sha256 } from '../../src/system/hash.ts'
import { joinToOneLine } from '../../src/text/plain-text.ts'
import { shownSchema } from './answer-schema.ts'
import { documentBlocks } from './document-blocks.ts'
import { promptsOfForm } from './kinds/registry.ts'
import { writeKeyColumns } from './kinds/table.ts'
import { noteTexts } from './notes.ts'
import { fillPlaceholders, hasPlaceholder } from './placeholders.ts'
import {
  type ExamplePlaceholder,
  type MessagePlaceholder,
  type PromptTemplate,
  type TemplateTexts,
  textsFor,
  usesPlaceholder,
} from './prompt-template.ts'
import { promptsVersion, promptWords } from './words.ts'

/** A template, and where it is, for messages. */
export interface PlacedTemplate {
  readonly template: PromptTemplate
  /** Such as `prompts.yaml: longtablebench.multi`. */
  readonly place: string
}

/**
 * Returns the prompts that templates describe.
 *
 * @param find returns the template for a question, or a message that says why there is none
 */
export function promptsOfTemplates(
  find: (question: Question) => PlacedTemplate | string,
  hash: string,
): Prompts {
  const chooseTexts = (question: Question, source: AnswerSource, chainOfThought: boolean): ChosenTexts => {
    const match = find(question)
    const problem = typeof match === 'string' ? match : problemFor(match, question, source)
    if (problem !== null) throw new DataError(problem, { code: 'missing-prompt' })
    const { template } = match as PlacedTemplate
    return { template, source, chainOfThought, texts: textsFor(template, source, chainOfThought)! }
  }
  const ask =
    (source: AnswerSource) =>
    (question: Question, chainOfThought: boolean): PromptMessages =>
      fillMessages(chooseTexts(question, source, chainOfThought), question, [])
  return {
    hash,
    missing(question, sources = new Set(['documents'])) {
      const match = find(question)
      if (typeof match === 'string') return match
      return [...sources].map(source => problemFor(match, question, source)).find(Boolean) ?? null
    },
    withDocuments: (question, documents, chainOfThought) =>
      fillMessages(chooseTexts(question, 'documents', chainOfThought), question, documents),
    online: ask('web'),
    closedBook: ask('memory'),
    furtherTurn(question, turn, source, chainOfThought) {
      const texts = chooseTexts(question, source, chainOfThought)
      // As in the built-in words, a later question does not ask for a first search.
      const later = { ...texts, source: source === 'web' ? ('documents' as const) : source }
      return fillPlaceholders(texts.texts.next!, listValues(later, { ...question, ...turn }, []))
    },
    earlierAnswersAs(question) {
      const match = find(question)
      return typeof match === 'string' ? 'assistant' : (match.template.earlierAnswers ?? 'assistant')
    },
  }
}

/** Returns the hash of a template, together with the built-in texts that its messages can contain. */
export function hashOfTemplate(template: PromptTemplate): string {
  const form = usesPlaceholder(template, 'form') ? { version: promptsVersion, words: promptWords } : undefined
  return sha256(canonicalJson({ version: 1, words: template, notes: noteTexts(), form }))
}

/** A prompt that is about to be filled. */
interface ChosenTexts {
  readonly template: PromptTemplate
  readonly texts: TemplateTexts
  readonly source: AnswerSource
  readonly chainOfThought: boolean
}

function fillMessages(
  chosenTexts: ChosenTexts,
  question: Question,
  documents: readonly PromptDocument[],
): PromptMessages {
  const values = listValues(chosenTexts, question, documents)
  const { system, user } = chosenTexts.texts
  return { system: fillPlaceholders(system, values), user: fillPlaceholders(user, values) }
}

function listValues(
  { template, source, chainOfThought }: ChosenTexts,
  question: Question,
  documents: readonly PromptDocument[],
): Record<MessagePlaceholder, () => string> {
  const { form, facets, language, documentNames, examples = [] } = question
  return {
    question: () => [question.query, writeKeyColumns(question)].filter(part => part !== null).join('\n'),
    form: () => promptsOfForm(form).closing(question, source, chainOfThought).join('\n\n'),
    schema: () => (form.kind === 'json' ? shownSchema(form.schema) : ''),
    names: () => documentNames.map(name => `- ${joinToOneLine(name)}`).join('\n'),
    language: () => facets?.language ?? language,
    examples: () => examples.map(example => exampleText(template.example, example)).join('\n\n'),
    hint: () => question.hint ?? '',
    documents: () => documentBlocks(documents),
    reference: () => textsWithBlankLines(documents),
  }
}

function exampleText(
  text: string,
  { query, text: reference, answer }: NonNullable<Question['examples']>[number],
): string {
  const values: Record<ExamplePlaceholder, () => string> = {
    question: () => query,
    reference: () => reference,
    answer: () => answer,
  }
  return fillPlaceholders(text, values)
}

/** Returns the texts of documents without their names. A blank line separates them. */
function textsWithBlankLines(documents: readonly PromptDocument[]): string {
  const [first = '', ...otherTexts] = documents.map(({ text }) => text).filter(text => text !== '')
  return otherTexts.reduce((whole, text) => {
    const gap = whole.endsWith('\n\n') ? '' : whole.endsWith('\n') ? '\n' : '\n\n'
    return `${whole}${gap}${text}`
  }, first)
}

/** What a message says when a template has no prompt for a source. */
const withoutPrompt: Readonly<Record<AnswerSource, string>> = {
  documents: '.user is missing, and a setting of this run shows documents',
  web: '.online is missing, and a setting of this run searches the web',
  memory: '.closedBook is missing, and a setting of this run shows no documents',
}

/** Returns why a template cannot ask a question; null when it can. */
function problemFor(
  { template, place }: PlacedTemplate,
  { turns = [], examples, hint, form }: Question,
  source: AnswerSource,
): string | null {
  const forms = [form, ...turns.map(turn => turn.form)]
  for (const chainOfThought of [true, false]) {
    const texts = textsFor(template, source, chainOfThought)
    if (texts === null)
      return `${place}${withoutPrompt[source]}. Add it, or leave that setting out of --setting.`
    const { at, system, user, next } = texts
    if (turns.length > 0 && next === undefined)
      return `${place}${at}.next is missing, and this task is a conversation. Add the user message of its later questions.`
    const shows = (name: MessagePlaceholder): boolean =>
      [system, user, next ?? ''].some(text => hasPlaceholder(text, name))
    if (shows('examples') && examples === undefined)
      return `${place}${at} shows {examples}, and this task has no solved examples. Use tasks with examples (tasks make structext --shots 2), or other prompts.`
    if (shows('hint') && hint === undefined)
      return `${place}${at} shows {hint}, and this task has no hint. Use other prompts.`
    if (shows('schema') && forms.some(({ kind }) => kind !== 'json'))
      return `${place}${at} shows {schema}, and this task has no JSON Schema. Remove {schema}, or use other prompts.`
  }
  return null
}
