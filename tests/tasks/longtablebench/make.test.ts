import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTable } from '../../../tasks/longtablebench/documents.ts'
import { readGoldAnswer } from '../../../tasks/longtablebench/gold-answer.ts'
import { loadLongTableBench } from '../../../tasks/longtablebench/load.ts'
import { type MadeTasks, makeLongTableBench } from '../../../tasks/longtablebench/make/make.ts'
import { scoreLongTable } from '../../../tasks/longtablebench/metric.ts'

type Cells = Readonly<Record<string, string | null>>
interface Seed {
  readonly task: string
  readonly turns: 'single' | 'multi'
  readonly db_path: string
  readonly db_id: string
  readonly highlighted_table: readonly [string, ...string[]]
  readonly evidence?: string
  readonly question?: string
  readonly answer?: unknown
  readonly QA?: readonly { readonly question: string; readonly answer: unknown }[]
}

let folder = ''
let made: MadeTasks
const make = (out: string, seed: number, scoresFully: (answer: unknown) => boolean = () => true) =>
  makeLongTableBench({
    tables: join(folder, 'tables'),
    out: join(folder, out),
    seed,
    perKind: 8,
    scoresFully,
    count: tables => tables.reduce((sum, { rows, columns }) => sum + rows.length * columns.length * 4, 0),
  })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-make-ltb-'))
  const towns = ['Arden', 'Birk', 'Colm', 'Dorne', 'Elb']
  const depots = Array.from(
    { length: 12 },
    (_, at) => `${at + 1},Depot ${at},${towns[at % 5]},${1950 + at * 3}`,
  )
  // Few weights, so that many orders have ties. Some weights are missing.
  const parcels = Array.from({ length: 150 }, (_, at) => {
    const weight = at % 17 === 0 ? '' : ((at * 7) % 23) / 2
    const day = String((at % 27) + 1).padStart(2, '0')
    return `${1000 + at},${(at % 12) + 1},${['box', 'crate', 'sack'][at % 3]},${weight},2021-0${(at % 9) + 1}-${day},${(at * 13) % 40}`
  })
  await mkdir(join(folder, 'tables', 'post'), { recursive: true })
  const write = (name: string, lines: readonly string[]) =>
    writeFile(join(folder, 'tables', 'post', name), `${lines.join('\n')}\n`)
  await write('depot.csv', ['depot_id,depot_name,town,opened', ...depots])
  await write('parcel.csv', ['parcel_id,depot_id,kind,weight,sent_on,days', ...parcels])
  made = await make('one', 1)
})
afterAll(() => rm(folder, { recursive: true }))

/** Returns a new folder with one table of 20 rows. */
async function folderOf(head: string, row: (at: number) => string): Promise<string> {
  const path = await mkdtemp(join(folder, 'tables-'))
  const lines = Array.from({ length: 20 }, (_, at) => row(at))
  await writeFile(join(path, 'place.csv'), `${[head, ...lines].join('\n')}\n`)
  return path
}

async function digest(out: string): Promise<string> {
  const entries = await readdir(join(folder, out), { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const hash = createHash('sha256')
  for (const file of files.sort())
    hash.update(file.slice(join(folder, out).length)).update(await readFile(file))
  return hash.digest('hex')
}

async function rowsOf({ db_path, db_id }: Seed, name: string): Promise<Cells[]> {
  const file = join(folder, 'one', 'datasets', 'tables', db_path, db_id, `${name}.csv`)
  const { columns, rows } = await readTable(file)
  return rows.map(row =>
    Object.fromEntries(columns.map((column, at) => [column, row[at] === null ? null : String(row[at])])),
  )
}

const columnOf = (label: string): string => label.replaceAll(' ', '_')

/** Says whether a row satisfies the words of one condition, such as `days is at least 5`. */
function holds(row: Cells, words: string): boolean {
  const labels = Object.keys(row).map(name => name.replaceAll('_', ' '))
  const label = labels.find(one => words.startsWith(`${one} `))
  if (label === undefined) throw new Error(`no column in: ${words}`)
  const cell = row[columnOf(label)]!
  if (cell === null) return false
  const rest = words.slice(label.length + 1)
  const quoted = /^(starts with|contains) "(.+)"$/.exec(rest)
  if (quoted) return quoted[1] === 'contains' ? cell.includes(quoted[2]!) : cell.startsWith(quoted[2]!)
  const [, sign, value] = /^is (greater than |less than |at least |at most |)(.+)$/.exec(rest)!
  if (sign === 'greater than ') return Number(cell) > Number(value)
  if (sign === 'less than ') return Number(cell) < Number(value)
  if (sign === 'at least ') return Number(cell) >= Number(value)
  if (sign === 'at most ') return Number(cell) <= Number(value)
  return cell === value
}

/** Returns the rows that the words after "whose" describe. */
function chosen(rows: readonly Cells[], depots: readonly Cells[], words: string): Cells[] {
  const [own, parent] = words.split(/(?:^| and )that belongs to a depot whose /) as [string, string?]
  const conditions = own.split(' and ').map(one => one.replace(/^whose /, ''))
  return rows.filter(row => {
    const depot = depots.find(one => one.depot_id === row.depot_id)
    return (
      conditions.every(one => holds(row, one)) &&
      (parent === undefined || (depot !== undefined && holds(depot, parent)))
    )
  })
}

/** Answers a first question from its words and the rows, without SQL. */
function answerOf(question: string, rows: readonly Cells[], depots: readonly Cells[]): string[] {
  const key = Object.keys(rows[0]!)[0]!
  const top =
    /^Which (\d+) of the \w+ entries (.+) have the (highest|lowest) (.+)\? Give their .+, \w+ first\.$/.exec(
      question,
    )
  if (top) {
    const [size, sign, by] = [Number(top[1]), top[3] === 'highest' ? -1 : 1, columnOf(top[4]!)]
    const known = chosen(rows, depots, top[2]!).filter(row => row[by] !== null)
    known.sort((a, b) => sign * (Number(a[by]) - Number(b[by])))
    expect(known.length).toBeGreaterThanOrEqual(size)
    expect(known[size - 1]![by]).not.toBe(known[size]?.[by])
    return known.slice(0, size).map(row => row[key]!)
  }
  const count = /^How many \w+ entries are there (.+)\?$/.exec(question)
  if (count) return [String(chosen(rows, depots, count[1]!).length)]
  const list = /^(?:Which .+? belongs to the|List the .+? of every) \w+ (.+)[.?]$/.exec(question)
  if (list) return chosen(rows, depots, list[1]!).map(row => row[key]!)
  throw new Error(`unknown form of a question: ${question}`)
}

async function seedsOf(...tasks: string[]): Promise<Seed[]> {
  const text = await readFile(join(folder, 'one', 'seeds.jsonl'), 'utf8')
  const seeds = text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Seed)
  return seeds.filter(({ task }) => tasks.includes(task))
}

const firstOf = (seed: Seed) => seed.QA?.[0] ?? { question: seed.question!, answer: seed.answer }

describe('makeLongTableBench', () => {
  it('makes tasks of every kind, and says which sizes have none', () => {
    const kinds = ['EM', 'BCF', 'FCM', 'FR', 'EKF', 'INI']
    const names = ['single', 'multi'].flatMap(turns => kinds.map(kind => `8k ${turns} ${kind}`))
    expect(Object.keys(made.counts)).toEqual(names)
    expect(made.emptyTiers).toEqual(['32k', 'inf'])
  })

  it('gives equal bytes for equal seeds, and others for another seed', async () => {
    await make('same', 1)
    await make('other', 2)
    expect(await digest('same')).toBe(await digest('one'))
    expect(await digest('other')).not.toBe(await digest('one'))
  })

  it('gives the answers that the words of the questions and the rows give', async () => {
    const seeds = await seedsOf('EM', 'BCF', 'FCM')
    expect(seeds.filter(seed => firstOf(seed).question.includes(' have the ')).length).toBeGreaterThan(0)
    for (const seed of seeds) {
      const { question, answer } = firstOf(seed)
      const rows = await rowsOf(seed, seed.highlighted_table[0])
      const depots = await rowsOf(seed, 'depot')
      expect([...(answer as string[])].sort(), question).toEqual(answerOf(question, rows, depots).sort())
    }
  })

  it('compares a column only once in a question', async () => {
    for (const seed of await seedsOf('BCF')) {
      const words = firstOf(seed).question.split(' that belongs to ')[0]!
      const columns = [...words.matchAll(/whose (.+?) is /g)].map(hit => hit[1])
      expect(new Set(columns).size, words).toBe(columns.length)
    }
  })

  it('makes a folder that loads whole, and whose gold scores 1', async () => {
    const { tasks, skipped } = await loadLongTableBench(join(folder, 'one'))
    expect(skipped).toEqual([])
    expect(tasks.length).toBe(made.tasks)
    expect(tasks.filter(({ question }) => question.facets?.task === 'unknown')).toEqual([])
    for (const { gold, turnGolds = [] } of tasks)
      for (const { scoring, references } of [gold, ...(turnGolds as (typeof gold)[])]) {
        const { answer } = scoring as { readonly answer: string }
        expect(scoreLongTable(readGoldAnswer(answer), references[0]!)?.f1, answer).toBe(1)
      }
  })

  it('draws no question whose answer does not score 100', async () => {
    const hasCrate = (answer: unknown) => JSON.stringify(answer).includes('crate')
    const answersOf = async (out: string) => {
      const { tasks } = await loadLongTableBench(join(folder, out))
      return tasks.flatMap(({ gold, turnGolds = [] }) => [gold, ...turnGolds])
    }
    await make('without', 1, answer => !hasCrate(answer))
    expect((await answersOf('one')).filter(hasCrate).length).toBeGreaterThan(0)
    expect((await answersOf('without')).filter(hasCrate)).toEqual([])
  })

  it('leaves out an empty file, and makes the same tasks from the others', async () => {
    const empty = join(folder, 'tables', 'post', 'empty.csv')
    await writeFile(empty, '\n')
    await make('beside-empty', 1).finally(() => rm(empty))
    expect(await digest('beside-empty')).toBe(await digest('one'))
  })

  it('refuses a folder that is not empty, and tables about which nothing can be asked', async () => {
    await expect(make('one', 1)).rejects.toMatchObject({ code: 'folder-not-empty' })
    const options = { out: join(folder, 'new'), seed: 1, perKind: 1, count: () => 1, scoresFully: () => true }
    const tables = join(folder, 'missing')
    await expect(makeLongTableBench({ ...options, tables })).rejects.toMatchObject({ code: 'no-tables' })
    const empty = await folderOf('id,a,b', at => `${at},,`)
    await expect(makeLongTableBench({ ...options, tables: empty })).rejects.toMatchObject({
      code: 'no-tables',
      message: expect.stringContaining('no question can be asked'),
    })
    await expect(readdir(options.out)).rejects.toThrow('ENOENT')
  })

  it('refuses columns that SQL does not tell apart', async () => {
    const tables = await folderOf('id,Town,town', at => `${at},x${at % 3},y${at % 3}`)
    const options = { tables, out: join(folder, 'new'), seed: 1, perKind: 1, scoresFully: () => true }
    await expect(makeLongTableBench({ ...options, count: () => 1 })).rejects.toMatchObject({
      code: 'unreadable-table',
      message: expect.stringContaining('duplicate column name'),
    })
  })

  it('does not ask about columns that a question cannot name, and says which kinds have no tasks', async () => {
    const tables = await folderOf('id,a_b,a b,kind', at => `${at},${at},${at},k${at % 4}`)
    const out = join(folder, 'clear')
    const options = { tables, out, seed: 1, perKind: 1, scoresFully: () => true }
    const { counts } = await makeLongTableBench({ ...options, count: () => 1 })
    expect(await readFile(join(out, 'seeds.jsonl'), 'utf8')).not.toContain('whose a b')
    expect(counts).toMatchObject({ '8k single BCF': 0, '8k single FR': 1 })
  })
})
