import { messageWithoutSecrets } from '../../logs/redact-command.ts'
import { withoutSecrets } from '../system/secret-values.ts'
import { escapeControlCharacters, withoutControlCharacters } from '../text/plain-text.ts'

/** Writes a notice to standard error, without control characters and secrets. Standard output contains results only. */
export function tell(line: string): void {
  process.stderr.write(`${messageWithoutSecrets(withoutControlCharacters(line))}\n`)
}

/** Prints a value to standard output as one line of JSON. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}

/**
 * Removes the secrets that this process has read from everything that it prints, and escapes what could control a
 * terminal. The program calls this once, before it does anything else.
 */
export function guardOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream) as (...args: readonly unknown[]) => boolean
    stream.write = ((chunk: unknown, ...rest: readonly unknown[]) =>
      write(
        typeof chunk === 'string' ? escapeControlCharacters(withoutSecrets(chunk)) : chunk,
        ...rest,
      )) as typeof stream.write
  }
}

/** Returns the columns of the terminal, or Infinity when the output is piped, so that nothing is cut. */
export const measureTerminal = (): number => process.stdout.columns ?? Number.POSITIVE_INFINITY

const chunkChars = 65_536

/** Prints lines to stdout as they come, several in one write. After an error, the lines before it are printed too. */
export async function printLines(lines: AsyncIterable<string>): Promise<void> {
  let pending = ''
  let isPlanned = false
  const flush = (): void => {
    isPlanned = false
    if (pending !== '') process.stdout.write(pending)
    pending = ''
  }
  try {
    for await (const line of lines) {
      pending += `${line}\n`
      if (pending.length >= chunkChars) flush()
      else if (!isPlanned) {
        isPlanned = true
        setImmediate(flush)
      }
    }
  } finally {
    flush()
  }
}
