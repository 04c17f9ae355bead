// Runs one demo task offline with the rule-based model, then reads the run's records back.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readRun, run } from 'tablehunt'

const demo = fileURLToPath(new URL('../tasks/demo/', import.meta.url))
const out = await mkdtemp(join(tmpdir(), 'tablehunt-example-'))
await run({ tasks: `${demo}tasks.jsonl`, docs: `${demo}documents`, setting: 'offline', limit: 1, out })

const { attempts, scores } = await readRun(out)
for (const attempt of attempts) {
  const score = scores.find(one => one.attemptId === attempt.attemptId)
  console.log(
    `${attempt.taskId}: ${attempt.termination.reason}, Cell F1 ${score?.metrics.cellF1 ?? 'unscored'}`,
  )
}
