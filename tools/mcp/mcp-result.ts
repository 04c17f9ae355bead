import { z } from 'zod/v4'
import { canonicalJson } from '../../src/system/hash.ts'
import { parseJsonOrNull } from '../../src/text/json.ts'

const text = z.string().optional().catch(undefined)

const resourceSchema = z.looseObject({ uri: text, mimeType: text, text, blob: text })
const blockSchema = z.looseObject({
  type: z.string().catch('content'),
  ...{ text, uri: text, name: text, title: text, description: text, mimeType: text },
  resource: resourceSchema.optional().catch(undefined),
})
type ResultBlock = z.output<typeof blockSchema>

/** Some servers send one block, or a text, instead of a list of blocks. */
function listBlocks(content: unknown): unknown[] {
  const blocks = [content ?? []].flat()
  return blocks.map(block => (typeof block === 'string' ? { type: 'text', text: block } : block))
}

/** The result of a tool call. What cannot be read is named in the text, and does not fail the call. */
export const mcpResultSchema = z.looseObject({
  content: z.preprocess(listBlocks, z.array(blockSchema.catch({ type: 'content' }))),
  structuredContent: z.unknown().optional(),
  isError: z.unknown().transform(value => value === true || value === 'true'),
})

/** The result of a tool call of an MCP server. */
export type McpResult = z.output<typeof mcpResultSchema>

/**
 * Prints a result for a model: its texts, links and embedded resources with their addresses, and its structured content
 * unless a text repeats it. A result with neither of these is printed with its other members.
 */
export function printMcpResult({
  content,
  structuredContent,
  isError,
  _meta,
  ...unknown
}: McpResult): string {
  if (content.length === 0 && structuredContent === undefined && Object.keys(unknown).length > 0)
    return JSON.stringify(unknown)
  const blocks = content.map(printBlock)
  const structured = structuredContent ?? null
  const isRepeated = content.some(
    block =>
      block.text !== undefined && canonicalJson(parseJsonOrNull(block.text)) === canonicalJson(structured),
  )
  return [...blocks, ...(structured === null || isRepeated ? [] : [JSON.stringify(structured)])].join('\n')
}

function printBlock(block: ResultBlock): string {
  if (block.type === 'resource_link') return printLink(block)
  if (block.resource !== undefined) return printResource(block.resource)
  if (block.text !== undefined) return block.text
  return `[${block.type}${block.mimeType === undefined ? '' : ` (${block.mimeType})`} left out]`
}

function printLink({ uri = '', name, title, description, mimeType }: ResultBlock): string {
  const type = mimeType === undefined ? '' : ` (${mimeType})`
  const words = [title ?? name, description].filter(word => word !== undefined && word !== '')
  return [...words, `${uri}${type}`].join(': ')
}

const textTypes = /^text\/|[/+](?:json|xml|yaml|csv|javascript|x-ndjson)\b/i

function printResource({ uri, mimeType, text: words, blob }: z.output<typeof resourceSchema>): string {
  const type = mimeType === undefined ? '' : ` (${mimeType})`
  const address = `[resource${uri === undefined ? '' : ` ${uri}`}${type}]`
  if (words !== undefined) return uri === undefined ? words : `${address}\n${words}`
  const bytes = Buffer.from(blob ?? '', 'base64')
  if (mimeType !== undefined && textTypes.test(mimeType)) return `${address}\n${bytes.toString('utf8')}`
  return `${address.slice(0, -1)}, ${bytes.byteLength} bytes left out]`
}
