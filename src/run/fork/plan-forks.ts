import { join } from 'node:path'
import { readPrefix, requireNoAnswer } from '../../../agents/fork/recorded-prefix.ts'
import { defaultAgent } from '../../../agents/online-options.ts'
import { unchangedFork } from '../../core/arm.ts'
import type { BudgetCaps } from '../../core/budget.ts'
import { ConfigError } from '../../core/errors.ts'
import type { Intervention, InterventionKind } from '../../core/fork.ts'
import { nearestName } from '../../core/nearest-name.ts'
import { canonicalJson } from '../../system/hash.ts'
import { type ForkPlan, type ForkToPlan, readForkPlan } from '../plan/fork-plan.ts'
import {
  changesResult,
  findForkPlace,
  findLosses,
  groupByStep,
  joinDocuments,
  type SealedLoss,
} from './fork-place.ts'
import type { SourceAttempt, SourceRun } from './source-run.ts'

/** One thing that a fork changes. */
export interface ForkArm {
  readonly intervention: Intervention
  /** For `give`: the name of the document, or `missed` for those of the lost items. */
  readonly document?: string
  readonly text?: string
  readonly caps?: BudgetCaps
  readonly values?: Readonly<Record<string, unknown>>
  readonly model?: string
}

/** The arm that changes nothing. */
export const controlArm: ForkArm = { intervention: { kind: unchangedFork, value: null } }

const isControl = ({ intervention }: Pick<ForkArm, 'intervention'>): boolean =>
  intervention.kind === unchangedFork

/** Forks of one attempt at one step. */
interface StepForks {
  readonly step: number
  readonly arms: readonly ForkArm[]
  readonly repeats: number
  /** The documents that `give missed` gives. */
  readonly missed: ForkToPlan['documents']
  readonly about?: Pick<ForkToPlan, 'items' | 'lossClass'>
}

/** Seeds of repetitions are this far apart, so that no fork has the seed of its source or of another trial. */
const seedsApart = 1_000

/** Returns the facts of a plan that are the same for all of its forks. */
export function planFacts({ folder, manifest }: SourceRun): Omit<ForkPlan, 'forks'> {
  if (manifest.source === 'import') return { run: manifest.runId, isImported: true, search: null }
  const { forks, search } = manifest.config
  const parent = typeof forks === 'string' ? readForkPlan(nameOwnPlanFolder(folder)) : null
  return {
    run: manifest.runId,
    isImported: parent?.isImported ?? false,
    search: parent?.search ?? (search as string[]),
  }
}

/** The folder of the plan in the folder of the run that makes it. */
export function nameOwnPlanFolder(folder: string): string {
  return join(folder, 'forks')
}

/**
 * Plans the forks of an attempt at a step: every arm, and a control without a change for each turn at which an arm becomes
 * live, each as often as asked.
 *
 * @throws ConfigError [fork-document, fork-agent]
 * @throws DataError of `readPrefix`, and [fork-conversation]
 */
export function planStepForks(run: SourceRun, source: SourceAttempt, forks: StepForks): ForkToPlan[] {
  const placed = forks.arms.map(arm => {
    const { kind } = arm.intervention
    return { arm, place: findForkPlace(source, forks.step, kind) }
  })
  const changes = placed.filter(({ arm }) => !isControl(arm))
  const controlled = placed.some(({ arm }) => isControl(arm))
    ? (changes.length === 0 ? placed : changes).map(({ place: { atStep } }) => atStep)
    : []
  const controls = [...new Set(controlled)].map(atStep => ({
    arm: controlArm,
    place: { atStep, callId: null },
  }))
  const root = findRoot(run, source)
  const { attemptId } = source.attempt
  for (const atStep of new Set(placed.map(({ place }) => place.atStep))) {
    const prefix = readPrefix(source.events, atStep, attemptId)
    if (planFacts(run).isImported) requireNoAnswer(prefix, attemptId)
  }
  return [...controls, ...changes].flatMap(({ arm, place }) => {
    requireFitting(source, arm)
    const documents = arm.document === undefined ? [] : findDocuments(source, arm.document, forks.missed)
    const { kind } = arm.intervention
    const intervention =
      kind === 'give' ? { kind, value: documents.map(({ name }) => name).join(', ') } : arm.intervention
    return Array.from(
      { length: forks.repeats },
      (_, repeat): ForkToPlan => ({
        attemptId: source.attempt.attemptId,
        rootId: root.rootId,
        earlier: root.earlier.filter(({ atStep }) => atStep <= place.atStep),
        taskId: source.attempt.taskId,
        traceSha256: source.traceSha256,
        ...place,
        intervention,
        repeat,
        seed: source.attempt.seed + seedsApart * (repeat + 1),
        documents,
        text: arm.text ?? null,
        caps: { ...root.caps, ...arm.caps },
        values: { ...root.values, ...arm.values },
        model: arm.model ?? root.model,
        ...forks.about,
      }),
    )
  })
}

type Root = Pick<ForkToPlan, 'caps' | 'earlier' | 'model' | 'rootId' | 'values'>

/** What a fork takes over from its source, when that is a fork itself. */
function findRoot({ folder }: SourceRun, { attempt }: SourceAttempt): Root {
  const { fork } = attempt
  if (fork === undefined) return { rootId: attempt.attemptId, earlier: [], caps: {}, values: {}, model: null }
  const { forks } = readForkPlan(nameOwnPlanFolder(folder))
  const parent = forks.find(
    planned =>
      planned.attemptId === fork.attemptId &&
      planned.atStep === fork.atStep &&
      canonicalJson(planned.intervention) === canonicalJson(fork.intervention),
  )!
  const { rootId, model, earlier, ...change } = parent
  const { atStep, text, caps, values, intervention, documents } = change
  return {
    ...{ rootId, model, caps, values },
    earlier: [...earlier, { atStep, text, caps, values, intervention, documents }],
  }
}

/** What an external agent does cannot be changed from outside its conversation with the gateway. */
const ofOwnAgent: ReadonlySet<InterventionKind> = new Set(['prompt-note', 'context-policy'])

function requireFitting({ attempt }: SourceAttempt, { intervention: { kind } }: ForkArm): void {
  if (!ofOwnAgent.has(kind) || (attempt.agent ?? defaultAgent) === defaultAgent) return
  throw new ConfigError(
    `--${kind}: agent ${attempt.agent} writes its own messages, which a fork cannot change. Leave --${kind} out.`,
    { code: 'fork-agent' },
  )
}

function findDocuments(
  source: SourceAttempt,
  name: string,
  missed: ForkToPlan['documents'],
): ForkToPlan['documents'] {
  const { documents = [], discovery } = source.attempt
  if (name === 'missed') {
    if (missed.length > 0) return missed
    throw new ConfigError('--give missed: no lost item at this step has a document. Name a document.', {
      code: 'fork-document',
    })
  }
  const names = [...new Set([...documents, ...(discovery?.hints ?? []).map(({ hint }) => hint)])]
  if (!names.includes(name)) {
    const near = nearestName(name, names)
    throw new ConfigError(
      `--give: '${name}' is no document of the task. ${near === null ? `Its documents: ${names.join(', ')}.` : `Did you mean '${near}'?`}`,
      { code: 'fork-document' },
    )
  }
  const ofLosses = joinDocuments(findLosses(source).map(loss => loss.documents))
  const url = discovery?.hints.find(({ hint }) => hint === name)?.url ?? null
  return [ofLosses.find(document => document.name === name) ?? { name, url, lines: [] }]
}

/**
 * Plans the forks of an attempt at the steps at which it lost its items.
 *
 * @throws ConfigError [fork-no-loss]
 */
export function planLossForks(
  run: SourceRun,
  source: SourceAttempt,
  forks: Omit<StepForks, 'missed' | 'step'>,
): ForkToPlan[] {
  const losses = findLosses(source)
  if (losses.length === 0)
    throw new ConfigError(
      `--at loss: ${source.attempt.attemptId} lost no item at a known step. Name the step.`,
      { code: 'fork-no-loss' },
    )
  const [controls, changes] = [forks.arms.filter(isControl), forks.arms.filter(arm => !isControl(arm))]
  const ofResults = changes.filter(({ intervention }) => changesResult(intervention.kind))
  const others = changes.length === 0 ? controls : changes.filter(arm => !ofResults.includes(arm))
  const planGroups = (by: 'step' | 'turn', arms: readonly ForkArm[]): ForkToPlan[] =>
    arms.length === 0
      ? []
      : groupByStep(losses, by).flatMap(({ step, missed }) =>
          planStepForks(run, source, { ...forks, arms: [...controls, ...arms], step, missed }),
        )
  if (others.length > 0 && losses.every(({ turn }) => turn === null)) throw makeTurnError(source, losses)
  return withoutRepeatedControls([...planGroups('step', ofResults), ...planGroups('turn', others)])
}

/** Two groups of losses can have the same control. */
function withoutRepeatedControls(forks: readonly ForkToPlan[]): ForkToPlan[] {
  const isSame = (a: ForkToPlan, b: ForkToPlan): boolean =>
    isControl(b) && a.atStep === b.atStep && a.repeat === b.repeat
  return forks.filter((fork, at) => !isControl(fork) || at === forks.findIndex(other => isSame(fork, other)))
}

function makeTurnError({ attempt, turns }: SourceAttempt, losses: readonly SealedLoss[]): ConfigError {
  const classes = [...new Set(losses.map(({ lossClass }) => lossClass))].join(', ')
  return new ConfigError(
    `--at loss: ${attempt.attemptId} lost its items (${classes}) by what it did after a result, and the step after that result is unknown or not in the trace, which has the steps 1 to ${turns}. Name the step, or give the document with --give missed.`,
    { code: 'fork-no-loss' },
  )
}
