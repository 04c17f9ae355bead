/** Lists of a config file whose flag names one entry at a time. */
const singular: Readonly<Record<string, string>> = { plugins: 'plugin' }

/** `--budget-wall` of `budgetWall`. */
export function flagOf(name: string): string {
  return `--${(singular[name] ?? name).replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
}
