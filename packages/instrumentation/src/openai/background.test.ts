import * as openai from 'openai'
import { expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { instrumentOpenAI } from './patch.ts'

recordSpans()

it('a response in the background ends as cancelled when it is cancelled, with what it had said', async () => {
  instrumentOpenAI(openai)
  const output = [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Half' }] }]
  const fetch = async (url: string | URL | Request) => {
    const isCancelled = String(url).endsWith('/resp_1/cancel')
    return Response.json({
      id: 'resp_1',
      model: 'm-1',
      ...(isCancelled ? { status: 'cancelled', output } : { status: 'queued' }),
    })
  }
  const { responses } = new openai.OpenAI({ apiKey: 'none', fetch })
  forgetSpans()
  const { id } = await responses.create({ model: 'm', input: 'Hi', background: true })
  expect(finishedSpans()).toEqual([])
  await responses.cancel(id)
  expect(finishedSpans().map(({ name, attributes }) => [name, attributes])).toEqual([
    [
      'chat m',
      expect.objectContaining({
        'gen_ai.response.id': 'resp_1',
        'svc.observation.level': 'WARNING',
        'svc.observation.status_message': 'cancelled by the caller',
        'svc.observation.output': '[{"role":"assistant","content":"Half"}]',
      }),
    ],
  ])
})
