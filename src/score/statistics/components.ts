/** A task with the documents that it asks about. */
export interface TaskDocuments {
  readonly task: string
  readonly documents: readonly string[]
}

/**
 * Finds the connected components of tasks that share documents. Two tasks are in one component when they have a document
 * in common, or when a chain of such tasks connects them. A task without documents is its own component. Components are
 * the independent units of intervals and tests.
 *
 * @param tasks the same task may occur several times, each time with some of its documents
 * @returns the component of each task, named by its first task
 */
export function findTaskComponents(tasks: readonly TaskDocuments[]): ReadonlyMap<string, string> {
  const parents = new Map<string, string>()
  const rootOf = (task: string): string => {
    let root = task
    while (parents.get(root) !== root) root = parents.get(root)!
    // This shortens the path for later searches.
    for (let at = task; at !== root; ) {
      const next = parents.get(at)!
      parents.set(at, root)
      at = next
    }
    return root
  }
  const firstTask = new Map<string, string>()
  for (const { task, documents } of tasks) {
    if (!parents.has(task)) parents.set(task, task)
    for (const document of documents) {
      const other = firstTask.get(document)
      if (other === undefined) firstTask.set(document, task)
      else parents.set(rootOf(task), rootOf(other))
    }
  }
  return new Map([...parents.keys()].map(task => [task, rootOf(task)]))
}
