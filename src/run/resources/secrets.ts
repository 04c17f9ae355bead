/** Returns the values of environment variables whose names look like keys, such as OPENAI_API_KEY. */
export function secretsOf(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    /(_API_KEY|_TOKEN|_SECRET)$/.test(name) && value !== undefined && value.length >= 8 ? [value] : [],
  )
}
