import { isObject, readText } from '../../src/text/json.ts'

/** Returns the JSON Schema of an answer as a prompt shows it, without the keywords for scoring. */
export function shownSchema(schema: unknown): string {
  return JSON.stringify(withoutScoring(schema), null, 1)
}

/** The keywords whose values map names to schemas. Their keys are not keywords. */
const namedSchemas = new Set(['properties', '$defs', 'defs', 'definitions'])

function withoutScoring(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutScoring)
  if (!isObject(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => keyword !== 'evaluation_config')
      .map(([keyword, value]) => [
        keyword,
        namedSchemas.has(keyword) ? eachNamed(value) : withoutScoring(value),
      ]),
  )
}

function eachNamed(value: unknown): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, withoutScoring(schema)]))
}

/** The most fields that are looked up one by one. */
const maxFields = 40

/** Returns a query for each field of a schema, from its name and description, top-level fields first. */
export function fieldQueries(schema: unknown): string[] {
  const queries = new Set<string>()
  let level: unknown[] = [schema]
  for (let depth = 0; level.length > 0 && depth < 8 && queries.size < maxFields; depth++) {
    const next: unknown[] = []
    for (const node of level) {
      if (node === null || typeof node !== 'object') continue
      const { properties, items, anyOf } = node as Readonly<Record<string, unknown>>
      next.push(items, ...(Array.isArray(anyOf) ? anyOf : []))
      if (properties === null || typeof properties !== 'object') continue
      for (const [name, field] of Object.entries(properties as object)) {
        if (!isObject(field) || !('properties' in field)) queries.add(writeQuery(name, field))
        next.push(field)
      }
    }
    level = next
  }
  return [...queries].slice(0, maxFields)
}

function writeQuery(name: string, field: unknown): string {
  const words = name.replaceAll('_', ' ')
  const about = isObject(field) ? readText(field.description) : ''
  return about === '' ? words : `${words}: ${about}`
}
