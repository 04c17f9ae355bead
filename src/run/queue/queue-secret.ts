import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { ConfigError } from '../../core/errors.ts'
import { whyUnreadable } from '../../system/files.ts'
import { registerSecret } from '../../system/secret-values.ts'
import { formatRedisPlace } from './redis.ts'

/** What is signed. A signature of one kind is not valid for another. */
type SignedKind = 'campaign' | 'job' | 'result'

/** Signs what a run and its workers exchange through Redis, and checks the signatures of the other side. */
export interface QueueSigner {
  /** Returns the HMAC-SHA-256 of the parts. */
  sign(kind: SignedKind, parts: readonly (string | Uint8Array)[]): Buffer
  isSigned(kind: SignedKind, parts: readonly (string | Uint8Array)[], signature: Uint8Array): boolean
}

/** Creates a signer. Without a secret, everyone who can write to Redis can sign, so signatures only find accidents. */
export function createSigner(secret: string | null): QueueSigner {
  const sign: QueueSigner['sign'] = (kind, parts) => {
    const hmac = createHmac('sha256', secret ?? 'without a secret').update(`tablehunt ${kind}\n`)
    for (const part of parts) hmac.update(`${Buffer.byteLength(part)}\n`).update(part)
    return hmac.digest()
  }
  return {
    sign,
    isSigned(kind, parts, signature) {
      const expected = sign(kind, parts)
      return signature.byteLength === expected.length && timingSafeEqual(signature, expected)
    },
  }
}

/** A shorter secret could be guessed from a signature. */
const leastSecretChars = 16

/**
 * Reads the secret that a run shares with its workers.
 *
 * @param source `variable:NAME` or `file:PATH`; null when the user names none
 * @returns null when none is named and Redis is on this machine
 * @throws ConfigError [queue-secret-missing, queue-secret-unreadable, queue-secret-short]
 */
export async function readQueueSecret(
  source: string | null,
  { queue, env }: { readonly queue: string; readonly env: NodeJS.ProcessEnv },
): Promise<string | null> {
  if (source === null) {
    if (isOnThisMachine(queue)) return null
    throw new ConfigError(
      `--queue: Redis at ${formatRedisPlace(queue)} is not on this machine, and everyone who can write to it could give the workers commands. Give the run and its workers the same secret: --queue-secret variable:NAME or file:PATH.`,
      { code: 'queue-secret-missing' },
    )
  }
  const secret = (await readSource(source, env)).trim()
  if (secret.length < leastSecretChars)
    throw new ConfigError(
      `--queue-secret ${source}: the secret has fewer than ${leastSecretChars} characters. Make one, for example with: openssl rand -hex 32`,
      { code: 'queue-secret-short' },
    )
  registerSecret(secret)
  return secret
}

async function readSource(source: string, env: NodeJS.ProcessEnv): Promise<string> {
  const [, kind, name = ''] = /^(variable|file):(.*)$/s.exec(source) ?? []
  const unreadable = (problem: string, cause?: unknown): ConfigError =>
    new ConfigError(`--queue-secret ${source}: ${problem}.`, { code: 'queue-secret-unreadable', cause })
  if (kind === 'file')
    return await readFile(name, 'utf8').catch(error => {
      throw unreadable(`${whyUnreadable(error)}. Correct the path or its permissions`, error)
    })
  const value = env[name]
  if (value === undefined || value === '') throw unreadable(`the variable ${name} is not set. Set it`)
  return value
}

function isOnThisMachine(queue: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(new URL(queue).hostname)
}
