import { settings } from '../../../../agents/registry.ts'
import type { Setting, SettingEnvironment } from '../../../../agents/setting.ts'
import { readTrace } from '../../../../logs/reader.ts'
import type { Attempt } from '../../../core/attempt.ts'
import type { OnlineControl } from '../../../core/controls.ts'
import type { ContextDocument } from '../../../core/document.ts'
import { isUnscoredCause } from '../../../core/termination.ts'
import type { EvidenceDocument } from '../../../evidence/matcher.ts'
import type { RunResources } from '../../open-run/open-resources.ts'
import type { PlannedAttempt } from '../../plan/plan.ts'
import { readSeenDocuments } from '../../records/seen-documents.ts'
import { type RunSummaries, readSummaries } from '../../records/summaries.ts'
import { rebuildTranscript } from './transcript.ts'

/** The setting that makes an attempt. The control `oracle-inject` continues an online conversation; others use their own setting. */
export function chooseSetting({ setting, control }: PlannedAttempt): Setting {
  if (control?.name !== 'oracle-inject') return settings.get(setting)
  return {
    summary: 'a continued online conversation',
    source: 'web',
    run: async (question, environment) =>
      (await import('../../../../agents/continue-online.ts')).continueOnline(question, environment),
  }
}

/** Summaries by run, read once: controls are made when every attempt that they need is recorded. */
const recorded = new WeakMap<RunResources, Promise<RunSummaries>>()

function readSummariesOnce(resources: RunResources): Promise<RunSummaries> {
  const summaries = recorded.get(resources) ?? readSummaries(resources.folder)
  recorded.set(resources, summaries)
  return summaries
}

/**
 * Returns the online attempt that a control is based on.
 *
 * @throws Error when a failure ended the attempt, or when its discovery is unknown: the control then ends as a crash
 */
async function readBaseAttempt({ baseId }: OnlineControl, resources: RunResources): Promise<Attempt> {
  const { attempt } = await (await readSummariesOnce(resources)).wholeOf(baseId)
  const { cause, reason } = attempt.termination
  if (isUnscoredCause(cause))
    throw new Error(`its online attempt ended as ${cause} / ${reason}, so the control cannot be made`)
  if (attempt.discovery === null)
    throw new Error('the documents that its online attempt found are unknown, so the control cannot be made')
  return attempt
}

/** The parts of an attempt's environment that its control changes; empty without a control. */
export function makeControlledEnvironment(
  planned: PlannedAttempt,
  resources: RunResources,
): Partial<SettingEnvironment> {
  const { control, task } = planned
  if (control === null) return {}
  const documents = async (isFound: boolean): Promise<ContextDocument[]> => {
    const { discovery } = await readBaseAttempt(control, resources)
    const parsed = new Set(
      discovery?.hints.flatMap(hint => (hint.parsedStep === null ? [] : [hint.hint])) ?? [],
    )
    return (await resources.documents(task)).filter(document => parsed.has(document.hint) === isFound)
  }
  if (control.name === 'found-only') return { documents: () => documents(true) }
  return {
    documents: () => documents(false),
    transcript: async () =>
      rebuildTranscript((await readTrace(resources.folder, control.baseId)).events, resources.blobs.get),
  }
}

/**
 * Reads the parts of the task's documents that tools showed in the online attempt. The loss classes of the attempt that
 * continues it need them.
 *
 * @throws Error when the run did not keep them
 */
export async function readShownBefore(
  control: OnlineControl,
  resources: RunResources,
): Promise<EvidenceDocument[]> {
  const seenDocuments = await readSeenDocuments(resources.folder, control.baseId, resources.blobs)
  if ('missingBecause' in seenDocuments) throw new Error(seenDocuments.missingBecause)
  return [...(seenDocuments.shown ?? [])]
}
