const { Test } = require('@nestjs/testing')
const { SvcTesting, SvcTestingModule } = require('@svc/nestjs/testing')
const { OpenAI } = require('openai')

it('a client under observeOpenAI is seen in Jest, with --experimental-vm-modules', async () => {
  const module = await Test.createTestingModule({ imports: [SvcTestingModule.forRoot()] }).compile()
  const message = { role: 'assistant', content: 'Hello.' }
  const completion = { model: 'gpt-4.1-mini', choices: [{ index: 0, message, finish_reason: 'stop' }] }
  const client = new OpenAI({ apiKey: 'test', fetch: async () => Response.json(completion) })
  const { observeOpenAI } = await import('@svc/instrumentation/openai')
  const messages = [{ role: 'user', content: 'Hello?' }]
  await observeOpenAI(client).chat.completions.create({ model: 'gpt-4.1-mini', messages })
  const spans = await module.get(SvcTesting).spans()
  expect(spans.map(({ name, output }) => [name, JSON.parse(output)])).toEqual([['OpenAI.chat', message]])
})
