import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ConfigError, DataError } from '../../../src/core/errors.ts'
import { type Random, seededRandom } from '../../../src/core/runtime.ts'
import type { DocumentTable } from '../../../src/core/task.ts'
import { writeOutput } from '../../../src/system/atomic-write.ts'
import { optionalParts, requirePackages } from '../../../src/system/optional-packages.ts'
import { openTableDatabase, SqlError, type TableDatabase } from '../../../src/system/sql/table-database.ts'
import { writeCsv } from '../../../src/text/csv.ts'
import { type Database, type KeyedTable, readDatabases } from './databases.ts'
import { type CountTableTokens, fillTier, fillTierTogether, type Tier, tierTokens } from './fill-tier.ts'
import { withIrregularValues } from './irregular.ts'
import {
  type DraftSource,
  draftQuestion,
  type QuestionDraft,
  type TaskKind,
  type TopRows,
  taskKinds,
} from './questions.ts'

/** What is made of which tables. */
export interface MakeLongTableBench {
  /** A folder with CSV files, or with folders of them. */
  readonly tables: string
  /** A new or empty folder. */
  readonly out: string
  readonly seed: number
  /** How many tasks of each kind are made for each tier, single and multi turn each. */
  readonly perKind: number
  readonly count: CountTableTokens
  /** Whether an answer scores 100 when it is given as the answer. Questions with other answers are not drawn. */
  readonly scoresFully: (answer: MadeAnswer) => boolean
}

/** What was made. */
export interface MadeTasks {
  readonly tasks: number
  /** Tasks by tier, turns and kind, such as `8k single EM`. A tier without tables of its size is missing. */
  readonly counts: Readonly<Record<string, number>>
  /** The tiers that have no tasks, because the tables are too small. */
  readonly emptyTiers: readonly string[]
}

/** A table, or several, in the size of a tier, from which questions are drawn. */
interface DatabasePlace {
  readonly folder: 'single' | 'multi' | 'irregular'
  readonly dbId: string
  readonly database: Database
  readonly subjects: readonly KeyedTable[]
}

/** A list of values, or a row by its columns. */
export type MadeAnswer = readonly string[] | Readonly<Record<string, string | number | null>>
interface AnsweredDraft {
  readonly evidence?: string
  readonly questions: readonly {
    readonly question: string
    readonly sql: string
    readonly answer: MadeAnswer
  }[]
}

/**
 * Makes tasks of all six kinds, in the layout of LongTableBench, from any tables. Every answer is the result of a query
 * on the tables. Equal tables and seeds give equal files.
 *
 * @throws ConfigError `no-tables`, `folder-not-empty` DataError `unreadable-table`
 */
export async function makeLongTableBench(options: MakeLongTableBench): Promise<MadeTasks> {
  const databases = await readDatabases(options.tables)
  await requireEmpty(options.out)
  const random = seededRandom(options.seed)
  const counts: Record<string, number> = {}
  const seeds: Seed[] = []
  const emptyTiers: string[] = []
  const files = new Map<string, string>()
  for (const tier of Object.keys(tierTokens) as Tier[]) {
    const places = databases.flatMap(database => listPlaces(database, tier, { random, count: options.count }))
    if (places.length === 0) emptyTiers.push(tier)
    const drawnSeeds = places.length === 0 ? [] : await drawTasks(places, tier, { ...options, random })
    for (const place of places)
      for (const [name, text] of listTableFiles(place, random))
        files.set(join('datasets', 'tables', tier, place.folder, place.dbId, name), text)
    for (const turns of ['single', 'multi'] as const) {
      const tierSeeds = drawnSeeds.filter(seed => seed.turns === turns)
      const file = join('datasets', 'questions', tier, `longtablebench_${turns}.json`)
      files.set(file, `${JSON.stringify(tierSeeds.map(createRecord), null, 1)}\n`)
      if (places.length === 0) continue
      for (const kind of taskKinds)
        counts[`${tier} ${turns} ${kind}`] = tierSeeds.filter(({ task }) => task === kind).length
    }
    seeds.push(...drawnSeeds)
  }
  if (seeds.length === 0)
    throw new ConfigError(
      `--tables ${options.tables}: no question can be asked about the tables. Add columns with several values.`,
      { code: 'no-tables' },
    )
  files.set('seeds.jsonl', seeds.map(seed => `${JSON.stringify(seed)}\n`).join(''))
  for (const [file, text] of files) await writeText(join(options.out, file), text)
  return { tasks: seeds.length, counts, emptyTiers }
}

async function requireEmpty(out: string): Promise<void> {
  const names = await readdir(out).catch(() => [])
  if (names.length > 0)
    throw new ConfigError(`--out ${out}: the folder is not empty. Name a new folder.`, {
      code: 'folder-not-empty',
    })
}

/** Returns the tables of a database in the size of a tier: each alone, plain and irregular, and all together. */
function listPlaces(
  database: Database,
  tier: Tier,
  options: { readonly random: Random; readonly count: CountTableTokens },
): DatabasePlace[] {
  const dbId = database.name
  const tables = database.tables.flatMap(table => fillTier(table, tier, options) ?? [])
  const alone = { ...database, tables }
  const together = fillTierTogether(database, tier, options)
  const children = together?.tables.filter(({ table }) =>
    together.references.some(({ child }) => child === table.name),
  )
  return [
    ...(tables.length === 0
      ? []
      : (['single', 'irregular'] as const).map(folder => ({
          folder,
          dbId,
          database: alone,
          subjects: tables,
        }))),
    ...(together === null
      ? []
      : [{ folder: 'multi' as const, dbId, database: together, subjects: children! }]),
  ]
}

interface Seed {
  readonly id: string
  readonly tier: Tier
  readonly turns: 'single' | 'multi'
  readonly task: TaskKind
  readonly domain: string
  readonly db_path: string
  readonly db_id: string
  readonly is_multi_table: boolean
  readonly highlighted_table: readonly string[]
  readonly evidence?: string
  readonly question?: string
  readonly answer?: MadeAnswer
  readonly QA?: readonly { readonly question: string; readonly answer: MadeAnswer }[]
  readonly sql: readonly string[]
}

/** The most draws for one task. After that, the tables are taken to have no question of the kind. */
const maxDraws = 300

async function drawTasks(
  places: readonly DatabasePlace[],
  tier: Tier,
  { random, perKind, scoresFully }: MakeLongTableBench & { readonly random: Random },
): Promise<Seed[]> {
  const opened = new Map<DatabasePlace, TableDatabase>()
  const seeds: Seed[] = []
  try {
    for (const place of places) opened.set(place, await openDatabase(place.database))
    for (const turns of ['single', 'multi'] as const)
      for (const task of taskKinds) {
        const taskPlaces = places.filter(({ folder }) => isFor(task, folder))
        const askedQuestions = new Set<string>()
        for (let at = 0; taskPlaces.length > 0 && at < perKind; at++) {
          const place = taskPlaces[(at + taskKinds.indexOf(task)) % taskPlaces.length]!
          const database = opened.get(place)!
          const drawnTask = drawTask(task, turns, {
            place,
            database,
            random,
            askedQuestions,
            scoresFully,
          })
          if (drawnTask !== null)
            seeds.push(
              createSeed(drawnTask, { place, tier, turns, task, id: `${tier}_${turns}_${task}_${at}` }),
            )
        }
      }
  } finally {
    for (const database of opened.values()) database.close()
  }
  return seeds
}

async function openDatabase({ name, tables }: Database): Promise<TableDatabase> {
  requirePackages(optionalParts.sql)
  return await openTableDatabase(tables.map(({ table }) => table)).catch((cause: unknown) => {
    if (!(cause instanceof SqlError)) throw cause
    throw new DataError(
      `the tables of ${name} cannot be loaded into SQL: ${cause.message}. Rename the column or the file.`,
      { code: 'unreadable-table', cause },
    )
  })
}

const isFor = (task: TaskKind, folder: DatabasePlace['folder']): boolean => {
  if (task === 'INI') return folder === 'irregular'
  return folder === 'single' || (folder === 'multi' && task !== 'FR')
}

interface Drawing {
  readonly place: DatabasePlace
  readonly database: TableDatabase
  readonly random: Random
  /** The questions that were asked before. */
  readonly askedQuestions: Set<string>
  readonly scoresFully: MakeLongTableBench['scoresFully']
}

function drawTask(
  task: TaskKind,
  turns: Seed['turns'],
  { place, database, random, askedQuestions, scoresFully }: Drawing,
): (AnsweredDraft & { readonly subject: string }) | null {
  for (let draw = 0; draw < maxDraws; draw++) {
    const subject = place.subjects[Math.floor(random() * place.subjects.length)]!
    const isConversation = turns === 'multi'
    const joined = place.folder === 'multi' ? place.database : null
    const source: DraftSource = { subject, database: joined, isConversation, random }
    const draft = draftQuestion(task, source)
    if (draft === null || askedQuestions.has(draft.questions[0]!.question)) continue
    if (isConversation && draft.questions.length < 2) continue
    const answered = answerDraft(draft, database, isConversation ? 5 : 10)
    if (answered === null || !answered.questions.every(question => scoresFully(question.answer))) continue
    askedQuestions.add(draft.questions[0]!.question)
    return { ...answered, subject: subject.table.name }
  }
  return null
}

/** Says whether there are enough rows, and the value of the last one differs from that of the row after it. */
function isClear({ size, valuesSql }: TopRows, database: TableDatabase): boolean {
  const values = database.query(valuesSql, size + 1).rows.map(([value]) => value)
  return values.length >= size && values[size - 1] !== values[size]
}

/** Runs the queries of a draft; null when an answer is empty, too long, or one of several right ones. */
function answerDraft(
  { questions, evidence }: QuestionDraft,
  database: TableDatabase,
  maxItems: number,
): AnsweredDraft | null {
  const answered: AnsweredDraft['questions'][number][] = []
  for (const { question, sql, answer: form, top } of questions) {
    if (top !== undefined && !isClear(top, database)) return null
    const { columns, rows } = database.query(sql, maxItems + 1)
    if (form === 'row') {
      const [row] = rows
      const factRow = row && Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null]))
      answered.push({ question, sql, answer: factRow ?? ['Unsupported'] })
      continue
    }
    const values = rows.map(([value]) => value ?? null)
    const isUsable = values.length > 0 && values.length <= maxItems && values.every(value => value !== null)
    if (!isUsable) return null
    answered.push({ question, sql, answer: values.map(String) })
  }
  return { questions: answered, ...(evidence === undefined ? {} : { evidence }) }
}

function createSeed(
  answered: AnsweredDraft & { readonly subject: string },
  {
    place,
    ...fields
  }: { place: DatabasePlace; tier: Tier; turns: Seed['turns']; task: TaskKind; id: string },
): Seed {
  const { folder, dbId, database } = place
  const isMulti = folder === 'multi'
  const furtherTables = database.tables
    .map(({ table }) => table.name)
    .filter(name => name !== answered.subject)
  const pairs = answered.questions.map(({ question, answer }) => ({ question, answer }))
  return {
    ...fields,
    domain: dbId,
    db_path: `${fields.tier}/${folder}`,
    db_id: dbId,
    is_multi_table: isMulti,
    highlighted_table: isMulti ? [answered.subject, ...furtherTables] : [answered.subject],
    ...(answered.evidence === undefined ? {} : { evidence: answered.evidence }),
    ...(fields.turns === 'single' ? pairs[0] : { QA: pairs }),
    sql: answered.questions.map(({ sql }) => sql),
  }
}

/** The published files contain neither the kind of a task nor its queries. */
function createRecord({ id: _, tier, turns, task, domain, sql, ...record }: Seed): object {
  return record
}

/** Returns the text of each CSV file of a place, by the name of the file. */
function listTableFiles({ folder, database }: DatabasePlace, random: Random): [name: string, text: string][] {
  const { tables, references } = database
  const keyColumns = new Set([...tables.map(({ key }) => key), ...references.map(({ column }) => column)])
  return tables.map(({ table }) => {
    const written = folder === 'irregular' ? withIrregularValues(table, keyColumns, random) : table
    return [`${table.name}.csv`, writeTableCsv(written)]
  })
}

const writeTableCsv = ({ columns, rows }: DocumentTable): string =>
  writeCsv([columns, ...rows.map(row => row.map(cell => String(cell ?? '')))])

async function writeText(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeOutput(file, text)
}
