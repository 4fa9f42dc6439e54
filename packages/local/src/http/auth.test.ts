import { describe, expect, it } from 'vitest'
import { Refusal } from './answer.ts'
import { authorise } from './auth.ts'

const keys = { publicKey: 'pk', secretKey: 'sk:with:colons' }
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

it.each([basic('pk:sk:with:colons'), basic('pk:sk:with:colons').replace('Basic', 'basic')])(
  'credentials are accepted: %s',
  (header) => {
    expect(() => authorise(header, keys)).not.toThrow()
  },
)

describe('other credentials are refused with the reason (contract 5.1)', () => {
  const HINT = "Confirm that you've configured the correct host."
  it.each([
    [undefined, 401, 'No authorization header'],
    [basic('pk:wrong'), 401, `Invalid credentials. ${HINT}`],
    [basic('wrong:sk:with:colons'), 401, `Invalid credentials. ${HINT}`],
    [basic('no colon'), 401, `Invalid authorization header. ${HINT}`],
    ['Basic', 401, `Invalid authorization header. ${HINT}`],
    ['Digest abc', 401, `Invalid authorization header. ${HINT}`],
    ['constructor x', 401, `Invalid authorization header. ${HINT}`],
    ['', 401, `Invalid authorization header. ${HINT}`],
    ['Bearer wrong', 401, `Invalid credentials. ${HINT}`],
    ['Bearer pk', 403, 'Access denied: a public key alone cannot use this route'],
  ])('%s: %i %s', (header, status, message) => {
    const refused = () => authorise(header, keys)
    expect(refused).toThrow(Refusal)
    expect(refused).toThrow(message)
    expect(refused).toThrow(expect.objectContaining({ answer: expect.objectContaining({ status }) }))
  })
})
