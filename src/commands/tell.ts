import { messageWithoutSecrets } from '../../logs/redact-command.ts'
import { withoutControlCharacters } from '../text/plain-text.ts'

/** Writes a notice to standard error, without control characters and secrets. Standard output contains results only. */
export function tell(line: string): void {
  process.stderr.write(`${messageWithoutSecrets(withoutControlCharacters(line))}\n`)
}
