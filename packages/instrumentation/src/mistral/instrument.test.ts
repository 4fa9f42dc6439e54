import { describe, expect, it } from 'vitest'
import { finishedSpans, recordSpans } from '../../test/spans.ts'
import { instrument as instrumentMistral } from '../instrument.ts'

class Hostile {
  constructor() {
    throw new Error('no key')
  }
}

recordSpans()

describe('the calls of @mistralai/mistralai', () => {
  class Client {
    async complete(): Promise<unknown> {
      return { choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finishReason: 'stop' }] }
    }
  }
  class Chat extends Client {}
  class Fim extends Client {
    override complete(): Promise<unknown> {
      return super.complete()
    }
  }
  class Mistral {
    readonly chat = new Chat()
    readonly fim = new Fim()
  }

  it('are recorded once, whatever the name of their class is', async () => {
    expect([instrumentMistral({ Mistral }), instrumentMistral({ Mistral })]).toEqual([true, false])
    const client = new Mistral()
    const ask = client.chat.complete as (request: object) => Promise<unknown>
    await ask.call(client.chat, { model: 'mistral-small', messages: [{ role: 'user', content: 'Is it?' }] })
    expect(finishedSpans().map(({ name, attributes }) => [name, attributes['svc.observation.output']])).toEqual([
      ['chat mistral-small', expect.stringContaining('Yes.')],
    ])
  })

  it.each([undefined, {}, { Mistral: 7 }, { Mistral: class {} }, { Mistral: Hostile }])(
    'are not recorded on other objects (%o)',
    (exports) => expect(instrumentMistral(exports)).toBe(false),
  )
})
