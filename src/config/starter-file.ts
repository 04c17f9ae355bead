import { describeValue, type OptionName, runOptions } from '../config.ts'
import type { OptionSpec } from '../core/option-spec.ts'

/** The options that a new file sets. All others are comments in it. */
const filledIn: StarterSettings = {
  tasks: "'tasks.jsonl'",
  out: "'runs/first'",
  docs: "'documents'",
  setting: "['offline', 'rag', 'online']",
  model: "['extractive']",
  web: "'sealed'",
}

const head = `import { defineConfig } from 'tablehunt'

// \`tablehunt run\` reads this file in its working folder. Options are read from this file, tablehunt.config.json, flags and
// variables (TABLEHUNT_BUDGET_WALL for budgetWall). Later sources override earlier ones. \`tablehunt info config\` prints every
// option with its value and source. Paths are relative to the working folder, but those of plug-ins to this file. Keys of
// services are not options. They are read from the environment only.
//
// Lists make a matrix: a run tries every task in every setting with every model, set of prompts and trial, such as
//   model: ['openai:gpt-4o', 'openai:qwen@http://127.0.0.1:8000/v1'], prompts: ['own', 'prompts.yaml'], trials: 3
export default defineConfig({`

/** The options that a new file sets, as code. */
type StarterSettings = Readonly<Partial<Record<OptionName, string>>>

/**
 * Returns the text of a new tablehunt.config.ts: every option with its default and its meaning.
 *
 * @param settings - what the file sets in addition to, or instead of, the usual options
 */
export function writeStarterFile(settings: StarterSettings = {}): string {
  const options = Object.entries<OptionSpec>(runOptions)
  const groups = [...new Set(options.map(([, { group }]) => group))].map(title => {
    const lines = options
      .filter(([, { group }]) => group === title)
      .flatMap(([name, option]) => listOptionLines(name as OptionName, option, { ...filledIn, ...settings }))
    return [`  // ${title}`, ...lines].join('\n')
  })
  return `${head}\n${groups.join('\n\n')}\n})\n`
}

function listOptionLines(name: OptionName, spec: OptionSpec, settings: StarterSettings): string[] {
  const set = settings[name]
  const about = `  // ${spec.help}`
  return [about, set === undefined ? `  // ${name}: ${formatDefault(name, spec)},` : `  ${name}: ${set},`]
}

/** Writes the default of an option as a value of the file. Times keep their unit. */
function formatDefault(name: OptionName, spec: OptionSpec): string {
  const { data } = spec.schema.safeParse(undefined)
  const isTime = spec.value === 'TIME' && typeof data === 'number'
  return formatLiteral(isTime ? describeValue(name, data) : (data ?? null))
}

function formatLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatLiteral).join(', ')}]`
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value)
}
