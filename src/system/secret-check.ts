import { createHash, timingSafeEqual } from 'node:crypto'

/** Returns whether a text is the secret. It takes the same time for every text, so that the secret cannot be guessed from it. */
export function createSecretCheck(secret: string): (text: string | undefined) => boolean {
  const expected = digest(secret)
  return (text = '') => timingSafeEqual(digest(text), expected)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
