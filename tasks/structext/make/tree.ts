/** The size of a complete tree. */
interface TreeSize {
  /** The edges from the root to each leaf; the rows of a CSV table. */
  readonly depth: number
  /** The children of each node that is not a leaf. */
  readonly width: number
}

/** The size of a generated text. */
export interface StructextShape extends TreeSize {
  /** The fields of a CSV record besides its key. */
  readonly columns: number
  /** The most attributes of an object or tag, for each level of depth. */
  readonly attributes: number
  /** The most words of a paragraph, for each level of depth. */
  readonly words: number
  /** The share of damaged texts among those of Syntax tasks. Null: each node is damaged with a probability of 0.8. */
  readonly damage: number | null
}

/** A node of a complete tree. */
export interface TreeNode {
  readonly name: string
  readonly level: number
  /** The numbers of the siblings on the path to it, from 1; empty for the root. */
  readonly path: readonly number[]
  readonly children: readonly TreeNode[]
}

/** Builds a complete tree, naming its nodes in preorder. */
export function buildTree({ depth, width }: TreeSize, nextName: () => string): TreeNode {
  const build = (level: number, path: readonly number[]): TreeNode => {
    const name = nextName()
    const count = level === depth ? 0 : width
    const children = Array.from({ length: count }, (_, at) => build(level + 1, [...path, at + 1]))
    return { name, level, path, children }
  }
  return build(0, [])
}

/** Lists a node and all below it in preorder. */
export const listNodes = (node: TreeNode): TreeNode[] => [node, ...node.children.flatMap(listNodes)]

/** Returns the number of nodes of a complete tree. */
export function countTreeNodes({ depth, width }: TreeSize): number {
  return width === 1 ? depth + 1 : (width ** (depth + 1) - 1) / (width - 1)
}
