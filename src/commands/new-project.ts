import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findPublishedColumns } from '../../tasks/aoe/columns.ts'
import { demoPaths } from '../../tasks/demo/demo.ts'
import { configFileNames } from '../config/gather-options.ts'
import { writeStarterFile } from '../config/starter-file.ts'
import { ConfigError } from '../core/errors.ts'
import { modelProviders } from '../models/registry.ts'
import { parseModelSpec } from '../models/spec.ts'
import { writeCsv } from '../text/csv.ts'
import { isObject, parseJsonOrNull } from '../text/json.ts'

/** What a new project is about. */
export interface ProjectOptions {
  readonly folder: string
  readonly benchmark: keyof typeof exampleTasks
  readonly model: string
}

/** What was written, relative to the folder. */
export interface NewProject {
  readonly files: readonly string[]
  /** The file with the example task. */
  readonly tasks: string
  /** What was not written, and why. */
  readonly notes: readonly string[]
}

/** The demo's task of quarterly reports: two short documents, which the rules of `extractive` read. */
interface ExampleRecord {
  readonly query: string
  readonly input_doc: readonly string[]
  readonly answers: readonly Readonly<Record<string, string | number>>[]
}

interface ExampleTasks {
  readonly file: string
  /** Texts of documents by name, in place of those of the demo's task. */
  readonly documents?: Readonly<Record<string, string>>
  write(record: ExampleRecord): string
  /** Further options of the config file, as code. */
  options?(record: ExampleRecord): Readonly<Record<string, string>>
}

const columns = findPublishedColumns('financial_4', 'en')!

/** An example for each kind of file that users write. */
export const exampleTasks = {
  aoe: {
    file: 'tasks.jsonl',
    write: ({ query, input_doc, answers }) => {
      const task = { record_id: 'quarter', language: 'en', domain: 'financial', query, input_doc }
      const numeric_columns = columns.numeric.filter(name => name.includes('(CNY)'))
      const lists = { key_cols: columns.keys, target_value_columns: columns.targets, numeric_columns }
      return `${JSON.stringify({ ...task, ...lists, answers })}\n`
    },
  },
  qa: {
    file: 'questions.csv',
    documents: {
      'alder.txt': 'Hotel Alder opened in Ulm in 1987. After the renovation of 2021 it has 12 beds.\n',
      'birch.txt': 'Hotel Birch is in Graz. It offers 30 beds in 17 rooms.\n',
    },
    write: () =>
      writeCsv([
        ['question', 'answer', 'documents'],
        ['How many beds does Hotel Alder have?', '12|twelve', 'alder.txt'],
        ['In which town is Hotel Birch?', 'Graz', 'birch.txt'],
      ]),
  },
  spreadsheet: {
    file: 'gold.csv',
    write: ({ answers }) =>
      writeCsv([Object.keys(answers[0]!), ...answers.map(row => Object.values(row).map(String))]),
    options: ({ query }) => ({
      spreadsheet: `{ query: ${quoteValue(query)}, documentColumn: 'Filename', keyColumns: ['Filename'], domain: 'financial' }`,
    }),
  },
} as const satisfies Readonly<Record<string, ExampleTasks>>

/**
 * Writes a project that runs: a config file, an example task with its documents, and the script `eval` of package.json.
 *
 * @throws ConfigError `file-exists` when one of its files exists, and `unknown-model-provider`, before anything is written;
 *   `file-not-writable`
 */
export async function writeProject({ folder, benchmark, model }: ProjectOptions): Promise<NewProject> {
  parseModelSpec(model, modelProviders.names())
  const example: ExampleTasks = exampleTasks[benchmark]
  const record = await readExample()
  const config = writeStarterFile({
    ...(benchmark === 'aoe' ? {} : { benchmark: quoteValue(benchmark) }),
    tasks: quoteValue(example.file),
    model: `[${quoteValue(model)}]`,
    ...example.options?.(record),
  })
  const files = new Map<string, string | Uint8Array>([
    [configFileNames[0], config],
    [example.file, example.write(record)],
  ])
  const documents = example.documents ?? (await readDemoDocuments(record))
  for (const [name, content] of Object.entries(documents)) files.set(join('documents', name), content)
  await refuseExisting(folder, [...files.keys()])
  for (const name of files.keys()) {
    const path = dirname(join(folder, name))
    await mkdir(path, { recursive: true }).catch(refuseToWrite(path))
  }
  for (const [name, content] of files) {
    const path = join(folder, name)
    await writeFile(path, content, { flag: 'wx' }).catch(refuseToWrite(path))
  }
  const { isWritten, note } = await addScript(folder)
  return {
    files: [...files.keys(), ...(isWritten ? ['package.json'] : [])],
    tasks: example.file,
    notes: note === null ? [] : [note],
  }
}

/** Returns a text as a literal of JavaScript. */
const quoteValue = (text: string): string => `'${text.replace(/[\\']/g, String.raw`\$&`)}'`

async function readExample(): Promise<ExampleRecord> {
  const lines = (await readFile(demoPaths.tasks, 'utf8')).split('\n')
  return JSON.parse(lines.find(line => line.includes('financial_demo-quarter_4_en'))!)
}

async function readDemoDocuments({ input_doc }: ExampleRecord): Promise<Record<string, Uint8Array>> {
  const contents = input_doc.map(async name => [name, await readFile(join(demoPaths.documents, name))])
  return Object.fromEntries(await Promise.all(contents))
}

async function refuseExisting(folder: string, names: readonly string[]): Promise<void> {
  const existing: string[] = []
  for (const name of names) if ((await readOrNull(join(folder, name))) !== null) existing.push(name)
  if (existing.length === 0) return
  throw new ConfigError(
    `${existing.map(name => join(folder, name)).join(', ')}: the file exists, and nothing was written. Move it, or name another folder: tablehunt init FOLDER.`,
    { code: 'file-exists' },
  )
}

const refuseToWrite =
  (path: string) =>
  (cause: NodeJS.ErrnoException): never => {
    throw new ConfigError(`${path}: can't be written (${cause.code}). Run the command in another folder.`, {
      code: 'file-not-writable',
      cause,
    })
  }

const evalScript = 'tablehunt run'

/** Whether package.json was written, and why not; null when the script is there. */
interface AddedScript {
  readonly isWritten: boolean
  readonly note: string | null
}

/** Adds the script `eval` to package.json. */
async function addScript(folder: string): Promise<AddedScript> {
  const leave = (note: string | null): AddedScript => ({ isWritten: false, note })
  const path = join(folder, 'package.json')
  const text = (await readOrNull(path)) ?? '{ "private": true, "type": "module" }'
  const manifest = parseJsonOrNull(text.replace(/^\uFEFF/, ''))
  if (!isObject(manifest) || !isObject(manifest.scripts ?? {}))
    return leave(
      `${path} is not changed, because it is no package.json with scripts. Add the script eval: ${evalScript}.`,
    )
  const scripts = (manifest.scripts ?? {}) as Record<string, unknown>
  if (scripts.eval === evalScript) return leave(null)
  if (scripts.eval !== undefined)
    return leave(`${path} is not changed, because it has another script eval. Run \`npx ${evalScript}\`.`)
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  '
  const changed = { ...manifest, scripts: { ...scripts, eval: evalScript } }
  await writeFile(path, `${JSON.stringify(changed, null, indent)}\n`).catch(refuseToWrite(path))
  return { isWritten: true, note: null }
}

async function readOrNull(path: string): Promise<string | null> {
  return await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    return refuseToWrite(path)(error)
  })
}
