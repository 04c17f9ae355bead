import { ConfigError } from '../core/errors.ts'
import { type Judge, noJudge, rulesJudge } from '../score/judge/judge.ts'

/** The judge that --judge names. */
export async function openJudge(name: string): Promise<Judge> {
  if (name === 'none') return noJudge
  if (name === 'rules') return rulesJudge
  throw new ConfigError(`--judge ${name}: (rules, none)`)
}
