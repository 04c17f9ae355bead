// Writes the text of docs/parts.md: every built-in part, by the field of a plug-in that adds parts of its kind.
import { pluginFields } from '../src/plugins/plugin-kinds.ts'

const intro = `# Built-in parts

This page is generated from the program's registries (\`npm run reference\`). [Plug-ins](plugins.md) add parts of every kind.
Benchmarks and scorers have pages of their own: [benchmark-list.md](benchmark-list.md) and [scorers.md](scorers.md).
`

/** Returns the text of docs/parts.md. */
export function partReference(): string {
  const { benchmarks: _, scorers: __, ...fields } = pluginFields
  const sections = Object.entries(fields).map(([field, { registry }]) => {
    const rows = registry.entries().map(([name, entry]) => {
      const {
        summary = '',
        keyVariable,
        baseUrlVariable,
        ...rest
      } = entry as Record<string, string | undefined>
      const needs = [keyVariable, baseUrlVariable, rest.package].filter(text => text != null)
      return `| \`${name}\` | ${summary.replaceAll('|', '\\|')} | ${needs.map(text => `\`${text}\``).join(', ')} |\n`
    })
    return `\n## ${registry.kind}: \`${field}\`\n\n| name | what it is | variables and packages |\n|---|---|---|\n${rows.join('')}`
  })
  return `${intro}${sections.join('')}`
}
