import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod/v4'
import { ConfigError } from '../../src/core/errors.ts'
import { describeZodProblem } from '../../src/core/zod-problems.ts'
import { readTextFile } from '../../src/system/files.ts'
import { packageRoot } from '../../src/system/paths.ts'
import { readFirstLine } from '../../src/text/plain-text.ts'

const common = {
  /** Which requests are affected: searches, pages and documents that a tool fetches, or both. */
  on: z.enum(['search', 'page', 'any']),
  /** The share of distinct requests that are affected, 0..1. The seed decides which ones. */
  share: z.number().min(0).max(1),
  /** How often a request fails before it succeeds; null for always. */
  times: z.int().min(1).nullable(),
}

const faultSchema = z.discriminatedUnion('kind', [
  /** An HTTP status replaces the response. */
  z.strictObject({
    kind: z.literal('status'),
    ...common,
    status: z.int().min(400).max(599),
    retryAfterSeconds: z.number().min(0).optional(),
  }),
  /** The connection breaks. */
  z.strictObject({ kind: z.literal('reset'), ...common }),
  /** No response arrives within the request's own time limit. */
  z.strictObject({ kind: z.literal('hang'), ...common }),
  /** The response arrives late. */
  z.strictObject({ kind: z.literal('slow'), ...common, delayMs: z.int().min(0) }),
  /** A page with status 200 asks whether the visitor is human. */
  z.strictObject({ kind: z.literal('captcha'), ...common }),
  /** A PDF ends early. */
  z.strictObject({ kind: z.literal('truncate'), ...common, keep: z.number().gt(0).lt(1) }),
  /** A web page or text contains other years and figures. */
  z.strictObject({ kind: z.literal('change'), ...common }),
])
/** One kind of failure and how often it occurs. */
export type Fault = z.infer<typeof faultSchema>

const profileSchema = z.strictObject({ summary: z.string(), faults: z.array(faultSchema) })
/** A named set of faults. */
export type FaultProfile = z.infer<typeof profileSchema> & { readonly name: string }

const shippedFolder = join(packageRoot, 'tools', 'web', 'fault-profiles')

/** Returns the names of the profiles included in the package. */
export async function shippedProfiles(): Promise<string[]> {
  const files = await readdir(shippedFolder)
  return files
    .filter(file => file.endsWith('.json'))
    .map(file => file.slice(0, -'.json'.length))
    .sort()
}

/**
 * Reads a fault profile: the name of an included one, or the path of a JSON file with the same structure.
 *
 * @throws ConfigError `unknown-fault-profile` or `invalid-fault-profile`
 */
export async function loadFaultProfile(nameOrPath: string): Promise<FaultProfile> {
  const shipped = await shippedProfiles()
  const path = shipped.includes(nameOrPath) ? join(shippedFolder, `${nameOrPath}.json`) : nameOrPath
  const text = await readTextFile(path).catch(() => {
    throw new ConfigError(
      `--faults ${nameOrPath}: neither a profile (${shipped.join(', ')}) nor a file. Correct the name or the path.`,
      { code: 'unknown-fault-profile' },
    )
  })
  try {
    return { name: nameOrPath, ...profileSchema.parse(JSON.parse(text)) }
  } catch (error) {
    const why = error instanceof z.ZodError ? describeZodProblem(error, 'it') : readFirstLine(error)
    throw new ConfigError(`--faults ${path}: ${why}`, { code: 'invalid-fault-profile', cause: error })
  }
}
