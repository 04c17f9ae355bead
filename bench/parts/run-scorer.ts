import { scoreBatch } from '../../src/score/score-batch.ts'
import { moduleInput } from './process.ts'

export interface ScorerInput {
  readonly file: string
  readonly judge: string
}

export interface ScorerCost {
  /** Reading the file included. */
  readonly cpuMs: number
  readonly tables: number
}

/** Scores a batch in this process and prints what it cost as a line of JSON. */
const { file, judge } = moduleInput<ScorerInput>()
const before = process.cpuUsage()
let tables = 0
for await (const _line of scoreBatch(file, { profile: 'aoe', judge })) tables++
const { user, system } = process.cpuUsage(before)
const cost: ScorerCost = { cpuMs: (user + system) / 1_000, tables }
process.stdout.write(`${JSON.stringify(cost)}\n`)
