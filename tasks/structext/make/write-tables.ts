import type { Random } from '../../../src/core/runtime.ts'
import type { GeneratedText } from './generated-text.ts'
import { lowerCase, nameSeries, pick, pickNumber } from './names.ts'
import { buildTree, listNodes, type StructextShape } from './tree.ts'

const colors = ['white', 'black', 'brown', 'olive', 'swarthy', 'mulatto']
const statuses = ['retired', 'employed', 'unemployed']
const companies = ['NVIDIA', 'Apple', 'Meta', 'Google', 'Twitter', 'Microsoft', 'OPENAI']
const locations = ['CA', 'WA', 'TX', 'NY', 'GA', 'HI', 'IL']
const genders = ['male', 'female']

/** The fields of a record besides its key. More columns are added at the end of the second table. */
export const usualColumns = 10

type WriteCell = () => string

/** Writes two tables with one key, with the questions about them. */
export function writeTables({ depth, columns }: StructextShape, random: Random): GeneratedText {
  const anyOf =
    (values: readonly string[]): WriteCell =>
    () =>
      pick(random, values)
  const number =
    (least: number, most: number): WriteCell =>
    () =>
      String(pickNumber(random, least, most))
  const people: Readonly<Record<string, WriteCell>> = {
    gender: anyOf(genders),
    age: number(10, 70),
    name: nameSeries(lowerCase, pickNumber(random, 0, 25)),
    height: number(120, 220),
    weight: number(70, 180),
    color: anyOf(colors),
  }
  const more = Array.from({ length: columns - usualColumns }, (_, at) => [`field${at + 1}`, number(0, 999)])
  const work: Readonly<Record<string, WriteCell>> = {
    status: anyOf(statuses),
    salary: number(1_000, 1_000_000),
    company: anyOf(companies),
    location: anyOf(locations),
    ...Object.fromEntries(more),
  }
  const keys = Array.from({ length: depth }, nameSeries(lowerCase))
  const table = (cells: Readonly<Record<string, WriteCell>>): string =>
    [
      ['primeKey', ...Object.keys(cells)],
      ...keys.map(key => [key, ...Object.values(cells).map(cell => cell())]),
    ]
      .map(row => row.join(','))
      .join('\n')
  return {
    reference: `${table(people)}\n\n${table(work)}`,
    damaged: null,
    parameters: [
      [pick(random, [...Object.keys(people), ...Object.keys(work)]), pick(random, keys)],
      [String(pickNumber(random, 1_000, 999_999))],
      [pick(random, genders)],
      [pick(random, locations), String(pickNumber(random, 150, 180))],
    ],
  }
}

/** Writes a tree with one edge per line, with the questions about it. */
export function writeTree(shape: StructextShape, random: Random): GeneratedText {
  const root = buildTree(shape, nameSeries(lowerCase, pickNumber(random, 0, 25)))
  const nodes = listNodes(root)
  const lines = nodes.flatMap(({ name, children }) =>
    children.map(child => ({ child, line: `${name}->${child.name}` })),
  )
  const lineOf = new Map(lines.map(({ child, line }) => [child, line]))
  return {
    reference: nodes
      .slice(1)
      .map(node => lineOf.get(node)!)
      .join('\n'),
    damaged: null,
    parameters: [[], [pick(random, nodes).name], [pick(random, nodes).name]],
  }
}
