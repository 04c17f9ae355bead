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
