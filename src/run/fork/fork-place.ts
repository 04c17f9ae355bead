import type { TraceEvent } from '../../../logs/events.ts'
import { guessToolKind } from '../../../logs/import/tool-kinds.ts'
import { toolKind } from '../../../tools/registry.ts'
import type { Attempt } from '../../core/attempt.ts'
import type { CellClass } from '../../core/cell-classes.ts'
import type { InterventionKind } from '../../core/fork.ts'
import { groupBy } from '../../core/group-by.ts'
import { type Item, identifyGold, listItems } from '../../core/score-items.ts'
import type { ForkToPlan } from '../plan/fork-plan.ts'
import type { SourceAttempt } from './source-run.ts'

/** Where a fork leaves the recorded attempt. */
export interface ForkPlace {
  /** The first model turn that is asked live. */
  readonly atStep: number
  /** The replayed call whose result is changed; null for the next one. */
  readonly callId: string | null
}

/** Returns what a tool does on the web, also one of another agent; null for neither. */
export const readToolKind = (name: string): 'search' | 'fetch' | null => toolKind(name) ?? guessToolKind(name)

/** Returns the calls of a step, searches first. */
function listCalls(events: readonly TraceEvent[], step: number) {
  const calls = events.flatMap(event => (event.type === 'tool-called' && event.step === step ? [event] : []))
  const kinds = calls.map(call => ({ call, kind: readToolKind(call.tool) }))
  return [...kinds.filter(({ kind }) => kind === 'search'), ...kinds.filter(({ kind }) => kind === 'fetch')]
}

/** Whether an intervention changes the result of a tool call. */
export const changesResult = (kind: InterventionKind): boolean => kind === 'give' || kind === 'tool-result'

/**
 * Returns where a fork at a step begins. A change of a tool result keeps the turn of the model that called the tool, so
 * that the next turn is the first live one; in a step without a call, it changes the result before the step. All other
 * changes come before the turn of the step.
 */
export function findForkPlace(source: SourceAttempt, step: number, kind: InterventionKind): ForkPlace {
  if (!changesResult(kind)) return { atStep: step, callId: null }
  for (const callStep of [step, step - 1]) {
    const [first] = listCalls(source.events, callStep)
    if (first !== undefined && callStep < source.turns)
      return { atStep: callStep + 1, callId: first.call.callId }
  }
  return { atStep: step, callId: null }
}

/** A lost item, the step at which its loss was decided, and the documents that would have had it. */
export interface SealedLoss {
  readonly item: Item
  readonly lossClass: CellClass
  /** The step whose result a change replaces. */
  readonly step: number
  /**
   * The turn that any other change comes before. When the agent lost the item by what it did with a result, this is the turn
   * after the result. Null when that turn is unknown, or the attempt ended before it.
   */
  readonly turn: number | null
  readonly documents: ForkToPlan['documents']
}

/**
 * Finds the step at which each lost item of an attempt was lost, as the loss ledger knows it: the last search that did not
 * return its document, the result after which the page was not opened, the page of which the part was not read, the removal
 * from the context, or the answer. Items without credit whose class says nothing about a step are left out.
 */
export function findLosses(source: SourceAttempt): SealedLoss[] {
  const { score } = source
  if (score === null || score.status !== 'scored') return []
  return listItems(score).flatMap(item => {
    if (item.score === null || item.score >= 1 || item.class === null) return []
    const find = lossSteps[item.class]
    const known = find?.(item, source) ?? null
    const step = known ?? (find === null ? null : findLastCallStep(source, null))
    if (step === null || step < 1) return []
    const loss = { item, lossClass: item.class, documents: listMissed(item, item.class, source) }
    const inTrace = Math.min(step, source.turns)
    const turn = inTrace + Number(lostAfterResult.has(item.class))
    return [{ ...loss, step: inTrace, turn: known === null || turn > source.turns ? null : turn }]
  })
}

/** The classes whose items are lost by what the agent does after the result of the step. */
const lostAfterResult: ReadonlySet<CellClass> = new Set(['not-opened', 'not-parsed', 'not-in-view'])

/** Returns null when the step is unknown. */
type FindStep = (item: Item, source: SourceAttempt) => number | null

const findAnswerStep: FindStep = (_item, { turns }) => turns
/** At a stage of the item's document; without a known one, at the last stage of all documents that were lost there. */
const makeStageFinder =
  (lossClass: CellClass, read: (hint: DiscoveredHint) => number | null | undefined): FindStep =>
  (item, { attempt }) => {
    const hint = findHint(item, attempt)
    const steps = (hint === undefined ? listMissedHints(lossClass, attempt) : [hint]).flatMap(
      one => read(one) ?? [],
    )
    return steps.length === 0 ? null : Math.max(...steps)
  }

/** For each class, how the step is found; null for classes that say nothing about a step. */
const lossSteps: Readonly<Record<CellClass, FindStep | null>> = {
  correct: null,
  budget: findAnswerStep,
  unreadable: findAnswerStep,
  'gold-blank': null,
  invented: findAnswerStep,
  'look-alike': findAnswerStep,
  'not-surfaced': (_item, source) => findLastCallStep(source, 'search'),
  'not-opened': makeStageFinder('not-opened', hint => hint.surfacedStep ?? hint.triedStep),
  'not-parsed': makeStageFinder('not-parsed', hint => hint.openedStep),
  'not-retrieved': null,
  'cut-output': findAnswerStep,
  'not-in-view': (item, source) =>
    item.evidence?.step ?? findHint(item, source.attempt)?.parsedStep ?? findLastCallStep(source, 'fetch'),
  unread: null,
  'cut-from-window': findRemoval,
  wrong: findAnswerStep,
  'missed-row': findAnswerStep,
  'no-evidence': null,
  'not-in-answer': findAnswerStep,
}

type DiscoveredHint = NonNullable<Attempt['discovery']>['hints'][number]

function findHint(item: Item, { discovery }: Attempt): DiscoveredHint | undefined {
  return discovery?.hints.find(({ hint }) => hint === item.evidence?.document)
}

/** The last step with a search or a fetch; the last step without any. */
function findLastCallStep({ events, turns }: SourceAttempt, wanted: 'search' | 'fetch' | null): number {
  const steps = events.flatMap(event => {
    const kind = event.type === 'tool-called' ? readToolKind(event.tool) : null
    return kind !== null && (wanted === null || kind === wanted) ? [event.step] : []
  })
  return steps.length === 0 ? turns : Math.max(...steps)
}

/** The step before which the context policy removed the result with the evidence; that of the first removal when it is unknown. */
function findRemoval(item: Item, { events, turns }: SourceAttempt): number {
  const cuts = events.filter(event => event.type === 'context-cut')
  const ofEvidence = cuts.find(({ removed = [] }) => removed.some(({ step }) => step === item.evidence?.step))
  return (ofEvidence ?? cuts[0])?.step ?? turns
}

/** The classes whose documents did not reach the model, with the stage at which a document was lost. */
const missingStages: Readonly<Partial<Record<CellClass, (hint: DiscoveredHint) => boolean>>> = {
  'not-surfaced': ({ surfacedStep, triedStep }) => surfacedStep === null && triedStep === undefined,
  'not-opened': ({ openedStep, surfacedStep, triedStep }) =>
    openedStep === null && (surfacedStep !== null || triedStep !== undefined),
  'not-parsed': ({ openedStep, parsedStep }) => openedStep !== null && parsedStep === null,
  'not-in-view': ({ parsedStep }) => parsedStep !== null,
  'cut-from-window': ({ parsedStep }) => parsedStep !== null,
}

/** The documents of an item that the attempt missed. Without a known line, all documents that it missed in this way. */
function listMissed(item: Item, lossClass: CellClass, { attempt }: SourceAttempt): ForkToPlan['documents'] {
  const url = (name: string): string | null =>
    attempt.discovery?.hints.find(({ hint }) => hint === name)?.url ?? null
  const { evidence } = item
  if (evidence !== undefined)
    return [{ name: evidence.document, url: url(evidence.document), lines: [evidence.line] }]
  return listMissedHints(lossClass, attempt).map(({ hint, url }) => ({ name: hint, url, lines: [] }))
}

function listMissedHints(lossClass: CellClass, { discovery }: Attempt): readonly DiscoveredHint[] {
  const isMissed = missingStages[lossClass]
  return isMissed === undefined ? [] : (discovery?.hints ?? []).filter(isMissed)
}

/** Joins lists of documents: each document once, with all its lines. */
export function joinDocuments(lists: readonly ForkToPlan['documents'][]): ForkToPlan['documents'] {
  const byName = new Map<string, ForkToPlan['documents'][number]>()
  for (const { name, url, lines } of lists.flat()) {
    const joined = byName.get(name)
    byName.set(name, { name, url, lines: [...new Set([...(joined?.lines ?? []), ...lines])] })
  }
  return [...byName.values()]
}

/** The losses of an attempt at one step. */
interface StepLosses {
  readonly step: number
  readonly losses: readonly SealedLoss[]
  /** The documents that would have had the lost items. */
  readonly missed: ForkToPlan['documents']
}

/**
 * Groups losses by their steps, in the order of the steps.
 *
 * @param by `turn` for changes of anything but a result. Losses without a known turn are left out
 */
export function groupByStep(losses: readonly SealedLoss[], by: 'step' | 'turn' = 'step'): StepLosses[] {
  return [...groupBy(losses, loss => loss[by])]
    .flatMap(([step, atStep]) => (step === null ? [] : [[step, atStep] as const]))
    .sort(([a], [b]) => a - b)
    .map(([step, atStep]) => ({
      step,
      losses: atStep,
      missed: joinDocuments(atStep.map(({ documents }) => documents)),
    }))
}

/** The id and the loss of an item, for the record of a fork. */
export function describeLostItem(item: Item): NonNullable<ForkToPlan['items']>[number] {
  const { turn } = item
  return { id: identifyGold(item), ...(turn === undefined ? {} : { turn }), lost: 1 - (item.score ?? 0) }
}
