import { toJsonSchema } from '@langchain/core/utils/json_schema'

const schemas = new WeakMap<object, unknown>()

/** Returns the JSON Schema of a tool's input. The result is cached. */
export function toolSchema({ schema }: { readonly schema: unknown }): unknown {
  const known = schemas.get(schema as object)
  if (known !== undefined) return known
  const json: unknown = toJsonSchema(schema as Parameters<typeof toJsonSchema>[0])
  schemas.set(schema as object, json)
  return json
}
