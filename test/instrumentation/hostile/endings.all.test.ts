import { describe } from 'vitest'
import { checkEndings, checkSignals } from './endings.ts'

describe('a process that ends during a call ends as without instrumentation', () => {
  checkEndings([
    ['openai', 'exit after an answer'],
    ['openai', 'exit in a loop'],
    ['openai', 'exit with a stream just made'],
    ['openai', 'exit with a call just made'],
    ['openai', 'reject in a loop'],
    ['openai', 'reject of a call'],
    ['openai', 'throw in a loop'],
    ['google-genai', 'throw in a loop'],
    ['bedrock', 'throw in a loop'],
    ['langchain', 'throw in a loop'],
  ])
})

describe('a signal during a stream ends the process as usual, and the output received so far is delivered', () => {
  checkSignals([
    ['openai', 'signal in a loop, handled'],
    ['anthropic', 'signal in a loop'],
    ['google-genai', 'signal in a loop'],
    ['ollama', 'signal in a loop'],
    ['cohere', 'signal in a loop'],
    ['mistral', 'signal in a loop'],
    ['bedrock', 'signal in a loop'],
    ['langchain', 'signal in a loop'],
  ])
})
