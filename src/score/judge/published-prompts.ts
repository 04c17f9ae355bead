import { z } from 'zod/v4'
import { DataError } from '../../core/errors.ts'
import { describeZodProblem } from '../../core/zod-problems.ts'
import { readTextFile, whyUnreadable } from '../../system/files.ts'
import { canonicalJson, sha256 } from '../../system/hash.ts'
import { readFirstLine } from '../../text/plain-text.ts'
import { splitThinking } from '../../text/thinking.ts'
import type { PublishedJudgePrompts } from '../contract/judge.ts'

/** The most output tokens that the published code requests, by prompt. */
export const publishedOutputTokens = { cell: 20, row: 200, rewrite: 3000, overall: 500 } as const

const template = z.object({ Instruction: z.string(), Examples: z.string(), Output: z.string() })
type EvaluationTemplate = z.infer<typeof template>
const layout = z.object({
  Overall_eval: template,
  Row_evaluation: template,
  Cell_evaluation: template,
  Details: z.object({ mapping_predict_tables: template }),
})

/** The names that each prompt replaces in its Output, with those that it must contain. */
const placeholders = {
  overall: { known: ['query', 'gold_csv_txt', 'predict_csv_txt'], needed: 3 },
  row: { known: ['mapped_key_value', 'gold_key_list_str', 'key_col_names'], needed: 2 },
  cell: { known: ['gold_text', 'predicted_text', 'column_name'], needed: 2 },
  rewrite: { known: ['predict_txt', 'gold_header_string'], needed: 2 },
} as const

/**
 * Reads the prompts of the evaluation from a YAML file in the layout that AOE publishes (`prompt_templates_eval.yaml`):
 *
 *     Overall_eval:                  # {query}, {gold_csv_txt}, {predict_csv_txt}
 *       Instruction: |
 *       Output: |                    # contains the placeholders
 *       Examples: |
 *     Row_evaluation:                # {mapped_key_value}, {gold_key_list_str}, and perhaps {key_col_names}
 *     Cell_evaluation:               # {gold_text}, {predicted_text}, and perhaps {column_name}
 *     Details:
 *       mapping_predict_tables:      # {predict_txt}, {gold_header_string}
 *
 * A prompt is Instruction, Examples and Output, with a blank line between them, as the published code joins them. Only in
 * Output are names in braces replaced, and {{ and }} stand for single braces. Other keys are ignored.
 *
 * @throws DataError [unreadable-judge-prompts, invalid-judge-prompts]
 */
export async function readJudgePrompts(file: string): Promise<PublishedJudgePrompts> {
  const parsed = layout.safeParse(await readYaml(file))
  if (!parsed.success)
    throw makePromptsError(
      file,
      `${describeZodProblem(parsed.error, 'file')}. Name AOE's YAML file of evaluation prompts.`,
    )
  const { Overall_eval, Row_evaluation, Cell_evaluation, Details } = parsed.data
  const templates = {
    overall: Overall_eval,
    row: Row_evaluation,
    cell: Cell_evaluation,
    rewrite: Details.mapping_predict_tables,
  }
  for (const [name, { Output }] of Object.entries(templates))
    checkPlaceholders(file, name as keyof typeof placeholders, Output)
  return {
    hash: sha256(canonicalJson(templates)),
    cell: (column_name, gold_text, predicted_text) =>
      fillPrompt(templates.cell, { column_name, gold_text, predicted_text }),
    row: (keyColumns, mapped_key_value, goldKeys) =>
      fillPrompt(templates.row, {
        mapped_key_value,
        gold_key_list_str: goldKeys.map(key => `- ${key}`).join('\n'),
        key_col_names: keyColumns.join(', '),
      }),
    rewrite: (predict_txt, goldHeader) =>
      fillPrompt(templates.rewrite, { predict_txt, gold_header_string: goldHeader.join(',') }),
    overall: (query, gold_csv_txt, predict_csv_txt) =>
      fillPrompt(templates.overall, { query, gold_csv_txt, predict_csv_txt }),
  }
}

async function readYaml(file: string): Promise<unknown> {
  const { parse } = await import('yaml')
  const text = await readTextFile(file).catch(cause => {
    throw new DataError(
      `judgePrompts ${file}: ${whyUnreadable(cause)}. Name AOE's YAML file of evaluation prompts.`,
      { code: 'unreadable-judge-prompts', cause },
    )
  })
  try {
    return parse(text)
  } catch (cause) {
    throw makePromptsError(file, `not YAML (${readFirstLine(cause)}). Correct it.`, cause)
  }
}

const inBraces = /\{\{|\}\}|\{(\w+)\}/g

function checkPlaceholders(file: string, name: keyof typeof placeholders, output: string): void {
  const { known: allowedNames, needed } = placeholders[name]
  const names = [...output.matchAll(inBraces)].flatMap(match => match[1] ?? [])
  const missing = allowedNames.slice(0, needed).find(name => !names.includes(name))
  if (missing !== undefined)
    throw makePromptsError(file, `the Output of ${keys[name]} lacks {${missing}}. Add it.`)
  const unknown = names.find(name => !(allowedNames as readonly string[]).includes(name))
  if (unknown !== undefined)
    throw makePromptsError(file, `the Output of ${keys[name]} contains the unknown {${unknown}}. Remove it.`)
}

const keys = {
  overall: 'Overall_eval',
  row: 'Row_evaluation',
  cell: 'Cell_evaluation',
  rewrite: 'Details.mapping_predict_tables',
}

function makePromptsError(file: string, problem: string, cause?: unknown): DataError {
  return new DataError(`judgePrompts ${file}: ${problem}`, { code: 'invalid-judge-prompts', cause })
}

function fillPrompt(
  { Instruction, Examples, Output }: EvaluationTemplate,
  values: Readonly<Record<string, string>>,
): string {
  const output = Output.replace(inBraces, (match, name: string | undefined) =>
    name === undefined ? match.charAt(0) : values[name]!,
  )
  return `${Instruction}\n\n${Examples}\n\n${output}`
}

/** The part of an answer that AOE's published prompts show: its last csv block, or all of it, without reasoning. */
export function readPublishedAnswer(answer: string): string {
  const { text } = splitThinking(answer)
  return ([...text.matchAll(/```csv(.*?)```/gs)].at(-1)?.[1] ?? text).trim()
}
