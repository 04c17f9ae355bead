import type { Random } from '../../../src/core/runtime.ts'
import type { GeneratedText } from './generated-text.ts'
import { lowerCase, nameSeries, paragraphWords, pick, pickNumber, upperCase } from './names.ts'
import { buildTree, listNodes, type StructextShape, type TreeNode } from './tree.ts'

type Pairs = ReadonlyMap<TreeNode, readonly (readonly [string, string])[]>

/** The share of nodes that a damaged copy breaks. */
const brokenShare = 0.8

interface Written {
  readonly root: TreeNode
  readonly pairs: Pairs
  readonly values: readonly string[]
  /** The words in each XML tag. */
  readonly contents: ReadonlyMap<TreeNode, string>
}

function addPairs(shape: StructextShape, random: Random, nextName: () => string): Written {
  const root = buildTree(shape, nextName)
  const nextKey = nameSeries([...upperCase].reverse())
  const nextValue = nameSeries([...lowerCase].reverse(), pickNumber(random, 0, 25))
  const ids = new Set(listNodes(root).map(({ name }) => name))
  // A value that is also an id would make the question for its path ambiguous.
  const nextFreeValue = (): string => {
    const value = nextValue()
    return ids.has(value) ? nextFreeValue() : value
  }
  const values: string[] = []
  const pairs = new Map(
    listNodes(root).map(node => {
      const nodePairs = Array.from({ length: pickNumber(random, 1, shape.depth * shape.attributes) }, () => {
        values.push(nextFreeValue())
        return [nextKey(), values.at(-1)!] as const
      })
      return [node, nodePairs]
    }),
  )
  const nextContent = nameSeries(paragraphWords, 0, ' ')
  const contents = new Map(listNodes(root).map(node => [node, nextContent()]))
  return { root, pairs, values, contents }
}

/** Writes nested objects as JSON or YAML, with the questions about them. */
export function writeObjects(
  language: 'json' | 'yaml',
  shape: StructextShape,
  random: Random,
): GeneratedText {
  const nextName = nameSeries(lowerCase, pickNumber(random, 0, 25))
  const tree = addPairs(shape, random, nextName)
  const write = language === 'json' ? writeJsonLines : writeYamlLines
  const reference = write(tree.root, tree, 0).join('\n')
  const node = pick(random, listNodes(tree.root)).name
  const isDamaged = chooseDamage(tree.root, shape, random)
  const damaged = write(tree.root, { ...tree, isDamaged }, 0).join('\n')
  return {
    reference,
    damaged: { template: 2, text: damaged },
    parameters: [[node], [], [], [pick(random, tree.values)], []],
  }
}

type IsDamaged = (node: TreeNode) => boolean

interface Damage extends Written {
  /** Whether to break a node; absent for a sound text. */
  readonly isDamaged?: IsDamaged
}

/** Returns which nodes of a copy to break. With a share of damaged texts, a text is sound or has at least one broken node. */
function chooseDamage(root: TreeNode, { damage }: StructextShape, random: Random): IsDamaged {
  if (damage === null) return () => random() < brokenShare
  if (random() >= damage) return () => false
  const broken = pick(random, listNodes(root))
  return node => node === broken || random() < brokenShare
}

function writeJsonLines(node: TreeNode, written: Damage, level: number): string[] {
  const members = [
    `"id":"${node.name}",`,
    ...written.pairs.get(node)!.map(([key, value]) => `"${key}":"${value}",`),
    ...(node.children.length === 0 ? ['"subs":[]'] : ['"subs":[']),
  ]
  const indent = ' '.repeat(level)
  const children = node.children.flatMap((child, at) => {
    const lines = writeJsonLines(child, written, level + 1)
    if (at < node.children.length - 1) lines.push(`${lines.pop()},`)
    return lines
  })
  const list = node.children.length === 0 ? [] : [...children, `${indent}]`]
  const end = written.isDamaged?.(node) === true ? [] : [`${indent}}`]
  return [`${indent}{`, ...members.map(line => indent + line), ...list, ...end]
}

function writeYamlLines(node: TreeNode, written: Damage, level: number): string[] {
  const indent = '  '.repeat(level)
  const first = level === 0 ? '' : `${'  '.repeat(level - 1)}- `
  return [
    `${first}id: "${node.name}"`,
    ...written.pairs.get(node)!.map(([key, value]) => `${indent}${key}: ${value},`),
    `${indent}subs: ${node.children.length === 0 ? '[]' : ''}`,
    ...node.children.flatMap(child => writeYamlLines(child, written, level + 1)),
    ...(written.isDamaged?.(node) === true ? [`${indent}:${node.name}`] : []),
  ]
}

/** Writes nested tags as XML, with the questions about them. */
export function writeXml(shape: StructextShape, random: Random): GeneratedText {
  const tree = addPairs(shape, random, nameSeries(upperCase))
  const lines = (isDamaged: IsDamaged): string =>
    ['<?xml version="1.0" encoding="UTF-8"?>', ...writeXmlLines(tree.root, { ...tree, isDamaged }, 0)].join(
      '\n',
    )
  return {
    reference: lines(() => false),
    damaged: { template: 2, text: lines(chooseDamage(tree.root, shape, random)) },
    parameters: [[pick(random, listNodes(tree.root)).name], [pick(random, tree.values)], []],
  }
}

function writeXmlLines(node: TreeNode, written: Damage, level: number): string[] {
  const indent = ' '.repeat(level)
  const attributes = written.pairs.get(node)!.map(([key, value]) => ` ${key}="${value}"`)
  return [
    `${indent}<${node.name}${attributes.join('')}>`,
    ...node.children.flatMap(child => writeXmlLines(child, written, level + 1)),
    `${indent} ${written.contents.get(node)!}`,
    ...(written.isDamaged?.(node) === true ? [] : [`${indent}</${node.name}>`]),
  ]
}
