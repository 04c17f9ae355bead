import { open } from 'node:fs/promises'
import { redactorFor, secretRules } from '../../../logs/redact.ts'
import { redacted } from '../../system/secret-values.ts'

/** Text of a file that looks like a key. */
export interface KeyFinding {
  readonly file: string
  /** From 1; null in a file that is no text. */
  readonly line: number | null
  /** `known`: the value of a key variable of this process. `likely`: it only has the shape of a key. */
  readonly kind: 'known' | 'likely'
  /** The beginning of what looks like a key; empty for a known one. */
  readonly shown: string
}

/** Keys whose shape alone is enough, besides those that records are cleaned of (logs/redact.ts). */
const keyShapes: readonly RegExp[] = [
  /\bAKIA[0-9A-Z]{16}\b/g,
  /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/g,
  /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g,
  /\b(?:hf|npm)_(?=[A-Za-z]*\d|[a-z]*[A-Z])[A-Za-z0-9]{30,}\b/g,
  /\bgithub_pat_\w{30,}/g,
  /\bglpat-[\w-]{20,}/g,
]
const anyShape = /AKIA|PRIVATE KEY|eyJ|hf_|npm_|github_pat_|glpat-/

/** So much of a file is searched at a time. Keys are shorter than the part that two pieces share. */
const [pieceBytes, sharedBytes] = [16_000_000, 20_000]

/**
 * Searches a file for the values of secrets, and for texts that look like keys. Files of any size are read piece by piece.
 *
 * @param name the name of the file in findings
 */
export async function findKeys(
  path: string,
  name: string,
  secrets: readonly string[],
): Promise<KeyFinding[]> {
  const file = await open(path, 'r')
  const findings: KeyFinding[] = []
  try {
    const { size } = await file.stat()
    const piece = Buffer.alloc(Math.min(size, pieceBytes))
    let lines = 0
    for (let at = 0; at < size; at += pieceBytes - sharedBytes) {
      const { bytesRead } = await file.read(piece, 0, piece.length, at)
      const bytes = piece.subarray(0, bytesRead)
      findings.push(
        ...keysIn(bytes, secrets).map(({ line, ...key }) => ({
          file: name,
          line: line === null ? null : line + lines,
          ...key,
        })),
      )
      if (at + pieceBytes >= size) break
      lines += countLines(bytes.subarray(0, pieceBytes - sharedBytes))
    }
  } finally {
    await file.close()
  }
  return findings
}

const countLines = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum + (byte === 10 ? 1 : 0), 0)

type FoundKey = Omit<KeyFinding, 'file'>

/** Finds what the redactor would remove, and further shapes of keys. In a file that is no text, only known values. */
export function keysIn(bytes: Buffer, secrets: readonly string[]): FoundKey[] {
  if (bytes.subarray(0, 8_000).includes(0))
    return secrets.filter(secret => bytes.includes(secret)).map(secret => foundKey('known', secret, null))
  const text = bytes.toString('utf8')
  const found: FoundKey[] = []
  const lineAt = (index: number): number => text.slice(0, index).split('\n').length
  // The redactor decides quickly that most texts contain nothing.
  if (redactorFor(secrets).text(text) !== text) {
    for (const secret of secrets.filter(value => text.includes(value)))
      found.push(foundKey('known', secret, lineAt(text.indexOf(secret))))
    for (const [rule, replacement] of secretRules)
      for (const match of text.matchAll(rule)) {
        const isKnown = secrets.some(secret => match[0].includes(secret))
        const isRedacted = match[0].includes(redacted) || match[0].replace(rule, replacement) === match[0]
        if (!isKnown && !isRedacted) found.push(foundKey('likely', match[0], lineAt(match.index)))
      }
    const isEncoded = found.length === 0 && redactorFor([]).text(text) === text
    if (isEncoded) found.push({ kind: 'known', line: null, shown: '' })
  }
  if (anyShape.test(text))
    for (const shape of keyShapes)
      for (const match of text.matchAll(shape)) found.push(foundKey('likely', match[0], lineAt(match.index)))
  return found
}

function foundKey(kind: FoundKey['kind'], key: string, line: number | null): FoundKey {
  return { kind, line, shown: kind === 'known' ? '' : `${JSON.stringify(key.slice(0, 8)).slice(1, -1)}…` }
}
