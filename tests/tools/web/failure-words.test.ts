import { describe, expect, it } from 'vitest'
import { describeNetworkFailure } from '../../../tools/web/failure-words.ts'

describe('the failure of a request', () => {
  it.each([
    ['ECONNREFUSED', 'https://a.example: no server answers at this address (ECONNREFUSED)'],
    ['CERT_HAS_EXPIRED', "https://a.example: the server's certificate has expired (CERT_HAS_EXPIRED)"],
    ['HPE_INVALID_CONSTANT', 'https://a.example: the answer is not valid HTTP (HPE_INVALID_CONSTANT)'],
    ['Z_BUF_ERROR', "https://a.example: the page's compressed text ends too early (Z_BUF_ERROR)"],
    ['ENEWCODE', 'https://a.example could not be reached: ENEWCODE'],
  ])('is said in words, and an unknown code is shown: %s', (code, message) => {
    expect(describeNetworkFailure('https://a.example', code).message).toBe(message)
  })
})
