import { type OptionName, runOptions } from '../config.ts'
import type { OptionSpec } from '../core/option-spec.ts'
import { describeValue } from './describe-value.ts'
import { optionTitles } from './option-titles.ts'

/** What a new file sets; all else stands in it as a comment. */
const filledIn: Readonly<Partial<Record<OptionName, string>>> = {
  tasks: "'tasks.jsonl'",
  out: "'runs/first'",
  docs: "'documents'",
  setting: "['offline', 'rag', 'online']",
  model: "['extractive']",
  web: "'sealed'",
}

const head = `import { defineConfig } from 'tablehunt'

// Read by \`tablehunt run\` in this folder. Each of these overrides those before it: this file, tablehunt.config.json,
// flags, variables (TABLEHUNT_BUDGET_WALL for budgetWall). \`tablehunt config\` prints what is in force, and from where.
// Paths are relative to the folder that the command runs in, those of plug-ins to this file. Keys of services are no
// options: they are read from the environment alone.
//
// Lists make a matrix: one run makes every task in every setting with every model, set of prompts and trial, such as
//   model: ['openai:gpt-4o', 'openai:qwen@http://127.0.0.1:8000/v1'], prompts: ['own', 'prompts.yaml'], trials: 3
export default defineConfig({`

/** The text of a new tablehunt.config.ts: every option with its default and what it is for. */
export function starterFile(): string {
  const groups = Object.entries(optionTitles).map(([group, title]) => {
    const lines = Object.entries<OptionSpec>(runOptions)
      .filter(([, spec]) => spec.group === group)
      .flatMap(([name, spec]) => optionLines(name as OptionName, spec))
    return [`  // ${title}`, ...lines].join('\n')
  })
  return `${head}\n${groups.join('\n\n')}\n})\n`
}

function optionLines(name: OptionName, spec: OptionSpec): string[] {
  const set = filledIn[name]
  const about = `  // ${spec.help}`
  return [about, set === undefined ? `  // ${name}: ${defaultText(name, spec)},` : `  ${name}: ${set},`]
}

/** As a value of the file: times keep their unit there. */
function defaultText(name: OptionName, spec: OptionSpec): string {
  const { data } = spec.schema.safeParse(undefined)
  const isTime = spec.value === 'TIME' && typeof data === 'number'
  return literal(isTime ? describeValue(name, data) : (data ?? null))
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  return typeof value === 'string' ? `'${value}'` : String(value)
}
