/** Returns the columns of the terminal, or Infinity when the output is piped, so that nothing is cut. */
export const terminalWidth = (): number => process.stdout.columns ?? Number.POSITIVE_INFINITY
