import type { AskedTemplate } from './asked-template.ts'

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
