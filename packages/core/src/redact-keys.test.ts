import { describe, expect, it } from 'vitest'
import { redactKeys } from './redact-keys.ts'

const MEGABYTE = 1_000_000
const random = '0123456789abcdefABCD'

describe('text that looks like a key is redacted:', () => {
  it.each([
    ['Incorrect key sk-proj-abc_DEF-1234 provided', 'Incorrect key (hidden) provided'],
    ['no such key: AIzaSyA-1234567890abcdefghijk_lmn', 'no such key: (hidden)'],
    [`gsk_${random}, hf_${random}, xai-${random}, pk_live_${random}`, '(hidden), (hidden), (hidden), (hidden)'],
    ['401 {"authorization":"Bearer abc.DEF-123"}', '401 {"authorization":"Bearer (hidden)"}'],
    ['401 {\\"x-api-key\\":\\"0123456789abcdef\\"}', '401 {\\"x-api-key\\":\\"(hidden)\\"}'],
    ['Authorization: Basic dXNlcjpwYXNz refused', 'Authorization: Basic (hidden) refused'],
    ['client_secret=0123456789&grant=x', 'client_secret=(hidden)&grant=x'],
    ['sent Bearer 0123456789abcdef', 'sent Bearer (hidden)'],
    ['invalid credentials: Basic cGs6c2sxMjM0NTY=', 'invalid credentials: Basic (hidden)'],
    ['GET https://host/v1?key=0123456789&alt=sse failed', 'GET https://host/v1?key=(hidden)&alt=sse failed'],
    ['authorization: x-api-key: 0123456789abcdef', 'authorization: x-api-key: (hidden)'],
    ['no api_key: authorization: Bearer dXNlcjpwYXNz', 'no api_key: authorization: Bearer (hidden)'],
    ['cannot reach https://user:pass@host/v1', 'cannot reach https://user:(hidden)@host/v1'],
  ])('%s', (message, hidden) => {
    expect(redactKeys(message)).toBe(hidden)
  })
})

describe('text without a key is unchanged:', () => {
  it.each([
    'Incorrect API key provided: sk-ab***yz',
    'the bearer understands nothing, a risk-taking-basic misunderstanding: co-operation',
    'The model xai-grok-beta does not exist, hf-internal-testing/tiny and pplx-70b-online neither',
    'hf_hub_download failed',
    'the bearer token-based scheme',
    'authorization: required. Use api_key=process.env.KEY, not api_key=undefined',
    'invalid api_key: none',
    'at https://host:8080/v1@2/models, http://host:80?mail=a@b.c',
    'The token limit is 128000; the key: a shorter prompt',
  ])('%s', (message) => {
    expect(redactKeys(message)).toBe(message)
  })
})

it.each([
  'api_key=',
  '?key=a',
  'Bearer a api_key://:',
  'Bearer ',
  'sk-',
  '://a:',
  'api_key : ',
  'authorization"\\" ',
  '"',
  ' ',
  'a',
])('a megabyte of %j is redacted in linear time', (piece) => {
  const text = `api_key: "Bearer ://${piece.repeat(MEGABYTE / piece.length)}`
  expect(redactKeys(text).length).toBeLessThanOrEqual(2 * MEGABYTE)
})
