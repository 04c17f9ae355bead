import { hasFileExtension, normaliseKey } from '../text/normalise.ts'
import type { GoldTable } from './gold-table.ts'

/**
 * Returns a function that normalises a key for comparison by rules; it returns '' when nothing is left. A key column
 * whose gold values are all file names is a file column: paths are then removed from the answer's values too.
 */
export function createKeyNormaliser(gold: GoldTable): (key: readonly string[]) => string {
  const isFileColumn = gold.keyColumns.map(name => {
    const values = gold.values.get(name)!.filter(value => value !== '')
    return values.length > 0 && values.every(hasFileExtension)
  })
  return key => {
    const parts = key.map((part, i) => normaliseKey(part, isFileColumn[i] ?? false))
    return parts.every(part => part === '') ? '' : parts.join('\u0000')
  }
}
