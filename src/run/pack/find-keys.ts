import { open } from 'node:fs/promises'
import { createRedactor, secretRules } from '../../../logs/redact.ts'
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

/** So much of a file is searched at a time. Keys are shorter than the part that two pieces share. */
const [pieceBytes, sharedBytes] = [16_000_000, 20_000]

/**
 * Searches a file for the spellings of secrets, and for texts that look like keys. Files of any size are read piece by piece.
 *
 * @param name the name of the file in findings
 */
export async function findKeys(
  path: string,
  name: string,
  spellings: readonly string[],
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
      for (const { line, ...key } of findKeysInText(bytes, spellings))
        findings.push({ file: name, line: line === null ? null : line + lines, ...key })
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

const redactor = createRedactor([])

/**
 * Finds the spellings of secrets, and what else the redactor would remove. In a file that is no text, only the spellings.
 *
 * @param spellings sorted as by `sortSpellings`
 */
export function findKeysInText(bytes: Buffer, spellings: readonly string[]): FoundKey[] {
  if (bytes.subarray(0, 8_000).includes(0))
    return spellings.filter(spelling => bytes.includes(spelling)).map(() => makeFoundKey('known', '', null))
  const text = bytes.toString('utf8')
  const found: FoundKey[] = []
  const lineAt = (index: number): number => text.slice(0, index).split('\n').length
  let rest = text
  for (const spelling of spellings) {
    if (!rest.includes(spelling)) continue
    found.push(makeFoundKey('known', '', lineAt(text.indexOf(spelling))))
    // A shorter spelling may be a part of this one.
    rest = rest.replaceAll(spelling, redacted)
  }
  // The redactor decides quickly that most texts contain nothing.
  if (redactor.text(rest) !== rest)
    for (const [rule, replacement] of secretRules)
      for (const match of text.matchAll(rule)) {
        const isKnown = spellings.some(spelling => match[0].includes(spelling))
        const isRedacted = match[0].includes(redacted) || match[0].replace(rule, replacement) === match[0]
        if (!isKnown && !isRedacted) found.push(makeFoundKey('likely', match[0], lineAt(match.index)))
      }
  return found
}

function makeFoundKey(kind: FoundKey['kind'], key: string, line: number | null): FoundKey {
  return { kind, line, shown: kind === 'known' ? '' : `${JSON.stringify(key.slice(0, 8)).slice(1, -1)}…` }
}
