import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { run } from '../../../src/api/run.ts'
import { exportRuns } from '../../../src/run/export-runs.ts'
import { readRun } from '../../../src/run/records/read-records.ts'
import { packageRoot } from '../../../src/system/paths.ts'

const demo = join(packageRoot, 'tasks', 'demo')
const python = process.env.PYTHON ?? 'python3'
const has = (name: string): boolean => spawnSync(python, ['-c', `import ${name}`]).status === 0
const needs = (name: string): string => `(needs Python with: pip install ${name}; PYTHON names its program)`

function runPython(script: string, ...args: string[]): unknown {
  const { stdout, stderr, status } = spawnSync(python, ['-c', script, ...args], { encoding: 'utf8' })
  expect(stderr).not.toMatch(/Error/)
  expect(status).toBe(0)
  return JSON.parse(stdout)
}

const validate = `
import sys, json
from atif import Trajectory
print(json.dumps([len(Trajectory.model_validate_json(open(f, "rb").read()).steps) for f in sys.argv[1:]]))
`

const readLogs = `
import sys, json
from inspect_ai.log import list_eval_logs, read_eval_log, read_eval_log_sample_summaries
found = []
for info in list_eval_logs(sys.argv[1]):
    assert len(read_eval_log_sample_summaries(info)) == len(read_eval_log(info).samples)
    for s in read_eval_log(info).samples:
        usage = [u for u in s.model_usage.values()][0]
        calls = [c.function for m in s.messages if m.role == "assistant" for c in m.tool_calls or []]
        events = [e.event for e in s.events]
        found.append({"id": s.metadata["attemptId"], "answer": s.output.completion, "error": s.error and s.error.message,
            "input": usage.input_tokens, "output": usage.output_tokens, "scores": list(s.scores), "calls": len(calls),
            "events": [events.count("model"), events.count("tool")], "cellF1": s.scores["aoe"].value["cellF1"]})
print(json.dumps(sorted(found, key=lambda f: f["id"])))
`

describe('exported logs of the demo', () => {
  let folder = ''

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agent-logs-'))
    const options = {
      tasks: join(demo, 'tasks.jsonl'),
      docs: join(demo, 'documents'),
      web: 'sealed',
    } as const
    await run({
      ...options,
      setting: ['rag', 'online'],
      model: ['extractive'],
      limit: 3,
      out: join(folder, 'demo'),
    })
  })

  it.skipIf(!has('atif'))(`are valid trajectories ${needs('atif')}`, async () => {
    const to = join(folder, 'atif')
    await exportRuns([join(folder, 'demo')], { to, format: 'atif' })
    const files = (await readdir(join(to, 'demo'))).map(name => join(to, 'demo', name))
    expect(files).toHaveLength(6)
    expect(runPython(validate, ...files)).toHaveLength(6)
  })

  it.skipIf(!has('inspect_ai'))(`are read by Inspect AI ${needs('inspect_ai')}`, async () => {
    const to = join(folder, 'inspect')
    await exportRuns([join(folder, 'demo')], { to, format: 'inspect' })
    const { attempts, scores } = await readRun(join(folder, 'demo'))
    const samples = attempts.map(async ({ attemptId, usage }) => ({
      ...{
        id: attemptId,
        error: null,
        input: usage.inputTokens,
        output: usage.outputTokens,
        scores: ['aoe'],
      },
      answer: await readFile(join(folder, 'demo', 'answers', `${attemptId}.txt`), 'utf8'),
      calls: (usage.searchCalls ?? 0) + (usage.fetchCalls ?? 0),
      events: [usage.modelCalls, (usage.searchCalls ?? 0) + (usage.fetchCalls ?? 0)],
      cellF1: scores.find(score => score.attemptId === attemptId)?.metrics.cellF1,
    }))
    const inOrder = (await Promise.all(samples)).sort((a, b) => (a.id < b.id ? -1 : 1))
    expect(runPython(readLogs, to)).toEqual(inOrder)
  })
})
