import type { AskedTemplate } from './asked-template.ts'

/** Answers a question about a tree with one line `FATHER->CHILD` per edge. */
export function solveTree({ template, parameters, reference }: AskedTemplate): string | null {
  const fathers = new Map<string, string>()
  for (const line of reference.trim().split('\n')) {
    const [father = '', child = ''] = line.trim().split('->')
    fathers.set(child, father)
  }
  const nodes = new Set([...fathers.keys(), ...fathers.values()])
  const pathTo = (node: string): string[] => {
    const path = [node]
    while (fathers.has(path[0]!) && path.length <= nodes.size) path.unshift(fathers.get(path[0]!)!)
    return path
  }
  if (template === 0) return String(Math.max(...[...nodes].map(node => pathTo(node).length - 1)))
  const [node = ''] = parameters
  if (!nodes.has(node)) return null
  return template === 1 ? String(pathTo(node).length - 1) : pathTo(node).join('->')
}
