// Records private data in every place that an application has for content, and in those that no mask sees.
import { observe, propagateAttributes, startActiveObservation } from '@svc/tracing'
import OpenAI from 'openai'

const address = (n) => `ada${n}@example.com`
const card = 4_111_111_111_111_111

const client = new OpenAI()
const messages = [
  { role: 'system', content: `Be kind to ${address(1)}.` },
  { role: 'user', content: [{ type: 'text', text: JSON.stringify({ deep: [{ mail: address(2), card }] }) }] },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'c', type: 'function', function: { name: 'look', arguments: JSON.stringify({ [address(3)]: card }) } },
    ],
  },
  { role: 'tool', tool_call_id: 'c', content: `Found ${address(4)}.` },
]
const tools = [
  { type: 'function', function: { name: 'look', description: `Asks ${address(5)}`, parameters: { type: 'object' } } },
]

const look = observe(async (who, { at }) => ({ list: [who, [{ at }], card], text: JSON.stringify({ who }) }), {
  name: 'look',
  asType: 'tool',
})
const fail = observe(
  () => {
    throw new Error('no such customer')
  },
  { name: 'fail' },
)

await propagateAttributes(
  { userId: 'user of propagateAttributes', tags: ['a tag'], metadata: { plan: 'propagated plan' } },
  () =>
    startActiveObservation('turn', async (turn) => {
      turn.update({
        input: { from: address(6), lists: [[card, { mail: address(7) }]] },
        metadata: { text: address(8), number: card, deep: { [address(9)]: [{ mail: address(10) }] } },
      })
      await client.chat.completions.create({ model: 'gpt-test', messages, tools, user: 'a parameter' })
      await look(address(11), { at: address(12) })
      turn.otelSpan.addEvent('gen_ai.user.message', { role: 'user', content: address(13) })
      turn.startObservation('retrieval', { input: address(14), output: [address(15)] }, { asType: 'retriever' }).end()
      try {
        fail(address(16))
      } catch {}
      turn.update({ output: `data:text/plain;base64,${Buffer.from('bytes of media').toString('base64')}` })
    }),
)
