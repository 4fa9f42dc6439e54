import { expect, it } from 'vitest'
import { shellWord } from './shell-word.ts'

it.each([
  ['movie-critic', '"movie-critic"'],
  ["it's fine", '"it\'s fine"'],
  ['$(rm x)', "'$(rm x)'"],
  ['`rm x`', "'`rm x`'"],
  ['"; rm x; "', '\'"; rm x; "\''],
  ["'; $(rm x)", "''\\''; $(rm x)'"],
  ['\\', "'\\'"],
  ['!!', "'!!'"],
])('a shell reads the name %j as one word, and runs nothing', (name, word) => {
  expect(shellWord(name)).toBe(word)
})
