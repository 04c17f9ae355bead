import { dirname, resolve } from 'node:path'
import { z } from 'zod/v4'
import { type ExtractionScore, scoreExtraction } from '../../../tasks/extract-bench/score-extraction.ts'
import { DataError } from '../../core/errors.ts'
import { describeZodProblem } from '../../core/zod-problems.ts'
import { readBatch } from '../../score/batch-file.ts'
import type { Judge } from '../../score/contract/judge.ts'
import { isJsonObject, type JsonValue, parseJsonAsPython } from '../../score/python/json-value.ts'
import { ifMissing, readTextFile } from '../../system/files.ts'
import { readFirstLine } from '../../text/plain-text.ts'
import { readJsonElements } from './json-elements.ts'

const caseFormat = '[{ id, schema | schema_inline, gold, prediction }, …]'

const json = z.custom<JsonValue>(value => value !== undefined, 'is missing')
const caseSchema = z.object({
  id: z.union([z.string(), z.number()]),
  schema: z.string().optional(),
  schema_pointer: z.string().optional(),
  schema_inline: json.optional(),
  gold: json,
  prediction: json,
})
type ExtractionCase = z.infer<typeof caseSchema>

/** Options of `scoreExtractBatch`. */
export interface ExtractBatchOptions {
  /** A folder for schema paths that are not found next to the batch file; null to search only there. */
  readonly schemas: string | null
  readonly judge: Judge
}

/**
 * Scores a JSON file of extractions, [{ id, schema | schema_inline, gold, prediction }], in order, and yields one
 * JSON line for each: { id, valid, error, nodes: [{ path, metric, score, passed, presence }], summary }, with
 * ExtractBench's own names.
 *
 * @throws ConfigError [unreadable-batch]
 * @throws DataError [empty-batch, invalid-case, missing-schema, invalid-schema]
 */
export async function* scoreExtractBatch(file: string, options: ExtractBatchOptions): AsyncGenerator<string> {
  const schemas = new Map<string, JsonValue>()
  for await (const data of readBatch(file, caseFormat, readCases)) {
    const schema = await findSchema(data, file, options.schemas, schemas)
    const score = await scoreExtraction(schema, data.gold, data.prediction, options.judge)
    yield JSON.stringify({ id: data.id, ...writeExtraction(score) })
  }
}

/** A score as `score` prints it. */
function writeExtraction(score: ExtractionScore) {
  return {
    valid: score.valid,
    error: score.error,
    nodes: score.nodes.map(({ path, metric, score: value, passed, presence, matches, errorType }) => ({
      path,
      metric,
      score: value,
      passed,
      presence,
      ...(matches === null
        ? {}
        : {
            matches: {
              matched: matches.matched,
              missed_gold: matches.missedGold,
              spurious_pred: matches.spuriousPredicted,
            },
          }),
      ...(errorType === null ? {} : { error_type: errorType }),
    })),
    summary: score.summary,
    judgeCalls: score.judgeCalls,
    unscored: score.unscored,
  }
}

function* readCases(data: Buffer): Generator<ExtractionCase> {
  for (const value of readJsonElements(data, parseJsonAsPython)) {
    const parsed = caseSchema.safeParse(value)
    if (!parsed.success) throw new SyntaxError(describeZodProblem(parsed.error, 'case'))
    yield parsed.data
  }
}

async function findSchema(
  data: ExtractionCase,
  file: string,
  folder: string | null,
  schemaCache: Map<string, JsonValue>,
): Promise<JsonValue> {
  if (data.schema_inline !== undefined) return data.schema_inline
  if (data.schema === undefined)
    throw new DataError(`${file}: case ${data.id}: no schema. Add schema (a path) or schema_inline.`, {
      code: 'missing-schema',
    })
  const name = data.schema
  let schema = schemaCache.get(name)
  if (schema === undefined) {
    schema = await readSchemaFile(
      [dirname(file), ...(folder === null ? [] : [folder])].map(base => resolve(base, name)),
    )
    schemaCache.set(name, schema)
  }
  return selectPart(schema, data.schema_pointer ?? '')
}

async function readSchemaFile(paths: readonly string[]): Promise<JsonValue> {
  for (const path of paths) {
    const text = await readTextFile(path).catch(ifMissing)
    if (text === null) continue
    try {
      return JSON.parse(text) as JsonValue
    } catch (error) {
      throw new DataError(`${path}: the schema is not JSON: ${readFirstLine(error)}. Correct the file.`, {
        code: 'invalid-schema',
      })
    }
  }
  throw new DataError(
    `schema not found: ${paths.join(' or ')}. Name the folder of the schemas with --schemas.`,
    { code: 'missing-schema' },
  )
}

/** The part that a JSON pointer names. Without a pointer, a file that only wraps its schema is unwrapped. */
function selectPart(schema: JsonValue, pointer: string): JsonValue {
  if (
    pointer === '' &&
    isJsonObject(schema) &&
    !('type' in schema) &&
    isJsonObject(schema.schema_definition)
  ) {
    return schema.schema_definition
  }
  let part: JsonValue = schema
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (!isJsonObject(part) || !Object.hasOwn(part, key))
      throw new DataError(
        `schema_pointer ${pointer}: the schema has no value there. Correct the pointer of the case.`,
        { code: 'missing-schema' },
      )
    part = part[key]!
  }
  return part
}
