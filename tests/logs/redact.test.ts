import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRedactor, secretRules } from '../../logs/redact.ts'
import { redacted } from '../../src/system/secret-values.ts'

const letters = 'a1B2c3D4e5'.repeat(4)
/** A secret as a page may show it, and the text that remains after redaction. */
const bare: readonly (readonly [string, string])[] = [
  [`Authorization: Bearer ${letters}`, `Authorization: Bearer ${redacted}`],
  [`Authorization: ${letters}`, `Authorization: ${redacted}`],
  [`bearer ${letters}`, `bearer ${redacted}`],
  [`Cookie: sid=${letters}`, `Cookie: ${redacted}`],
  [`X-API-Key: ${letters}`, `X-API-Key: ${redacted}`],
  [`X-Subscription-Token: ${letters}`, `X-Subscription-Token: ${redacted}`],
  [
    `https://a.example/?x-amz-credential=${letters}&q=1`,
    `https://a.example/?x-amz-credential=${redacted}&q=1`,
  ],
  [`https://a.example/?sig=${letters}`, `https://a.example/?sig=${redacted}`],
  [`client_secret=${letters}`, `client_secret=${redacted}`],
  ['https://me:hunter2@a.example/', `https://${redacted}@a.example/`],
  ...[
    'sk-',
    'pk-',
    'rk-',
    'AIza',
    'ghp_',
    'gho_',
    'ghu_',
    'ghs_',
    'ghr_',
    'xoxa-',
    'xoxb-',
    'xoxp-',
    'tvly-',
    'hf_',
    'npm_',
    'github_pat_',
    'glpat-',
  ].map(start => [start + letters, redacted] as const),
  ['AKIAIOSFODNN7EXAMPLE', redacted],
  [`eyJ${letters}.eyJ${letters}.${letters}`, redacted],
  [`-----BEGIN RSA PRIVATE KEY-----\n${letters}\n-----END RSA PRIVATE KEY-----`, redacted],
  ['-----BEGIN PRIVATE KEY-----', redacted],
]
const { text, json } = createRedactor([])

describe('a secret in plain text', () => {
  it.each(bare)('is removed from %s', (secret, left) => {
    expect(text(`see ${secret}`)).toBe(`see ${left}`)
    expect(text(secret)).toBe(left)
  })

  it.each(bare)('is removed from JSON with %s', (secret, left) => {
    for (const around of ['see ', '', '\n', '"'])
      expect(json(JSON.stringify({ found: [around + secret] }))).toBe(
        JSON.stringify({ found: [around + left] }),
      )
  })

  it('is detected by the quick test wherever a rule matches', () => {
    const parts = [
      ...bare.flatMap(([secret]) => secret.split(/(?<=[^\w])|(?=a1B2)/)),
      letters,
      ' ',
      '\n',
      '"',
      '\\',
      'é',
    ]
    const some = fc.array(fc.constantFrom(...parts), { maxLength: 6 }).map(list => list.join(''))
    fc.assert(
      fc.property(some, said => {
        const clean = secretRules.reduce((left, [pattern, put]) => left.replace(pattern, put), said)
        expect(text(said)).toBe(clean)
        expect(json(JSON.stringify([said]))).toBe(JSON.stringify([clean]))
      }),
      { numRuns: 5_000 },
    )
  })
})
