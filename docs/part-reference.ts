// Writes the text of docs/parts.md: every built-in part, by the field of a plug-in that adds parts of its kind.
import { pluginFields } from '../src/plugins/plugin-kinds.ts'

const intro = `# Built-in parts

This page is generated from the program's registries (\`npm run reference\`). [Plug-ins](plugins.md) add parts of every kind.
Benchmarks and scorers have pages of their own: [benchmark-list.md](benchmark-list.md) and [scorers.md](scorers.md).
`

/** What an entry may say about itself beside its members. */
interface PartEntry {
  readonly summary?: string
  readonly keyVariable?: string | null
  readonly baseUrlVariable?: string | null
  readonly package?: string | null
}

/** Returns the text of docs/parts.md. */
export function partReference(): string {
  const { benchmarks: _, scorers: __, ...fields } = pluginFields
  const sections = Object.entries(fields).map(([field, { registry }]) => {
    const rows = registry.entries().map(([name, entry]: [string, PartEntry]) => {
      const needs = [entry.keyVariable, entry.baseUrlVariable, entry.package].filter(text => text != null)
      const summary = (entry.summary ?? '').replaceAll('|', '\\|')
      return `| \`${name}\` | ${summary} | ${needs.map(text => `\`${text}\``).join(', ')} |`
    })
    const head = ['| name | what it is | variables and packages |', '|---|---|---|']
    return [`## ${registry.kind}: \`${field}\`\n`, ...head, ...rows, ''].join('\n')
  })
  return `${[intro, ...sections].join('\n').trimEnd()}\n`
}
