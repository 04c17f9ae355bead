/** A resource that is closed with the run. */
interface Closable {
  close(): Promise<void>
}

/** Registers a resource to be closed with the run. */
export type CloseLater = (opened: Closable | null) => void

/**
 * Opens resources that belong together. When one cannot be opened, closes the others and throws.
 *
 * @param open registers each resource as soon as it is open
 * @returns what `open` returns, with a function that closes the resources in reverse order
 */
export async function openTogether<T>(open: (closeLater: CloseLater) => Promise<T>): Promise<T & Closable> {
  const closers: (() => Promise<void>)[] = []
  try {
    const opened = await open(resource => {
      if (resource !== null) closers.push(() => resource.close())
    })
    return { ...opened, close: () => closeAll(closers) }
  } catch (error) {
    await closeAll(closers)
    throw error
  }
}

/** Closes all in reverse order, also when some fail, and then throws the first failure. */
export async function closeAll(closers: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = []
  for (const close of closers.toReversed())
    await close().catch((error: unknown) => {
      failures.push(error)
    })
  if (failures.length > 0) throw failures[0]
}
