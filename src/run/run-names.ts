import { basename, resolve } from 'node:path'

/** Names runs by their folders, or by their paths when several folders have the same name. The names are distinct. */
export function runNames(folders: readonly string[]): string[] {
  const names = folders.map(folder => basename(resolve(folder)))
  const clear = names.map((name, at) =>
    names.indexOf(name) === names.lastIndexOf(name) ? name : folders[at]!,
  )
  return clear.map((name, at) => {
    const earlier = clear.slice(0, at).filter(earlierName => earlierName === name).length
    return earlier === 0 ? name : `${name} (${earlier + 1})`
  })
}
