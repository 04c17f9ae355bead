import type { AskedTemplate } from './asked-template.ts'

/** Answers a question about XML. The content of a tag is indented as if the tag were the outermost. */
export function solveXml({ template, parameters, reference }: AskedTemplate): string | null {
  const lines = reference.trim().split('\n')
  const [parameter = ''] = parameters
  if (template === 2) return isBalanced(lines) ? 'False' : 'True'
  if (template === 1)
    return (
      lines
        .map(line => /^\s*<(\w+)[^>]*="([^>]*)/.exec(line))
        .find(match => match?.[0].includes(`="${parameter}"`))?.[1] ?? null
    )
  const start = lines.findIndex(line => new RegExp(`^\\s*<${parameter}[ >]`).test(line))
  const end = lines.findIndex(line => line.trim() === `</${parameter}>`)
  if (start < 0 || end < 0) return null
  const indent = lines[start]!.length - lines[start]!.trimStart().length
  return lines
    .slice(start + 1, end)
    .map(line => line.slice(indent))
    .join('\n')
    .trim()
}

function isBalanced(lines: readonly string[]): boolean {
  const open: string[] = []
  for (const line of lines) {
    const [, slash, name] = /^\s*<(\/?)(\w+)/.exec(line) ?? []
    if (name === undefined) continue
    if (slash === '') open.push(name)
    else if (open.pop() !== name) return false
  }
  return open.length === 0
}
