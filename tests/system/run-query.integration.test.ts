import { describe, expect, it } from 'vitest'
import { runQuery } from '../../src/system/sql/run-query.ts'
import { SqlError } from '../../src/system/sql/table-database.ts'

const tables = [
  {
    name: 'rivers',
    columns: ['name', 'km'],
    rows: [
      ['Rhine', '1230'],
      ['Spree', '400'],
      ['Oder', ''],
    ],
  },
]
const endless = 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c'
const many = 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 1000000) SELECT n FROM c'

function query(sql: string, { timeoutMs = 20_000, signal = new AbortController().signal } = {}) {
  return runQuery({ tables, sql, maxRows: 5 }, { timeoutMs, signal })
}

describe('a query of tables', () => {
  it('reads numbers as numbers and empty cells as missing', async () => {
    const result = await query('SELECT name, km FROM rivers ORDER BY km DESC')
    expect(result).toEqual({
      columns: ['name', 'km'],
      rows: [
        ['Rhine', 1230],
        ['Spree', 400],
        ['Oder', null],
      ],
    })
  })

  it.each([
    ['SELECT * FROM lakes', 'no such table: lakes'],
    ["DELETE FROM rivers WHERE name = 'Oder'", 'only queries are allowed'],
    ['WITH one AS (SELECT 1) DELETE FROM rivers', 'readonly database'],
    ['SELECT', 'incomplete input'],
  ])('refuses %s', async (sql, message) => {
    const error = await query(sql).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(SqlError)
    expect(error).toHaveProperty('message', expect.stringContaining(message))
  })

  it('says why tables cannot be loaded', async () => {
    const [rivers] = tables
    const alike = { ...rivers!, columns: ['name', 'Name'] }
    const request = { tables: [alike], sql: 'SELECT 1', maxRows: 5 }
    const { signal } = new AbortController()
    const error = await runQuery(request, { timeoutMs: 20_000, signal }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(SqlError)
    expect(error).toHaveProperty('message', 'duplicate column name: Name')
  })

  it('stops a query that does not end', async () => {
    await expect(query(endless, { timeoutMs: 300 })).rejects.toThrow(
      'the query was stopped after 0.3 seconds',
    )
  })

  it('stops when the attempt is cancelled', async () => {
    const cancel = new AbortController()
    const running = query(endless, { signal: cancel.signal })
    cancel.abort(new Error('cancelled'))
    await expect(running).rejects.toThrow('cancelled')
  })

  it('reads no more rows of a million than it is asked for', async () => {
    expect((await query(many)).rows).toHaveLength(5)
  })
})
