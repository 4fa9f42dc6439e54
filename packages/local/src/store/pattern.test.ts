import { logThrough } from '@svc/core/log'
import { expect, it, onTestFinished } from 'vitest'
import { DefinedModels } from './defined-models.ts'
import type { StoredModel } from './model.ts'
import { patternIssue } from './pattern.ts'

it.each(['^(([\\w.-]+)+)+!$', '(a|a)*$', '(?i)^(a+)+$', '(((a?){99}){99}){99}', 'x'.repeat(2_000), '('])(
  'a pattern that takes too long, or is none, is refused with the reason: %s',
  (source) => {
    expect(patternIssue(source)).toMatch(/^(it takes too long|its counts repeat|expected)/)
  },
)

it.each(['(?i)^(gpt-4)$', '^(?:[\\w.-]+/)*claude-[\\w-]+$', '(?i)^(gpt-4\\.1)(-\\d{4}-\\d{2}-\\d{2})?$'])(
  'a pattern as services write it is taken: %s',
  (source) => {
    expect(patternIssue(source)).toBeUndefined()
  },
)

it('all patterns of a model have the time of one', () => {
  const part = (letter: string) => `${letter}*${letter}*${letter}*`
  const slow = (at: number) => `^(?:${['a', '1', '-', '[.]', '/'].map(part).join('|')})b${at}$`
  expect(patternIssue(...Array.from({ length: 100 }, (_, at) => slow(at)))).toMatch(/^"[^"]+": it takes too long/)
  expect(patternIssue(...Array.from({ length: 100 }, (_, at) => `(?i)^(input_${at}|cached_[a-z]+)$`))).toBeUndefined()
})

const model = (id: string, matchPattern: string) => ({ id, matchPattern, pricingTiers: [] }) as unknown as StoredModel

function loggedLines(): readonly string[] {
  const lines: string[] = []
  logThrough((_, message) => lines.push(message))
  onTestFinished(() => logThrough(undefined))
  return lines
}

it('a pattern of a file that is too slow for a name is switched off with a line, and others still fit', () => {
  const logged = loggedLines()
  const models = new DefinedModels([model('slow', '^(xy)+(([\\w.-]+)+)+!$'), model('fast', '^xy')])
  const name = `xy${'a'.repeat(60)}`
  const calls = [{ model: name, usage: {} }]
  models.learn(calls)
  models.learn(calls)
  expect(models.fitting(name).map(({ id }) => id)).toEqual(['fast'])
  expect(logged).toEqual([expect.stringMatching(/^The pattern .* of a model takes too long for "xya/)])
})

it('more names in a batch than the patterns can be tried on are said in a line', () => {
  const logged = loggedLines()
  const models = new DefinedModels(
    Array.from({ length: 500 }, (_, at) => model(`${at}`, `^(?:[\\w.-]+/)*claude-${at}$`)),
  )
  models.learn(Array.from({ length: 10_000 }, (_, at) => ({ model: `${'a'.repeat(190)}${at}`, usage: {} })))
  expect(logged).toEqual([
    expect.stringMatching(/^Costs of some calls are missing: .* of 500 models .* in 100 ms\. Delete/),
  ])
})
