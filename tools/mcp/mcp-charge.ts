/** The ways to charge a call of an MCP server's tool. */
export const mcpCharges = ['fetch', 'search', 'none'] as const
export type McpCharge = (typeof mcpCharges)[number]
