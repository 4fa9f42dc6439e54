import { environmentOf } from '@svc/core/environment'
import { foreignText, redactKeys } from '@svc/core/foreign-text'
import { readSettings, type SettingTable } from '@svc/core/setting'
import * as settings from '@svc/core/settings'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fuzz } from './fuzz.ts'

const TABLES = Object.entries(settings).filter(
  ([name, table]) => name.endsWith('Settings') && typeof table === 'object',
) as [string, SettingTable][]
const VARIABLES = [...new Set(TABLES.flatMap(([, table]) => Object.values(table).flatMap(({ env }) => env)))]
const SECRET = 'a-key-of-no-known-form-6b1f'
const PLANTED = 'planted-9d3e-value'

const odd = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    'true',
    '-1',
    '1e400',
    'NaN',
    '{"__proto__":1}',
    'a=b,,=',
    'http://',
    'http://u:p@[::1',
    '\u202e',
    '%zz',
  ),
  fc.constant('x').map((text) => text.repeat(100_000)),
)
const values = fc.oneof(odd, fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }))

describe('settings of any value are read without a throw, and no line has a secret,', () => {
  it.each(TABLES)(
    'of %s',
    (_, table) => {
      const secret = Object.entries(table).filter((entry) => entry[1].secret)
      const secretVariables = new Set(secret.flatMap(([, { env }]) => env))
      fc.assert(
        fc.property(
          fc.dictionary(fc.constantFrom(...VARIABLES, '__proto__'), odd, { maxKeys: 12 }),
          fc.dictionary(fc.constantFrom(...Object.keys(table), 'constructor'), values, { maxKeys: 6 }),
          (variables, options) => {
            const lines: string[] = []
            const planted = Object.fromEntries(
              Object.entries(variables).map(([name, text]) => [
                name,
                secretVariables.has(name) ? PLANTED + text : text,
              ]),
            )
            for (const [name] of secret) if (Object.hasOwn(options, name)) options[name] = [PLANTED, options[name]]
            const read = readSettings(table, options, environmentOf(planted), (line) => lines.push(line))
            expect(Object.keys(read)).toEqual(Object.keys(table))
            expect(lines.filter((line) => line.includes(PLANTED) || line.length > 1_000)).toEqual([])
          },
        ),
        fuzz(100),
      )
    },
    60_000,
  )
})

const around = fc.oneof(
  fc.string({ maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 100 }),
  fc.constantFrom(
    '{"key":"',
    "'",
    '"',
    '\\',
    ':',
    '=',
    '&',
    ' ',
    '/',
    '%22',
    'x'.repeat(65_530),
    'api_key='.repeat(9_000),
  ),
)
const FORMS: Readonly<Record<string, (secret: string) => string>> = {
  itself: (secret) => secret,
  'in base64 after a user': (secret) => Buffer.from(`pk-fuzz:${secret}`).toString('base64'),
  'in base64': (secret) => Buffer.from(secret).toString('base64'),
  'in a URL': encodeURIComponent,
  'in JSON': (secret) => JSON.stringify(secret).slice(1, -1),
  'in JSON in JSON': (secret) => JSON.stringify(JSON.stringify(secret)).slice(3, -3),
}

describe('in no text is a key that the process holds', () => {
  it.each(Object.entries(FORMS))(
    '%s',
    (_, form) => {
      const keys = fc.oneof(
        fc.constant(SECRET),
        fc.string({ minLength: 12, maxLength: 60 }).filter((key) => key.trim() === key && !/[\s/.~:]/.test(key)),
        fc.base64String({ minLength: 12, maxLength: 60 }),
      )
      fc.assert(
        fc.property(keys, around, around, (key, before, after) => {
          readSettings({ secretKey: settings.secretKey }, { secretKey: key }, environmentOf({}), () => {})
          const text = before + form(key) + after
          for (const shown of [redactKeys(text), foreignText(text, 400)]) expect(shown).not.toContain(form(key))
        }),
        fuzz(100),
      )
    },
    60_000,
  )
})

describe('in no text is what has the form of a key', () => {
  const letters = fc.string({
    unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'),
    minLength: 24,
    maxLength: 60,
  })
  it.each<readonly [string, (key: string) => string]>([
    ['of a vendor', (key) => `sk-${key}`],
    ['in a header', (key) => `Authorization: Bearer 1${key}`],
    ['in a field', (key) => `"api_key": "1${key}"`],
    ['in an address', (key) => `https://user:${key}@host.example/path`],
  ])(
    '%s',
    (_, form) => {
      fc.assert(
        fc.property(letters, fc.string(), fc.string(), (key, before, after) => {
          const text = `${before} ${form(key)} ${after}`
          for (const shown of [redactKeys(text), foreignText(text, 400)]) expect(shown).not.toContain(key)
        }),
        fuzz(200),
      )
    },
    60_000,
  )
})

it('a text for a terminal is one line of at most so many characters, without what a terminal obeys', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), values), fc.integer({ min: 1, max: 300 }), (text, longest) => {
      const shown = foreignText(text, longest)
      expect(shown.length).toBeLessThanOrEqual(longest)
      expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u)
    }),
    fuzz(1_000),
  )
})
