/** The JSON Schema that an answer must follow, as a prompt shows it: without what only says how answers are scored. */
export function shownSchema(schema: unknown): string {
  return JSON.stringify(withoutScoring(schema), null, 1)
}

/** Maps from names to schemas, where a key is a name and no keyword. */
const namedSchemas = new Set(['properties', '$defs', 'defs', 'definitions'])

function withoutScoring(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutScoring)
  if (schema === null || typeof schema !== 'object') return schema
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
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, withoutScoring(schema)]))
}

/** More fields than these are too many to look up one by one. */
const maxFields = 40

/** A query for each field of a schema, by name and description, those of the top first. */
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
        if (!hasFields(field)) queries.add(queryOf(name, field))
        next.push(field)
      }
    }
    level = next
  }
  return [...queries].slice(0, maxFields)
}

function hasFields(field: unknown): boolean {
  return field !== null && typeof field === 'object' && 'properties' in field
}

function queryOf(name: string, field: unknown): string {
  const words = name.replaceAll('_', ' ')
  const about: unknown =
    field !== null && typeof field === 'object' ? Reflect.get(field, 'description') : undefined
  return typeof about === 'string' && about !== '' ? `${words}: ${about}` : words
}
