import { readdir, stat } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { z } from 'zod/v4'
import { ConfigError } from '../../src/core/errors.ts'
import type { TextGold } from '../../src/core/gold.ts'
import type { LoadedTasks, Task } from '../../src/core/task.ts'
import { describeZodProblem } from '../../src/core/zod-problems.ts'
import { sha256 } from '../../src/system/hash.ts'
import { createTaskCollector } from '../collect-tasks.ts'
import { type FileRecord, placeJsonRecord, readJsonRecords, requireValue } from '../json-records.ts'
import { makeRecordError } from '../validate/problem.ts'
import { countTreeNodes } from './make/tree.ts'
import { findQuestionTask, type StructextLanguage, structextLanguages } from './task-table.ts'

const text = z.string().refine(value => value.trim() !== '', 'is empty')
const publishedKeys: Readonly<Record<string, string>> = {
  question: 'Question',
  reference: 'Reference',
  answer: 'Answer',
  rule_hint: 'RuleHint',
  label: 'Label',
}

/** Renames keys in lower case, which some copies of the samples have, to the published ones. */
const withPublishedKeys = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([key, field]) => [publishedKeys[key] ?? key, field]))
    : value

const example = z.object({ Question: z.string(), Reference: z.string(), Answer: z.string() })
const label = z.object({
  typename: z.enum(structextLanguages),
  node_number: z.number(),
  n_ary_ratio: z.number(),
})
const sampleSchema = z.object({
  id: z.string().optional(),
  Question: text,
  Answer: text,
  Reference: text,
  RuleHint: z.string().default(''),
  Label: label,
  examples: z.array(z.preprocess(withPublishedKeys, example)).default([]),
})

/** A sample of StrucText-Eval as its files contain it. */
export type StructextSample = Omit<z.input<typeof sampleSchema>, 'examples'> & {
  readonly examples: z.input<typeof example>[]
}

/**
 * Reads StrucText-Eval's samples: every `.json` and `.jsonl` file below a folder, as published, or one file. A file contains one
 * sample, a list of samples, or a sample per line. Keys may be in lower case (`question`, `rule_hint`). Samples that
 * cannot be used are returned as `skipped`.
 *
 * @throws ConfigError `tasks-not-found` or `unreadable-tasks`
 */
export async function loadStructext(path: string): Promise<LoadedTasks<TextGold>> {
  const collector = createTaskCollector<TextGold>()
  for await (const record of readSamples(path))
    await collector.add(placeJsonRecord(record, 'sample', record.name), () =>
      toTask(parseSample(requireValue(record)), record.name),
    )
  return collector
}

/** Reads the samples of a file, or of every `.json` and `.jsonl` file below a folder. */
async function* readSamples(path: string): AsyncGenerator<FileRecord> {
  const entry = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(
      `--tasks ${path} cannot be read (${error.code}). Name a folder of StrucText-Eval's JSON files, or a file of samples.`,
      { code: error.code === 'ENOENT' ? 'tasks-not-found' : 'unreadable-tasks', cause: error },
    )
  })
  if (!entry.isDirectory()) return yield* readJsonRecords(path, 'structext')
  const names = await readdir(path, { recursive: true })
  for (const name of names.filter(candidate => ['.json', '.jsonl'].includes(extname(candidate))).sort()) {
    const id = name.slice(0, -extname(name).length).split(sep).join('_')
    yield* readJsonRecords(join(path, name), id)
  }
}

/** Lines of result files, and the files of cases that contain them, have no text to ask about. */
const resultSchema = z.union([
  z.object({ lines: z.array(z.unknown()) }),
  z.object({ a: text, r: z.string() }),
])

function parseSample(value: unknown): z.output<typeof sampleSchema> {
  const parsed = sampleSchema.safeParse(withPublishedKeys(value))
  if (parsed.success) return parsed.data
  if (resultSchema.safeParse(value).success)
    throw makeRecordError(
      'this is a result of the published code, not a sample. Score it with tablehunt score FILE --scorer structext.',
    )
  throw makeRecordError(`${describeZodProblem(parsed.error, 'sample')}. Correct the sample.`)
}

function toTask(sample: z.output<typeof sampleSchema>, name: string): Task<TextGold> {
  const { Question, Reference, RuleHint, Label, examples } = sample
  const match = findQuestionTask(Label.typename, Question)
  if (match === null)
    throw makeRecordError(
      `the question belongs to none of the tasks of ${Label.typename}. Use a question of StrucText-Eval.`,
    )
  // Samples about the same text share a document: their scores are not independent.
  const documentName = `${Label.typename}-${sha256(Reference).slice(0, 8)}.txt`
  const width = Math.floor(Label.node_number * Label.n_ary_ratio + 1e-9)
  return {
    question: {
      taskId: sample.id ?? name,
      benchmark: 'structext',
      domain: Label.typename,
      language: 'en',
      query: Question.trim(),
      documentNames: [documentName],
      form: { kind: 'text' },
      ...(examples.length === 0 ? {} : { examples: examples.map(writeExample) }),
      ...(RuleHint.trim() === '' ? {} : { hint: RuleHint.trim() }),
      facets: {
        language: Label.typename,
        task: match.task.kind,
        template: `${Label.typename} ${match.task.template}`,
        depth: String(Label.node_number),
        width: String(width),
        nodes: String(countNodes(Label.typename, Label.node_number, width)),
        characters: String([...Reference].length),
        shots: String(examples.length),
      },
    },
    gold: { kind: 'text', references: [sample.Answer.trim()] },
    documents: [{ name: documentName, load: async () => ({ kind: 'text', text: Reference }) }],
    evidence: { kind: 'documents', names: [documentName] },
  }
}

/** Returns the number of nodes of a text's tree, or of rows of its tables. */
function countNodes(language: StructextLanguage, depth: number, width: number): number {
  return language === 'csv' ? depth : countTreeNodes({ depth, width })
}

const writeExample = ({ Question, Reference, Answer }: z.infer<typeof example>) => ({
  query: Question.trim(),
  text: Reference.trim(),
  answer: Answer.trim(),
})
