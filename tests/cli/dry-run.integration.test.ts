import { existsSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { demoPaths } from '../../tasks/demo/demo.ts'
import { tablehunt } from './cli.ts'

const demo = [
  'run',
  '--tasks',
  demoPaths.tasks,
  '--docs',
  demoPaths.documents,
  '--web',
  'sealed',
  '--dry-run',
]

it('prints the highest and the typical cost in a dry run, calls no model and writes nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-dry-'))
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.method}`)
    response.writeHead(404).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const prices = join(folder, 'prices.json')
  await writeFile(prices, JSON.stringify({ tiny: { input: 1, cachedInput: 1, output: 2 } }))
  const model = ['--model', `openai:tiny@http://127.0.0.1:${port}/v1`, '--context-window', '8k']
  const out = join(folder, 'run')
  const args = [...demo, ...model, '--limit', '2', '--setting', 'offline,online', '--out', out]
  const known = await tablehunt([...args, '--prices', prices, '--run-budget-usd', '3', '--json'])
  const unknown = await tablehunt(args)
  const typing = join(folder, 'typing-error.json')
  await writeFile(typing, JSON.stringify({ tinny: { input: 1, output: 2 } }))
  const misspelt = await tablehunt([...args, '--prices', typing])
  expect(misspelt.stdout).toContain(
    'openai:tiny has no price. --prices names tinny, which this run does not use.',
  )
  expect({ code: known.code, stderr: known.stderr }).toMatchObject({ code: 0 })
  const estimate = JSON.parse(known.stdout)
  expect(estimate).toMatchObject({ attempts: 4, atMost: { usd: 3 } })
  expect(estimate.rows[0].atMost).toEqual({ tokens: 16_000, searchCalls: 0, usd: 0.032 })
  expect(estimate.rows[1].atMost).toEqual({ tokens: 8_000_000, searchCalls: 120, usd: 16 })
  const capped = await tablehunt([...args, '--prices', prices, '--budget-tokens', '1k', '--json'])
  for (const { atMost, typical } of JSON.parse(capped.stdout).rows) {
    expect(typical.tokens).toBeLessThanOrEqual(atMost.tokens)
    expect(typical.usd).toBeLessThanOrEqual(atMost.usd)
  }
  expect(estimate.typical.usd).toBeLessThan(3)
  server.close()
  expect(unknown.code).toBe(0)
  expect(unknown.stdout).toContain('unknown')
  expect(existsSync(out)).toBe(false)
  expect(seen.filter(method => method === 'POST')).toEqual([])
})

it('includes the answers at checkpoints in a dry run, although attempts are not charged for them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-dry-'))
  const prices = join(folder, 'prices.json')
  await writeFile(prices, JSON.stringify({ tiny: { input: 1, cachedInput: 1, output: 2 } }))
  const model = ['--model', 'openai:tiny@http://127.0.0.1:9/v1', '--context-window', '8k', '--prices', prices]
  const common = [
    ...demo,
    ...model,
    '--limit',
    '2',
    '--setting',
    'offline,online',
    '--out',
    join(folder, 'run'),
  ]
  const without = JSON.parse((await tablehunt([...common, '--json'])).stdout)
  const config = join(folder, 'checkpoints.json')
  await writeFile(config, JSON.stringify({ checkpointTokens: ['25k', '50k', '9m'] }))
  const args = [...common, '--config', config]
  const estimate = JSON.parse((await tablehunt([...args, '--json'])).stdout)
  // Two attempts, of each the two checkpoints within its cap of 4m tokens, each a window at most.
  const atMost = { tokens: 4 * 8000, searchCalls: 0, usd: 0.064 }
  expect(estimate.checkpoints).toMatchObject([{ setting: 'checkpoints', attempts: 4, atMost }])
  expect(estimate.attempts).toBe(without.attempts)
  expect(without.checkpoints).toEqual([])
  expect(estimate.atMost.tokens).toBe(without.atMost.tokens + atMost.tokens)
  expect(estimate.typical.usd).toBeGreaterThan(without.typical.usd)
  expect((await tablehunt(args)).stdout).toMatch(/^checkpoints +openai:tiny +4 +32,000/m)
})

it('refuses a dollar cap of the run when a price is unknown', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-dry-'))
  const model = ['--model', 'openai:nobody-knows@http://127.0.0.1:9/v1', '--context-window', '8k']
  const refused = await tablehunt([...demo, ...model, '--run-budget-usd', '3', '--out', join(folder, 'run')])
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('--prices')
  expect(refused.stderr).toContain('--run-budget-usd')
})

it('says in a dry run when its dollars depend on built-in prices, but not when a file sets them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-dry-'))
  const model = ['--model', 'openai:gpt-4o-mini@http://127.0.0.1:9/v1', '--context-window', '8k']
  const args = [...demo, ...model, '--setting', 'offline', '--limit', '1', '--out', join(folder, 'run')]
  const builtIn = await tablehunt(args)
  expect(builtIn.stdout).toMatch(/built-in table of \d{4}-\d\d-\d\d.*check before relying on it.*--prices/)
  const prices = join(folder, 'prices.json')
  const price = { input: 9, cachedInput: 9, output: 9 }
  await writeFile(prices, JSON.stringify({ date: '2026-11-01', about: 'ours', 'gpt-4o-mini': price }))
  const own = await tablehunt([...args, '--prices', prices, '--json'])
  expect(JSON.parse(own.stdout)).toMatchObject({ builtInPrices: false, atMost: { usd: (8_000 * 9) / 1e6 } })
  await writeFile(prices, JSON.stringify({ 'gpt-4o-mini': { input: 9 } }))
  const broken = await tablehunt([...args, '--prices', prices])
  expect(broken).toMatchObject({ code: 2, stderr: expect.stringContaining('cachedInput') })
})

it('prints a row for each agent, and warns when every agent crashed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-agents-'))
  const common = ['--limit', '1', '--setting', 'online', '--out', join(folder, 'run'), '--browser', 'off']
  const agents = ['--agent', 'tablehunt', '--agent', 'command: false']
  const estimate = await tablehunt([...demo, ...common, ...agents])
  expect({ code: estimate.code, stderr: estimate.stderr }).toMatchObject({ code: 0 })
  expect(estimate.stdout).toMatch(/online agent=false .*\n/)
  expect(estimate.stdout).toMatch(/online agent=tablehunt .*\n/)

  const crashed = await tablehunt([...demo.slice(0, -1), ...common, '--agent', 'command: false'])
  expect(crashed.code, crashed.stderr).toBe(0)
  expect(crashed.stderr).toContain('every attempt ended because its agent crashed')
})
