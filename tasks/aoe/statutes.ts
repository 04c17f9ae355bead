import type { TableGold } from '../../src/core/task.ts'

const statuteColumn = '关联索引'

/**
 * Returns the names of the statutes that the gold of AOE's task legal_0 cites, each once, in the order of the gold:
 * 中华人民共和国刑法 for 《中华人民共和国刑法》第234条.
 */
export function citedStatutes({ rows }: Pick<TableGold, 'rows'>): string[] {
  const cited = rows.flatMap(row => listOf(row[statuteColumn])).flatMap(statutesOf)
  return [...new Set(cited)]
}

/** Returns the citations of a cell, which is a text or the JSON text of a list. */
function listOf(value: unknown): readonly string[] {
  if (typeof value !== 'string') return []
  try {
    const list: unknown = JSON.parse(value)
    return Array.isArray(list) ? list.filter(item => typeof item === 'string') : [value]
  } catch {
    return [value]
  }
}

/** Returns the names in 《》. Without any, the name is what stands before the article. */
function statutesOf(citation: string): string[] {
  const marked = [...citation.matchAll(/《([^《》]+)》/g)].map(([, name = '']) => name.trim())
  if (marked.length > 0) return marked
  const name = /^(.+?)\s*第[\d〇零一二三四五六七八九十百千]+条/.exec(citation.trim())?.[1]
  return name === undefined ? [] : [name]
}
