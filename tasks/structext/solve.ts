import type { AskedTemplate } from './solvers/asked-template.ts'
import { solveDocument } from './solvers/headings.ts'
import { solveObjects } from './solvers/objects.ts'
import { findQuestionTask, type StructextLanguage } from './task-table.ts'

/**
 * Answers a question of StrucText-Eval from the text that it is about, by parsing the text.
 *
 * @returns the answer; null when the question is none of the 29 tasks, or the text has no answer to it
 */
export function solveStructext(
  language: StructextLanguage,
  question: string,
  reference: string,
): string | null {
  const match = findQuestionTask(language, question)
  if (match === null) return null
  const template = { template: match.task.template, parameters: match.parameters, reference }
  if (language === 'csv') return solveCsv(template)
  if (language === 'tree') return solveTree(template)
  if (language === 'xml') return solveXml(template)
  if (language === 'json' || language === 'yaml') return solveObjects(language, template)
  return solveDocument(language, template)
}

type CsvRow = Readonly<Record<string, string>>

/** Answers a question about two CSV tables that share the column `primeKey`. */
export function solveCsv({ template, parameters, reference }: AskedTemplate): string | null {
  const tables = reference
    .trim()
    .split(/\n\s*\n/)
    .map(readTable)
  const rows = tables.flat()
  const [first = '', second = ''] = parameters
  const count = (fits: (row: CsvRow) => boolean): string => String(rows.filter(fits).length)
  if (template === 0)
    return rows.find(row => row.primeKey === second && row[first] !== undefined)?.[first] ?? null
  if (template === 1) return count(({ salary }) => salary !== undefined && Number(salary) > Number(first))
  if (template === 2) return count(({ gender }) => gender === first)
  const keys = new Set(rows.filter(({ location }) => location === first).map(({ primeKey }) => primeKey))
  return count(({ height, primeKey }) => keys.has(primeKey) && Number(height) > Number(second))
}

function readTable(text: string): CsvRow[] {
  const [header = [], ...lines] = text.split('\n').map(line => line.trim().split(','))
  return lines.map(cells => Object.fromEntries(header.map((name, at) => [name, cells[at] ?? ''])))
}

/** Answers a question about a tree with one line `FATHER->CHILD` per edge. */
export function solveTree({ template, parameters, reference }: AskedTemplate): string | null {
  const fathers = new Map<string, string>()
  for (const line of reference.trim().split('\n')) {
    const [father = '', child = ''] = line.trim().split('->')
    fathers.set(child, father)
  }
  const nodes = new Set([...fathers.keys(), ...fathers.values()])
  const pathTo = (node: string): string[] => {
    const path = [node]
    while (fathers.has(path[0]!) && path.length <= nodes.size) path.unshift(fathers.get(path[0]!)!)
    return path
  }
  if (template === 0) return String(Math.max(...[...nodes].map(node => pathTo(node).length - 1)))
  const [node = ''] = parameters
  if (!nodes.has(node)) return null
  return template === 1 ? String(pathTo(node).length - 1) : pathTo(node).join('->')
}

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
