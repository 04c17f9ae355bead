/** Every value of an environment variable that looks like a key. */
export function secretsOf(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    /(_API_KEY|_TOKEN|_SECRET)$/.test(name) && value !== undefined && value.length >= 8 ? [value] : [],
  )
}
