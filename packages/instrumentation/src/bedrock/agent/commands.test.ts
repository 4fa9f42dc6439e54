import { expect, it } from 'vitest'
import { describeAgentCommand } from './commands.ts'

class RetrieveAndGenerateCommand {
  readonly input = {}
}
class RetrieveAndGenerateStreamCommand {
  readonly input = {}
}

it.each([
  ['INTERVENED', ['guardrail_intervened']],
  ['NONE', []],
])('a guardrail of a knowledge base (%s) is its finish reason, whole and streamed', (action, finishReasons) => {
  const text = 'I may not say that.'
  const whole = describeAgentCommand(new RetrieveAndGenerateCommand())
  const answer = { messages: [{ role: 'assistant', parts: [{ type: 'text', content: text }] }], finishReasons }
  expect(whole?.readResponse?.({ output: { text }, guardrailAction: action })).toMatchObject(answer)
  const pieces = describeAgentCommand(new RetrieveAndGenerateStreamCommand())?.createAccumulator?.()
  for (const event of [
    { output: { text: 'I may not ' } },
    { output: { text: 'say that.' } },
    { guardrail: { action } },
  ])
    pieces?.add(event)
  expect(pieces?.response).toMatchObject(answer)
})
