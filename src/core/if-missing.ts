/** For `catch`: null where a file or folder is not there; any other failure is thrown on. */
export function ifMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}
