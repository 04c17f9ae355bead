/** Columns of the terminal; what is piped elsewhere is never cut. */
export const terminalWidth = (): number => process.stdout.columns ?? Number.POSITIVE_INFINITY
