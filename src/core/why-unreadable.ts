const words: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EISDIR: 'is a folder, not a file',
}

/** Why the file system did not give a file, in a few words: `no such file`; errors of other kinds are thrown on. */
export function whyUnreadable(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) throw error
  return words[String(error.code)] ?? `can't be read (${String(error.code)})`
}
