import { withoutControlCharacters } from '../text/plain-text.ts'

/** Writes a notice to standard error, without control characters. Standard output contains results only. */
export function tell(line: string): void {
  process.stderr.write(`${withoutControlCharacters(line)}\n`)
}
