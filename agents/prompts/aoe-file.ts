import { z } from 'zod/v4'
import { DataError } from '../../src/core/errors.ts'
import { choosePromptLanguage } from '../../src/core/language.ts'
import type { PromptMessages, Prompts } from '../../src/core/prompts.ts'
import type { Question } from '../../src/core/task.ts'
import { describeZodProblem } from '../../src/core/zod-problems.ts'
import { canonicalJson, sha256 } from '../../src/system/hash.ts'
import { documentBlocks } from './document-blocks.ts'
import { writeKeyColumns } from './kinds/table.ts'
import { noteTexts } from './notes.ts'
import { ownFurtherTurn } from './own-prompts.ts'
import { fillPlaceholders } from './placeholders.ts'
import { invalidPrompts } from './prompt-template.ts'
import { promptsVersion, promptWords } from './words.ts'
import { searchingWords } from './worked-example.ts'

const template = z.object({
  Instruction: z.string(),
  Instruction_no_cot: z.string().optional(),
  Example: z.string().optional(),
  Output: z.string(),
})
type AoeTemplate = z.infer<typeof template>
const byTask = z.record(z.string(), template)
const byDomain = z.record(z.string(), byTask)
type Templates = Readonly<Record<string, z.infer<typeof byDomain>>>

/**
 * Reads the parts of a prompt file that have the layout of AOE's published prompts:
 *
 *     en:                               # or zh: the question's language
 *       Get_predict_financial:          # Get_predict_ and the domain
 *         Task:                         # or Task_0, Task_1, …: the number in the task's id
 *           Instruction: |              # with chain of thought
 *           Instruction_no_cot: |       # without chain of thought; default: the Instruction
 *           Example: |                  # optional
 *           Output: |                   # contains {query} and {input_doc}
 *
 * The prompt is one user message: Instruction, Example and Output, separated by blank lines. {query} is replaced by the
 * question and {input_doc} by the documents (online: by their names). {{ and }} stand for single braces.
 *
 * @param parts the values of the file's languages
 * @throws DataError `invalid-prompts`
 */
export function aoePromptsOfFile(file: string, parts: Readonly<Record<string, unknown>>): Prompts {
  const templates = checkTemplates(file, parts)
  const find = (question: Question): AoeTemplate | string => templateFor(templates, question, file)
  const writePrompt = (question: Question, chainOfThought: boolean, documents: string): string => {
    const prompt = find(question)
    if (typeof prompt === 'string') throw new DataError(prompt, { code: 'missing-prompt' })
    const instruction = chainOfThought
      ? prompt.Instruction
      : (prompt.Instruction_no_cot ?? prompt.Instruction)
    const parts = [instruction, prompt.Example ?? '', prompt.Output]
      .map(part => part.trim())
      .filter(part => part !== '')
    const query = [question.query, writeKeyColumns(question)].filter(part => part !== null).join('\n')
    return fillPlaceholders(parts.join('\n\n'), { query: () => query, input_doc: () => documents })
  }
  const names = (question: Question): string => question.documentNames.map(name => `- ${name}`).join('\n')
  return {
    hash: sha256(
      canonicalJson({ version: promptsVersion, templates, words: promptWords, notes: noteTexts() }),
    ),
    missing: (question, sources) => {
      if (sources?.has('memory'))
        return `--prompts ${file}: these prompts need documents. Remove closed-book from --setting, or remove --prompts.`
      const prompt = find(question)
      return typeof prompt === 'string' ? prompt : null
    },
    withDocuments: (question, documents, chainOfThought): PromptMessages => ({
      system: '',
      user: writePrompt(question, chainOfThought, `\n${documentBlocks(documents)}\n`),
    }),
    online: (question, chainOfThought): PromptMessages => {
      const system = `${promptWords[choosePromptLanguage(question.language)].taskOnline}\n\n${searchingWords(choosePromptLanguage(question.language))}`
      return { system, user: writePrompt(question, chainOfThought, `\n${names(question)}\n`) }
    },
    closedBook: () => {
      throw new DataError(`--prompts ${file}: these prompts need documents. Use a setting with documents.`, {
        code: 'missing-prompt',
      })
    },
    furtherTurn: ownFurtherTurn,
  }
}

function checkTemplates(file: string, parts: Readonly<Record<string, unknown>>): Templates {
  const templates: Record<string, z.infer<typeof byDomain>> = {}
  for (const [language, value] of Object.entries(parts)) {
    const parsed = byDomain.safeParse(value)
    if (!parsed.success)
      throw invalidPrompts(file, `${language}.${describeZodProblem(parsed.error, 'prompts')}. Correct it.`)
    templates[language] = parsed.data
  }
  if (templates.en === undefined && templates.zh === undefined)
    throw invalidPrompts(file, 'no prompts for en or zh. Add one of these languages.')
  checkPlaceholders(file, templates)
  return templates
}

function checkPlaceholders(file: string, templates: Templates): void {
  for (const [language, domains] of Object.entries(templates))
    for (const [domain, tasks] of Object.entries(domains))
      for (const [task, { Instruction, Instruction_no_cot: atOnce, Example, Output }] of Object.entries(
        tasks,
      ))
        for (const instruction of [Instruction, atOnce ?? Instruction])
          for (const placeholder of ['{query}', '{input_doc}'])
            if (![instruction, Example ?? '', Output].join('\n').includes(placeholder))
              throw invalidPrompts(file, `${language}.${domain}.${task}: ${placeholder} is missing. Add it.`)
}

/** Returns the template for a question, or a message that says why it is missing. */
function templateFor(templates: Templates, question: Question, file: string): AoeTemplate | string {
  const { benchmark, language, domain, taskId } = question
  if (question.form.kind !== 'table' || question.turns !== undefined)
    return `--prompts ${file}: AOE's prompts ask for one table, but ${taskId} asks for something else. Add the key ${benchmark}, or remove --prompts.`
  const name = `Get_predict_${domain}`
  const tasks = (templates[language] ?? templates[choosePromptLanguage(language)])?.[name]
  if (tasks === undefined)
    return `--prompts ${file}: ${language}.${name} is missing for task ${taskId}. Add it.`
  const number = taskNumber(taskId)
  const entry = (number === null ? undefined : tasks[`Task_${number}`]) ?? tasks.Task
  return (
    entry ??
    `--prompts ${file}: ${language}.${name} has neither Task nor Task_${number ?? 'N'} for task ${taskId}. Add one of them.`
  )
}

/** Returns the task number in an id such as financial_12_3_en or academic_WikiText-103_1; null when it has none. */
function taskNumber(taskId: string): string | null {
  const parts = taskId.replace(/_(?:en|zh)$/, '').split('_')
  const last = parts.at(-1) ?? ''
  return parts.length > 1 && /^\d+$/.test(last) ? last : null
}
