import { expect, it } from 'vitest'
import { harmless, KINDS, messages, VALUES_OF_TEXT } from '../../test/support/redaction-corpus.ts'
import { personal } from './personal.ts'
import { redactText } from './redact-text.ts'
import { SECRETS } from './redaction.ts'

const rules = [SECRETS, ...personal(new Set(KINDS))]

it('of each kind at least 99 of 100 values are hidden, in eight languages, logs, code and JSON', () => {
  const missed = new Map<string, string[]>(KINDS.map((kind) => [kind, []]))
  const counts = new Map<string, number>()
  for (const { text, planted } of messages(47, 10_000)) {
    const hidden = redactText(text, rules, () => {})
    for (const { kind, value } of planted) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
      if (hidden.includes(value) || hidden.includes(JSON.stringify(value).slice(1, -1))) missed.get(kind)?.push(value)
    }
  }
  for (const kind of KINDS) {
    const share = (missed.get(kind)?.length ?? 0) / (counts.get(kind) ?? 0)
    expect(share, `${kind}: ${missed.get(kind)?.slice(0, 9)}`).toBeLessThan(0.01)
  }
})

it('of numbers, code, base64 and identifiers at most one of a thousand is taken for something else', () => {
  const texts = harmless(48, 10_000)
  const taken: string[] = []
  for (const text of texts) redactText(text, rules, (kind) => taken.push(`${kind}: ${text}`))
  const values = texts.length * VALUES_OF_TEXT
  expect(taken.length / values, taken.slice(0, 3).join('\n')).toBeLessThanOrEqual(0.001)
  // By chance a number of 16 digits is one of a card. Of the rest there is none at all.
  expect(taken.filter((each) => !each.startsWith('card'))).toEqual([])
})

it('JSON stays JSON, with its keys and numbers', () => {
  for (const { text } of messages(49, 2_000)) {
    if (!/^[[{]/.test(text)) continue
    const shape = (value: unknown): unknown =>
      typeof value === 'string'
        ? 'text'
        : typeof value === 'object' && value !== null
          ? Object.entries(value).map(([key, each]) => [key, shape(each)])
          : value
    expect(shape(JSON.parse(redactText(text, rules, () => {})))).toEqual(shape(JSON.parse(text)))
  }
})
