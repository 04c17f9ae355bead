import { type Random, seededRandom } from '../../src/core/runtime.ts'
import { drawnWords } from './made-tables.ts'

/** A record as Struc-Bench writes them. */
export interface MadeRecord {
  readonly id: string
  readonly instruction: string
  readonly input: string
  readonly output: string
}

const [rows, columns] = [20, 6]

type Cells = readonly (readonly string[])[]

function drawnCells(random: Random): Cells {
  const head = Array.from({ length: columns }, () => drawnWords(random, 1))
  const row = (): string[] => [
    drawnWords(random, 2),
    ...Array.from({ length: columns - 1 }, () => (random() * 1_000).toFixed(1)),
  ]
  return [head, ...Array.from({ length: rows }, row)]
}

/** Writes the two tables that the published code looks for in a text. */
function asText(cells: Cells): string {
  const table = (lines: Cells): string => lines.map(line => `| ${line.join(' | ')} |`).join('\n')
  const half = Math.ceil(cells.length / 2)
  return `Team:\n${table(cells.slice(0, half))}\nPlayer:\n${table([cells[0]!, ...cells.slice(half)])}`
}

function asHtml([head, ...body]: Cells): string {
  const line = (tag: string, cells: readonly string[]): string =>
    `<tr>\n${cells.map(cell => `<${tag} style="text-align:right;">\n${cell}\n</${tag}>\n`).join('')}</tr>\n`
  return `<table>\n<thead>\n${line('th', head!)}</thead>\n<tbody>\n${body.map(cells => line('td', cells)).join('')}</tbody>\n</table>`
}

function asLatex([head, ...body]: Cells): string {
  const line = (cells: readonly string[]): string => `${cells.join(' & ')} \\\\\n`
  return [
    `\\begin{table}[!ht]\n\\centering\n\\caption{${head!.join(' ')}}\n\\begin{tabular}{l${'r'.repeat(columns - 1)}}\n\\hline\n`,
    `${line(head!)}\\hline\n${body.map(line).join('')}\\hline\n\\end{tabular}\n\\end{table}`,
  ].join('')
}

const writers = [asText, asHtml, asLatex]

/** Generates records of tables of 20 x 6 as text, HTML and LaTeX in turn. Equal seeds give equal records. */
export function strucBenchRecords(count: number, seed: number): MadeRecord[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, (_, at) => {
    const cells = drawnCells(random)
    return {
      id: `record-${at}`,
      instruction: 'Write the content below as a table in the described format.',
      input: `Content: ${cells.map(line => line.join(', ')).join('; ')}\nFormat: ${rows} rows and ${columns} columns.`,
      output: writers[at % writers.length]!(cells),
    }
  })
}
