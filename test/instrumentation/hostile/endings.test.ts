import { describe } from 'vitest'
import { checkEndings, checkSignals } from './endings.ts'

describe('a process that ends during a call ends as without instrumentation', () => {
  checkEndings([['openai', 'throw out of a loop']])
})

describe('a signal during a stream ends the process as usual, and the output received so far is delivered', () => {
  checkSignals([['openai', 'signal in a loop']])
})
