import { expect, it } from 'vitest'
import { plainWord, shellWord } from './shell-word.ts'

it.each([
  ['movie-critic', '"movie-critic"'],
  ["it's fine", '"it\'s fine"'],
  ['$(rm x)', "'$(rm x)'"],
  ['`rm x`', "'`rm x`'"],
  ['"; rm x; "', '\'"; rm x; "\''],
  ["'; $(rm x)", "''\\''; $(rm x)'"],
  ['\\', "'\\'"],
  ['!!', "'!!'"],
  ['a  b ', '"a  b "'],
  ['a\nb', "$'a\\U0000000ab'"],
  ["it's\u202e\\", "$'it\\'s\\U0000202e\\\\'"],
  ['\\user', "'\\user'"],
  ['http://u:p4ssw0rd@host/', '"http://u:(hidden)@host/"'],
])('a shell reads the name %j as one word, and runs nothing', (name, word) => {
  expect(shellWord(name)).toBe(word)
})

it.each([
  ['--port=3000', '--port=3000'],
  ['@svc/core@6.0.0-rc.1+a', '@svc/core@6.0.0-rc.1+a'],
  ['a b', '"a b"'],
  ['a;b', '"a;b"'],
  ['$(rm x)', "'$(rm x)'"],
  ['', '""'],
])('of the words of a command, %j needs no more quotes than %s', (given, word) => {
  expect(plainWord(given)).toBe(word)
})
