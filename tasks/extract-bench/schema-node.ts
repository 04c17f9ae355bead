import type { JsonValue } from '../../src/score/python/json-value.ts'

/** A metric by which a node is scored. */
export interface MetricChoice {
  readonly metricId: string
  readonly params: Readonly<Record<string, JsonValue>>
}

interface NodeBase {
  readonly nullable: boolean
  readonly title: string | null
  readonly description: string | null
  readonly example: JsonValue
  readonly metrics: readonly MetricChoice[]
}

/** A node of type object. */
export interface ObjectNode extends NodeBase {
  readonly kind: 'object'
  readonly properties: ReadonlyMap<string, MetricNode>
  readonly required: ReadonlySet<string>
  /** The schema of all keys that `properties` does not name; null when there is none. */
  readonly additional: MetricNode | null
}

/** A node of type array. */
interface ArrayNode extends NodeBase {
  readonly kind: 'array'
  readonly items: MetricNode
}

/** A node with alternative schemas. */
interface AnyOfNode extends NodeBase {
  readonly kind: 'anyof'
  readonly branches: readonly MetricNode[]
}

/** A node without children. */
interface PrimitiveNode extends NodeBase {
  readonly kind: 'string' | 'number' | 'integer' | 'boolean' | 'null'
}

/** A node of a schema's tree, with every `$ref` expanded. */
export type MetricNode = ObjectNode | ArrayNode | AnyOfNode | PrimitiveNode

/** The direct children of a node, each with the piece of the path that leads to it. */
export function* listChildren(node: MetricNode): Generator<readonly [string, MetricNode]> {
  switch (node.kind) {
    case 'object':
      for (const [key, child] of node.properties) yield [`.properties.${key}`, child]
      if (node.additional !== null) yield ['.additionalProperties', node.additional]
      return
    case 'array':
      yield ['.items', node.items]
      return
    case 'anyof':
      for (const [i, branch] of node.branches.entries()) yield [`.anyOf[${i}]`, branch]
      return
    default:
  }
}
