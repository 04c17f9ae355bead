import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join, relative, sep } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod/v4'
import { answersFromWeb } from '../../agents/registry.ts'
import { scorers as knownScorers } from '../../tasks/registry.ts'
import { resolveScoring } from '../config/scoring-config.ts'
import {
  completeConfig,
  completeOptions,
  nameOption,
  type ParsedOptions,
  parseOptions,
  type RunConfig,
  runOptions,
} from '../config.ts'
import { CodedError } from '../core/errors.ts'
import type { Score } from '../core/score.ts'
import { nameScoring } from '../report/model/scorings.ts'
import { executeRun } from '../run.ts'
import { nameRecordedJudge } from '../score/contract/scorer.ts'
import { canonicalJson } from '../system/hash.ts'
import { removeFolder } from '../system/remove-folder.ts'
import { areEqualFigures, listFigures } from './pack/figures.ts'
import { listPackedRuns } from './pack/open-places.ts'
import { isPageFile, type PackedFigure } from './pack/pack-layout.ts'
import type { PackDamage, UnpackedPack } from './pack/unpack.ts'
import { replacePaths } from './plan/shipped-options.ts'
import { iterateRecords } from './records/json-lines.ts'
import type { RunManifest } from './records/manifest.ts'
import { readManifest } from './records/manifest-file.ts'
import { type RunVerification, verifyRun } from './records/verify-run.ts'
import type { ReportRecords } from './report-data.ts'
import { readReport } from './report-run.ts'
import { scoreRun } from './scores/score-run.ts'

/** A figure of a pack, and what came out now. */
export interface CheckedFigure extends PackedFigure {
  /** The value now; null when unknown. */
  readonly now: number | null
  readonly isEqual: boolean
  /** `scored`: from answers that were scored again. `records`: added up from the records of the pack. */
  readonly checkedFrom: 'scored' | 'records'
}

/** Scores, or attempts, that were made again. */
export interface Repetition {
  readonly equal: number
  /** Ids of attempts whose new record differs. */
  readonly different: readonly string[]
  /** What could not be made again, and why, one sentence each. */
  readonly notDone: readonly string[]
}

/** What was found out about a run of a pack. */
export interface VerifiedRun {
  /** Its folder in the pack. */
  readonly run: string
  readonly records: RunVerification
  readonly scores: Repetition
  readonly figures: readonly CheckedFigure[]
  /** Null unless attempts were to be made again. */
  readonly replay: Repetition | null
}

/** What `verify` found in a pack. */
export interface PackVerification {
  /** Whether everything that could be checked is as the pack says. */
  readonly isEqual: boolean
  readonly identity: string
  readonly files: number
  readonly bytes: number
  readonly damages: readonly PackDamage[]
  readonly runs: readonly VerifiedRun[]
  /** What the pack lacks, one sentence each. */
  readonly limits: readonly string[]
}

/**
 * Checks the runs of a pack: files and records, scores, figures, and with `replay` the attempts that can be made again. The
 * unpacked runs are changed.
 *
 * @throws the errors of `scoreRun`, other than of missing tasks
 */
export async function verifyPack(
  pack: UnpackedPack,
  { replay }: { readonly replay: boolean },
): Promise<PackVerification> {
  const runs: VerifiedRun[] = []
  // Scores of changed files would only repeat that they changed.
  const isWhole = pack.damages.length === 0
  for (const { folder } of isWhole ? listPackedRuns(pack) : []) {
    const run = pack.pack.runs[runs.length]!.folder
    runs.push(await verifyPackedRun({ pack, folder, run }, replay))
  }
  const { identity, files, bytes, damages } = pack
  const limits = pack.pack.runs.flatMap(({ folder, missing }) => missing.map(text => `${folder}: ${text}`))
  const isEqual = isWhole && runs.every(isEqualRun)
  return { isEqual, identity, files, bytes, damages, runs, limits: [...listWithheldLimits(pack), ...limits] }
}

const isEqualRun = ({ records, scores, figures, replay }: VerifiedRun): boolean =>
  records.isWhole &&
  figures.every(({ isEqual }) => isEqual) &&
  [scores, ...(replay === null ? [] : [replay])].every(({ different }) => different.length === 0)

function listWithheldLimits({ pack }: UnpackedPack): string[] {
  const texts = {
    pages: 'Pages, documents and traces were left out: loss classes and attempts cannot be made again.',
    gold: 'The tasks with their gold were left out: answers cannot be scored again.',
  }
  return pack.withheld.map(part => texts[part])
}

interface PackedRun {
  readonly pack: UnpackedPack
  readonly folder: string
  /** Its folder in the pack. */
  readonly run: string
}

async function verifyPackedRun(packed: PackedRun, isReplayed: boolean): Promise<VerifiedRun> {
  const { pack, folder, run } = packed
  const hasPages = !pack.pack.withheld.includes('pages')
  const records = await verifyRun(folder, name => !hasPages && isPageFile(name))
  const before = await readReport(folder)
  // Attempts are made again before scoring, which replaces the records of scores.
  const replay = isReplayed ? await replayAttempts(packed) : null
  const scoring = await scoreAgain(packed, before.records)
  const after = await readReport(folder)
  const { repetition, scorings } = compareScores(scoring, before.records, after.records, hasPages)
  const [fromRecords, fromScores] = [before, after].map(({ report }) => listFigures(run, report))
  const figures = pack.pack.figures
    .filter(figure => figure.run === run)
    .map((figure): CheckedFigure => {
      const isScored =
        scorings.has(figure.scoring) && (figure.from === 'scores' || (figure.from === 'classes' && hasPages))
      const now = (isScored ? fromScores : fromRecords)!.find(other => isSameFigure(other, figure))
      return {
        ...figure,
        now: now?.value ?? null,
        isEqual: now !== undefined && areEqualFigures(figure.value, now.value),
        checkedFrom: isScored ? 'scored' : 'records',
      }
    })
  return { run, records, scores: repetition, figures, replay }
}

const isSameFigure = (a: PackedFigure, b: PackedFigure): boolean =>
  a.arm === b.arm && a.scoring === b.scoring && a.figure === b.figure

/** The scorers that scored again, by their judge, and what was not scored again. */
interface ScoredAgain {
  readonly byJudge: ReadonlyMap<string, ReadonlySet<string>>
  readonly notDone: readonly string[]
}

/** Scores the answers again where that asks no model. */
async function scoreAgain({ pack, folder }: PackedRun, before: ReportRecords): Promise<ScoredAgain> {
  const notScored = (...notDone: readonly string[]): ScoredAgain => ({ byJudge: new Map(), notDone })
  if (pack.pack.withheld.includes('gold')) return notScored()
  if (before.manifest.source === 'import') return notScored('Imported logs are not scored again.')
  const { byJudge, notDone } = chooseScorings(before.scores)
  const { successAt, allowMissingDocuments } = before.manifest.config as Partial<RunConfig>
  const cache = await mkdtemp(join(tmpdir(), 'tablehunt-verify-'))
  try {
    for (const [judge, names] of byJudge) {
      await scoreRun(folder, {
        config: resolveScoring({
          ...{ scorer: [...names], judge, cache, allowMissingDocuments },
          successAt: successAt ?? undefined,
        }),
        repeats: 1,
        signal: new AbortController().signal,
      })
    }
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    return notScored(...notDone, error.message)
  } finally {
    await removeFolder(cache)
  }
  return { byJudge, notDone }
}

function compareScores(
  { byJudge, notDone }: ScoredAgain,
  before: ReportRecords,
  now: ReportRecords,
  hasPages: boolean,
): { readonly repetition: Repetition; readonly scorings: ReadonlySet<string> } {
  const after = new Map(now.scores.map(score => [formatScoreKey(score), score]))
  const done = before.scores.filter(({ scorer, judge }) =>
    [...byJudge].some(
      ([judgeChoice, names]) => names.has(scorer) && describeRecorded(scorer, judgeChoice) === judge,
    ),
  )
  const different = done.filter(score => !isEqualScore(score, after.get(formatScoreKey(score)), hasPages))
  return {
    repetition: {
      equal: done.length - different.length,
      different: different.map(score => `${score.attemptId} (${nameScoring(score)})`),
      notDone,
    },
    scorings: new Set(done.map(nameScoring)),
  }
}

const nothing = { equal: 0, different: [] }
const formatScoreKey = ({ attemptId, scorer, judge }: Score): string =>
  JSON.stringify([attemptId, scorer, judge])

function describeRecorded(scorer: string, judge: string): string {
  return nameRecordedJudge(knownScorers.get(scorer), judge)
}

/** Finds under which judges without a model each scorer can score again. */
function chooseScorings(scores: readonly Score[]): ScoredAgain {
  const byJudge = new Map<string, Set<string>>()
  const notDone = new Set<string>()
  for (const { scorer, judge } of scores) {
    const judgeChoice = knownScorers.has(scorer)
      ? ['rules', 'none'].find(name => describeRecorded(scorer, name) === judge)
      : undefined
    if (judgeChoice !== undefined)
      byJudge.set(judgeChoice, (byJudge.get(judgeChoice) ?? new Set()).add(scorer))
    else if (knownScorers.has(scorer))
      notDone.add(`Scores of ${scorer} need the judge ${judge}, which is a model.`)
    else notDone.add(`The scorer ${scorer} belongs to a plug-in.`)
  }
  return { byJudge, notDone: [...notDone] }
}

/** Compares what figures are made from. Texts of items may be withheld, and classes need pages. */
function isEqualScore(before: Score, after: Score | undefined, hasPages: boolean): boolean {
  if (after === undefined) return false
  const compared = ({
    status,
    cause,
    answered,
    success,
    metrics,
    counts,
    cells,
    items,
    bounds,
  }: Score): unknown => ({
    ...{ status, cause, answered, success, metrics, counts, bounds },
    items: [...cells, ...items].map(({ score, class: name }) => [score, hasPages ? name : null]),
  })
  return canonicalJson(compared(before)) === canonicalJson(compared(after))
}

const recordSchema = z.looseObject({ attemptId: z.string(), checksum: z.string().optional() })

/** Makes the attempts of a run again that depend on nothing but the pack, and compares their records. */
async function replayAttempts({ folder, pack }: PackedRun): Promise<Repetition> {
  const notRepeated = (reason: string): Repetition => ({
    ...nothing,
    notDone: [`Attempts are not made again: ${reason}`],
  })
  const manifest = await readManifest(folder)
  if (manifest.source === 'import') return notRepeated('imported logs have no options.')
  const out = await mkdtemp(join(tmpdir(), 'tablehunt-replay-'))
  try {
    const config = readPackedConfig(manifest)
    const reason = await findWhyNotRepeated(config, manifest, pack.folder)
    if (reason !== null) return notRepeated(`${reason}.`)
    const model = config.model.filter(isDeterministic)
    await executeRun(
      { ...config, ...withoutPrograms, model, out: join(out, 'run'), cache: join(out, 'cache') },
      { distractors: await findDistractors(manifest), env: {} },
    )
    return await compareAttempts(folder, join(out, 'run'))
  } catch (error) {
    if (error instanceof CodedError) return notRepeated(error.message)
    throw error
  } finally {
    await removeFolder(out)
  }
}

/** A manifest of a stranger names no program and no address, and a request that was not recorded fails. */
const withoutPrograms = {
  ...{ queue: null, queueSecret: null, chroma: null, baseUrl: null, readerModel: null, record: null },
  ...{ agents: {}, resume: false, retry: null, dryRun: false },
  ...{ replay: 'strict', allowHost: [], agentModelHost: [], pageReader: 'own' },
} satisfies Partial<RunConfig>

/**
 * Returns the options of a run, with its recording as the web.
 *
 * @throws ConfigError when no run has such options
 */
function readPackedConfig({ config: values }: RunManifest): RunConfig {
  const defaults: ParsedOptions = completeOptions({})
  const options = Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) =>
        Object.hasOwn(runOptions, name) && value !== null && !isDeepStrictEqual(value, defaults[name]),
    ),
  )
  // Recorded times are in milliseconds, but options are in seconds: the parsed values are not used.
  parseOptions(options)
  const config = completeConfig(options)
  const { record, web, browser } = config
  const replayed = web === 'live' && record !== null ? `replay:${record}` : web
  return { ...config, web: replayed, browser: browser === 'off' ? browser : null }
}

/** The demo's sealed web has look-alike documents that are part of the program. */
async function findDistractors({ command }: RunManifest): Promise<string | null> {
  if (command[0] !== 'demo') return null
  const { demoPaths } = await import('../../tasks/demo/demo.ts')
  return demoPaths.distractors
}

const isDeterministic = (model: string): boolean => model === 'extractive'

/**
 * Says why attempts cannot be made again; null when they can. A pack may come from a stranger: nothing that it names is started,
 * no address is asked, and no file outside of it is read.
 */
async function findWhyNotRepeated(
  config: RunConfig,
  { plugins = [] }: RunManifest,
  packFolder: string,
): Promise<string | null> {
  const usesWeb = config.setting.some(answersFromWeb)
  const reasons: readonly (readonly [boolean, string])[] = [
    [!config.model.some(isDeterministic), `no model is deterministic (${config.model.join(', ')})`],
    [plugins.length > 0 || config.plugins.length > 0, 'the run used plug-ins'],
    [config.agent.some(agent => agent !== 'tablehunt') || config.mcp.length > 0, 'the run started programs'],
    [config.goalReading || !['rules', 'none'].includes(config.judge), 'the run asked other models'],
    [
      config.embedder !== 'hash' || config.vectorStore === 'chroma',
      'the run used an embedder or a store of the machine',
    ],
    [usesWeb && config.web === 'live', 'the web was not recorded'],
    [usesWeb && config.pageReader !== 'own', `pages were read by ${config.pageReader}`],
  ]
  return reasons.find(([applies]) => applies)?.[1] ?? (await findPathOutside(config, packFolder))
}

/** Says which option names a file that is not among the pack's inputs; null when none does. */
async function findPathOutside(config: RunConfig, packFolder: string): Promise<string | null> {
  const inputs = join(packFolder, 'inputs')
  const outside: string[] = []
  const adderFor = (name: string) => async (path: string) => {
    const way = relative(inputs, path)
    if (!existsSync(path) || !isAbsolute(path) || way.split(sep)[0] === '..') outside.push(name)
    return path
  }
  // Models that read files are not asked again.
  await replacePaths({ ...config, model: null, readerModel: null }, adderFor)
  return outside.length === 0 ? null : `files of ${nameOption(outside[0]!)} are not in the pack`
}

async function compareAttempts(before: string, after: string): Promise<Repetition> {
  const repeated = new Map<string, string | undefined>()
  for await (const { attemptId, checksum } of iterateRecords(join(after, 'attempts.jsonl'), recordSchema))
    repeated.set(attemptId, checksum)
  let [equal, left] = [0, 0]
  const different: string[] = []
  for await (const { attemptId, checksum } of iterateRecords(join(before, 'attempts.jsonl'), recordSchema)) {
    if (!repeated.has(attemptId)) left++
    else if (repeated.get(attemptId) === checksum) equal++
    else different.push(attemptId)
  }
  const notDone = left === 0 ? [] : [`${left} attempts have a model that is not deterministic.`]
  return { equal, different, notDone }
}
