/** What a call of a tool of an MCP server may be charged as. */
export const mcpCharges = ['fetch', 'search', 'none'] as const
export type McpCharge = (typeof mcpCharges)[number]
