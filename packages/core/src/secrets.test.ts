import { afterEach, expect, it, vi } from 'vitest'
import { keepSecret } from './keep-secret.ts'
import { knownForms } from './secrets.ts'
import * as SLOTS from './slots.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  Reflect.deleteProperty(globalThis, Symbol.for(SLOTS.SECRETS))
})

it('a secret is known in every form in which a text may repeat it, the longest first', () => {
  keepSecret('a/secret "key"')
  const forms = knownForms()
  expect(forms).toEqual(expect.arrayContaining(['a/secret "key"', 'a/secret \\"key\\"', 'a%2Fsecret%20%22key%22']))
  expect(forms).toContain(Buffer.from('a/secret "key"').toString('base64'))
  expect(forms).toEqual(forms.toSorted((a, b) => b.length - a.length))
})

it('copies of this module know the same secrets', async () => {
  keepSecret('secret-of-one')
  vi.resetModules()
  const copy = await import('./secrets.ts')
  expect(copy.knownForms()).toContain('secret-of-one')
})

it('of a variable it is the value that is secret by the name, and of an address the password', async () => {
  vi.stubEnv('SOME_TOKEN', 'secret-token')
  vi.stubEnv('CACHE_URL', 'redis://ada:secret%40word@cache/1')
  vi.stubEnv('NEXT_PUBLIC_SOME_KEY', 'everybody-sees-it')
  await Promise.resolve()
  expect(knownForms()).toEqual(expect.arrayContaining(['secret-token', 'secret%40word', 'secret@word']))
  expect(knownForms()).not.toContain('everybody-sees-it')
})

it.each([
  [
    'JSON',
    '{"type":"service_account","private_key":"key-of-account-1","auth_uri":"https://a.test"}',
    'key-of-account-1',
  ],
  ['a list of JSON', '[{"auth":{"token":"token-of-second"}}]', 'token-of-second'],
  ['a list', 'first-key-1,second-key-2', 'second-key-2'],
  ['several addresses', 'redis://a:first-pass@one:1,redis://b:second-pass@two:2', 'second-pass'],
  ['an address whose user is a token', 'https://abcdef0123456789abcdef@git.test/x', 'abcdef0123456789abcdef'],
])('each secret of a variable with %s is known', async (_, value, secret) => {
  vi.stubEnv('SOME_CREDENTIALS', value)
  await Promise.resolve()
  expect(knownForms()).toContain(secret)
  for (const word of ['service_account', 'https://a.test']) expect(knownForms()).not.toContain(word)
})

it('a user of an address that is a name is not secret', async () => {
  vi.stubEnv('CACHE_URL', 'https://administrator@cache.test')
  await Promise.resolve()
  expect(knownForms()).not.toContain('administrator')
})
