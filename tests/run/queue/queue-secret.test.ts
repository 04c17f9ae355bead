import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { resolveConfig } from '../../../src/config.ts'
import { openSealedCampaign, sealCampaign } from '../../../src/run/queue/campaign.ts'
import { createSigner, readQueueSecret } from '../../../src/run/queue/queue-secret.ts'
import { packResult, unpackResult } from '../../../src/run/queue/result.ts'
import { makeAttempt } from '../../report/records.ts'
import { emptyCampaign } from './empty-campaign.ts'

const [ours, theirs] = [createSigner('the secret of this run'), createSigner(null)]
const far = 'redis://10.0.0.7:6379'

it('opens a campaign only with the secret, for its run, and unchanged', () => {
  const text = sealCampaign(emptyCampaign, ours)
  expect(openSealedCampaign(text, 'run', ours)).toEqual(emptyCampaign)
  const changed = JSON.stringify({
    ...JSON.parse(text),
    campaign: { ...emptyCampaign, config: { agent: ['x'] } },
  })
  for (const [sealed, runId, signer] of [
    [text, 'run', theirs],
    [text, 'other', ours],
    [changed, 'run', ours],
    [JSON.stringify(emptyCampaign), 'run', ours],
    [JSON.stringify({ campaign: emptyCampaign, signature: '' }), 'run', ours],
    ['not JSON', 'run', ours],
  ] as const)
    expect(openSealedCampaign(sealed, runId, signer)).toBeNull()
})

it('opens a result only with the secret, for its attempt, and unchanged', async () => {
  const attempt = makeAttempt({ task: 't', setting: 'offline' })
  const result = { attempt, scores: [], answerText: 'x', leaks: [], trace: '', blobs: {} }
  const job = { runId: 'run', attemptId: attempt.attemptId }
  const packed = await packResult(result, job, ours)
  expect(await unpackResult(packed, job, ours)).toEqual(result)
  const other = { ...job, attemptId: 'another' }
  expect(await unpackResult(packed, job, theirs)).toBeNull()
  expect(await unpackResult(packed, other, ours)).toBeNull()
  expect(await unpackResult(packed.subarray(32), job, ours)).toBeNull()
  expect(await unpackResult(Buffer.alloc(0), job, ours)).toBeNull()
  expect(await unpackResult(await packResult(result, other, ours), other, ours)).toBeNull()
})

it.each(['../../evil', 'a/b', '..', '', 'a\\b', 'a\0b'])(
  'refuses a signed result whose id %j is no name of a file',
  async attemptId => {
    const attempt = { ...makeAttempt({ task: 't', setting: 'offline' }), attemptId }
    const result = { attempt, scores: [], answerText: 'x', leaks: [], trace: '', blobs: {} }
    const job = { runId: 'run', attemptId }
    await expect(unpackResult(await packResult(result, job, ours), job, ours)).rejects.toThrow(
      'name of a file',
    )
  },
)

it('needs no secret for a Redis on this machine', async () => {
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '127.8.0.1'])
    expect(await readQueueSecret(null, { queue: `redis://${host}:6379`, env: {} })).toBeNull()
})

it('reads the secret from a variable or a file', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'queue-secret-')), 'secret')
  await writeFile(path, '0123456789abcdef-file\n')
  const env = { Q: '0123456789abcdef-variable' }
  expect(await readQueueSecret('variable:Q', { queue: far, env })).toBe(env.Q)
  expect(await readQueueSecret(`file:${path}`, { queue: far, env })).toBe('0123456789abcdef-file')
})

it.each([
  ['no secret', null, 'queue-secret-missing'],
  ['an unset variable', 'variable:NONE', 'queue-secret-unreadable'],
  ['a missing file', 'file:/nowhere/secret', 'queue-secret-unreadable'],
  ['a folder', 'file:/tmp', 'queue-secret-unreadable'],
  ['a short secret', 'variable:SHORT', 'queue-secret-short'],
])('refuses %s for a Redis elsewhere', async (_, source, code) => {
  await expect(readQueueSecret(source, { queue: far, env: { SHORT: 'abc' } })).rejects.toMatchObject({ code })
})

it('refuses a secret on the command line without showing it', () => {
  const refused = () => resolveConfig({ tasks: 't', out: 'o', queueSecret: 'my-plain-secret-0001' })
  expect(refused).toThrow(expect.objectContaining({ code: 'queue-secret-in-plain' }))
  expect(refused).not.toThrow('my-plain-secret')
})
