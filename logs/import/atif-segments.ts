import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { DataError } from '../../src/core/errors.ts'
import { describeZodProblem } from '../../src/core/zod-problems.ts'
import { requireInside } from '../../src/system/files.ts'
import { readFirstLine } from '../../src/text/plain-text.ts'
import { type AtifResult, type AtifTrajectory, atifSchema } from './atif-log.ts'
import { readJsonValue } from './json-records.ts'

/** A trajectory of an attempt with the file that contains it. */
interface TrajectorySegment {
  readonly trajectory: AtifTrajectory
  readonly path: string
}

/** The trajectories of one attempt: the first, those it continues in, and those of helper agents by their references. */
export interface Segments {
  readonly main: readonly TrajectorySegment[]
  /** The trajectories of helpers by the place of their reference. */
  readonly helpers: ReadonlyMap<object, TrajectorySegment>
  readonly read: readonly string[]
  readonly problems: readonly string[]
  /** The reference to a continuation that could not be read; null when all could be. */
  readonly missingContinuation: string | null
}

/** Reads a trajectory from a file beside the log. Returns why it could not be read otherwise. */
async function readBeside(reference: string, from: string): Promise<TrajectorySegment | string> {
  const folder = dirname(resolve(from))
  const path = resolve(folder, reference)
  const place = relative(folder, path)
  const isBeside =
    !/^[a-z][\w+.-]+:\/\//i.test(reference) && !isAbsolute(place) && place.split(sep)[0] !== '..'
  if (!isBeside) return `${reference} is not in the folder of the log, and was not read`
  try {
    await requireInside(folder, path)
    const parsed = atifSchema.safeParse(await readJsonValue(path))
    return parsed.success
      ? { trajectory: parsed.data, path }
      : `${reference} is not an ATIF trajectory: ${describeZodProblem(parsed.error, 'trajectory')}`
  } catch (error) {
    if (error instanceof DataError || error instanceof SyntaxError || 'code' in (error as object))
      return `${reference} cannot be read: ${readFirstLine(error)}`
    throw error
  }
}

type SubagentReference = NonNullable<AtifResult['subagent_trajectory_ref']>[number]

/** Reads the files that a trajectory continues in or refers to. Each file is read once. */
export async function readSegments(first: TrajectorySegment): Promise<Segments> {
  const main: TrajectorySegment[] = [first]
  const helpers = new Map<object, TrajectorySegment>()
  const read = new Set([resolve(first.path)])
  const problems: string[] = []
  let missingContinuation: string | null = null
  const addFile = async (reference: string, from: string): Promise<TrajectorySegment | null> => {
    const segment = await readBeside(reference, from)
    if (typeof segment === 'string') problems.push(segment)
    else if (!read.has(segment.path)) {
      read.add(segment.path)
      return segment
    }
    return null
  }
  const addHelpers = async (segment: TrajectorySegment): Promise<void> => {
    for (const reference of listSubagentReferences(segment.trajectory)) {
      const inside = findEmbedded(segment.trajectory, reference)
      const path = reference.trajectory_path ?? null
      const helper =
        inside !== null
          ? { trajectory: inside, path: segment.path }
          : path === null
            ? null
            : await addFile(path, segment.path)
      if (inside === null && path === null)
        problems.push(`the document has no trajectory ${reference.trajectory_id ?? reference.session_id}`)
      if (helper === null) continue
      helpers.set(reference, helper)
      await addHelpers(helper)
    }
  }
  for (let at = 0; at < main.length; at++) {
    const segment = main[at]!
    await addHelpers(segment)
    const reference = segment.trajectory.continued_trajectory_ref ?? null
    if (reference === null) continue
    const next = await addFile(reference, segment.path)
    if (next === null) missingContinuation = reference
    else main.push(next)
  }
  read.delete(resolve(first.path))
  return { main, helpers, read: [...read], problems, missingContinuation }
}

function listSubagentReferences({ steps }: AtifTrajectory): SubagentReference[] {
  const results = steps.flatMap(step => step.observation?.results ?? [])
  return results.flatMap(result => result.subagent_trajectory_ref ?? [])
}

function findEmbedded(
  { subagent_trajectories }: AtifTrajectory,
  { trajectory_id, session_id }: SubagentReference,
): AtifTrajectory | null {
  const embedded = subagent_trajectories ?? []
  const byId = embedded.find(({ trajectory_id: id }) => typeof id === 'string' && id === trajectory_id)
  const bySession = embedded.find(({ session_id: id }) => typeof id === 'string' && id === session_id)
  return byId ?? (typeof trajectory_id === 'string' ? null : (bySession ?? null))
}
