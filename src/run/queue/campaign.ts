import { z } from 'zod/v4'
import { isInnerPath } from '../../core/inner-path.ts'
import { canonicalJson } from '../../system/hash.ts'
import { parseJsonOrNull } from '../../text/json.ts'
import type { QueueSigner } from './queue-secret.ts'

/** A campaign must not write anywhere but below its folder. */
const placeSchema = z.string().refine(isInnerPath, 'not a path below a folder')

const hash = z.string().regex(/^[0-9a-f]{64}$/)

/** A run as workers receive it. API keys come from each worker's own environment. */
export const campaignSchema = z.object({
  runId: z.string().regex(/^[\w-]+$/),
  /** The resolved options, with `shipped://` instead of the folder in which a worker puts the files. */
  config: z.record(z.string(), z.unknown()),
  distractors: z.string().nullable(),
  files: z.array(z.object({ place: placeSchema, sha256: hash })),
  /** What results depend on, as the coordinator found it. A worker that finds something else makes no attempts. */
  identity: z.record(z.string(), z.unknown()),
  /** The plug-ins of the run. A worker without one of them, or with another version, makes no attempts. */
  plugins: z.array(z.object({ name: z.string(), hash: z.string() })).default([]),
  /** The versions of programs on the coordinator's machine. A worker with other versions reports the difference. */
  programs: z.record(z.string(), z.string().nullable()),
})
export type Campaign = z.infer<typeof campaignSchema>

const signedSchema = z.object({ campaign: z.unknown(), signature: z.string() })

/** Returns a campaign as it is stored in Redis: with its signature. */
export function sealCampaign(campaign: Campaign, signer: QueueSigner): string {
  const signature = signer.sign('campaign', [campaign.runId, canonicalJson(campaign)])
  return JSON.stringify({ campaign, signature: signature.toString('base64') })
}

/**
 * Reads a campaign from Redis.
 *
 * @returns null when it is no campaign of this run, or not signed with the secret of the signer
 */
export function openSealedCampaign(text: string, runId: string, signer: QueueSigner): Campaign | null {
  const sealed = signedSchema.safeParse(parseJsonOrNull(text))
  if (!sealed.success) return null
  const { campaign, signature } = sealed.data
  if (!signer.isSigned('campaign', [runId, canonicalJson(campaign)], Buffer.from(signature, 'base64')))
    return null
  const read = campaignSchema.parse(campaign)
  return read.runId === runId ? read : null
}
