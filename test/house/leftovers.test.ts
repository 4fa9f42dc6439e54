import { expect, it } from 'vitest'
import { endPrograms, startNode } from '../support/run.ts'

it('a program that a test has left ends with its file', async () => {
  const program = startNode(['-e', 'console.log("runs"); setInterval(() => {}, 1_000)'])
  await program.printed(/runs/)
  endPrograms()
  expect((await program.ended).signal).toBe('SIGKILL')
})
