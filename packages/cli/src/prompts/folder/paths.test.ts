import { expect, it } from 'vitest'
import { pathFor, samePath } from './paths.ts'

const prompt = (name: string, type: 'text' | 'chat' = 'text') => ({
  name,
  labels: [],
  content: type === 'text' ? ({ type, prompt: '', config: {} } as const) : ({ type, prompt: [], config: {} } as const),
})

it.each([
  ['movie-critic', 'movie-critic.md'],
  ['support/guide', 'support/guide.md'],
  ['Größe & Maß', 'Größe & Maß.md'],
  ['a:b?"<>|*\\', 'a%3Ab%3F%22%3C%3E%7C%2A%5C.md'],
  ['100%', '100%25.md'],
  ['a\nb', 'a%0Ab.md'],
  ['a\u202Eb', 'a%E2%80%AEb.md'],
  ['..', '%2E%2E.md'],
  ['../../etc', '%2E%2E/%2E%2E/etc.md'],
  ['/a//b/', '%/a/%/b/%.md'],
  ['.env', '%2Eenv.md'],
  [' a. ', '%20a.%20.md'],
  ['con', '%63on.md'],
  ['Aux.x/LPT1', '%41ux.x/%4CPT1.md'],
  ['readme', '%72eadme.md'],
  ['a.md/b', 'a%2Emd/b.md'],
  ['a.yaml', 'a%2Eyaml.md'],
])('the prompt %j is written to %s', (name, path) => {
  expect(pathFor(prompt(name), () => false)).toBe(path)
})

it('a chat prompt is written to a .yaml file', () => {
  expect(pathFor(prompt('a', 'chat'), () => false)).toBe('a.yaml')
})

it('a name that is too long for a file keeps its beginning', () => {
  const path = pathFor(prompt(`${'ä long name '.repeat(30)}`), () => false)
  expect(path).toMatch(/^longnamelongname[a-z]*~[0-9a-f]{8}\.md$/)
  expect(path.length).toBeLessThan(130)
})

it('names that differ only in case get two files', () => {
  const taken = new Set<string>()
  const paths = ['Critic', 'critic', 'CRITIC', 'caf\u00e9', 'cafe\u0301'].map((name) => {
    const path = pathFor(prompt(name), (each) => taken.has(samePath(each)))
    taken.add(samePath(path))
    return path
  })
  expect(paths).toEqual(['Critic.md', 'critic~2.md', '%43%52%49%54%49%43.md', 'caf\u00e9.md', 'cafe%CC%81.md'])
})
