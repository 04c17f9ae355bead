import { extractBenchScorer } from '../../../tasks/extract-bench/scorer.ts'
import { scorers } from '../../../tasks/registry.ts'
import { listTableScorerNames, makeWrongScorerError } from '../../../tasks/scorers.ts'
import { ConfigError } from '../../core/errors.ts'
import { readBatchBytes } from '../../score/batch-file.ts'
import type { Judge } from '../../score/contract/judge.ts'
import type { Scorer } from '../../score/contract/scorer.ts'
import { isTextScorer } from '../../score/metrics/text-scorer.ts'
import { isTableScorer } from '../../score/table/table-scorer.ts'
import { isObject } from '../../text/json.ts'
import { readJsonElements } from './json-elements.ts'

/** How a file of cases is scored. */
export interface ScoreFileOptions {
  /** Names of scorers of one kind; empty: the fields of the cases decide. */
  readonly scorers: readonly string[]
  readonly judge: Judge
  /** A folder for schema paths of extractions that are not found beside the file; null to search only there. */
  readonly schemas: string | null
}

/** What the cases of a file compare: tables, extracted values, or texts. */
type FileKind = 'extractions' | 'tables' | 'texts'

/**
 * Scores the cases of a file in order, and yields one JSON line for each.
 *
 * @throws ConfigError [unreadable-batch, unknown-scorer, wrong-scorer, unknown-cases], and the errors of each kind of file
 */
export async function* scoreFile(file: string, options: ScoreFileOptions): AsyncGenerator<string> {
  const { scorers: names, judge, schemas } = options
  const kind = names.length === 0 ? recognizeCases(file) : requireOneKind(names)
  if (schemas !== null && kind !== 'extractions')
    throw new ConfigError(`--schemas: ${file} is a file of ${kind}, which has no schemas. Leave it out.`, {
      code: 'flag-without-effect',
    })
  if (kind === 'extractions') {
    const { scoreExtractBatch } = await import('./score-extract-batch.ts')
    yield* scoreExtractBatch(file, { schemas, judge })
  } else if (kind === 'tables') {
    const { scoreBatch } = await import('./score-table-batch.ts')
    yield* scoreBatch(file, { scorer: names[0] ?? listTableScorerNames()[0]!, judge })
  } else {
    const { scoreTextBatch } = await import('./score-text-batch.ts')
    yield* scoreTextBatch(file, { scorers: names, judge })
  }
}

/** Returns the kind of file that scorers take. Only texts can be compared by several scorers at once. */
function requireOneKind(names: readonly string[]): FileKind {
  const kinds = names.map(requireCaseKind)
  const [kind] = kinds
  if (names.length === 1 || kinds.every(caseKind => caseKind === 'texts')) return kind!
  const list = names.map((name, at) => `${name} (${kinds[at]})`).join(', ')
  throw new ConfigError(
    `--scorer ${names.join(',')}: a file is scored by one scorer of tables or extractions, or by several of texts: ${list}. Name one of them.`,
    { code: 'wrong-scorer' },
  )
}

function requireCaseKind(name: string): FileKind {
  const kind = findCaseKind(scorers.get(name))
  if (kind !== null) return kind
  const alternatives = scorers.names().filter(scorer => findCaseKind(scorers.get(scorer)) !== null)
  throw makeWrongScorerError(name, 'it scores runs, not files of cases', alternatives)
}

/** Returns the kind of cases that a scorer takes outside a run; null for none. */
function findCaseKind(scorer: Scorer): FileKind | null {
  if (scorer === extractBenchScorer) return 'extractions'
  if (scorer.referenceCases !== undefined || isTextScorer(scorer)) return 'texts'
  return isTableScorer(scorer) ? 'tables' : null
}

/** Returns the kinds of cases that have the fields of an object. */
function listKinds(fields: Readonly<Record<string, unknown>>): FileKind[] {
  const has = (...names: readonly string[]): boolean => names.some(name => name in fields)
  return [
    ...(has('answer_csv') ? (['tables'] as const) : []),
    ...(has('schema', 'schema_inline') ? (['extractions'] as const) : []),
    ...(has('reference', 'answer') ? (['texts'] as const) : []),
  ]
}

/** Returns the kind of the first case of a file. */
function recognizeCases(file: string): FileKind {
  const first = readFirstCase(file)
  const kinds = isObject(first) ? listKinds(first) : []
  if (kinds.length === 1) return kinds[0]!
  const problem =
    kinds.length === 0
      ? 'its first case has none of the fields answer_csv (a table), schema or schema_inline (an extraction), reference or answer (a text)'
      : `its first case has the fields of ${kinds.join(' and of ')}`
  throw new ConfigError(`${file}: ${problem}. Say with --scorer NAME how to score it.`, {
    code: 'unknown-cases',
  })
}

/** Returns the first element of a JSON list, or the first of JSON lines; null for a file of another form. */
function readFirstCase(file: string): unknown {
  const data = readBatchBytes(file, '[{ id, … }, …]')
  try {
    for (const text of readJsonElements(data, text => text)) return JSON.parse(text)
  } catch {
    // JSON lines are no list.
  }
  try {
    return JSON.parse(
      data
        .toString('utf8')
        .replace(/^\uFEFF/, '')
        .trimStart()
        .split('\n', 1)[0] ?? '',
    )
  } catch {
    return null
  }
}
