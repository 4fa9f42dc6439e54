import { beforeEach, expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { edit } from './edit.ts'

const CLIENT = `class Client {
  constructor(transport) { this.transport = transport; this.transport.onmessage = () => {} }
  onElicitationRequest(schema, handler) { this.handler = handler }
  async request({ request, options }) { this.transport.send({ id: 1, ...request }); return { content: [] } }
}`

recordSpans()
beforeEach(forgetSpans)

it('of a client that is not exported each request is recorded, and names its trace', async () => {
  const { source, missing } = edit(CLIENT)
  expect(missing).toEqual([])
  const sent: unknown[] = []
  const transport = { send: (message: unknown) => sent.push(message) }
  const client = new Function('transport', `${source}; return new Client(transport)`)(transport)
  const request = { method: 'tools/call', params: { name: 'weather', arguments: { city: 'Rome' } } }
  expect(await client.request({ request, options: {} })).toEqual({ content: [] })
  const [span] = finishedSpans()
  expect([span?.name, span?.attributes['svc.observation.input']]).toEqual(['execute_tool weather', '{"city":"Rome"}'])
  const _meta = { traceparent: expect.stringContaining(String(span?.spanContext().spanId)) }
  expect(sent).toEqual([{ id: 1, ...request, params: { ...request.params, _meta } }])
})

it('and so is what the server asks its user', async () => {
  const client = new Function(`${edit(CLIENT).source}; return new Client({ send() {} })`)()
  client.onElicitationRequest({}, () => ({ action: 'accept', content: { city: 'Rome' } }))
  await client.handler({ method: 'elicitation/create', params: { message: 'Which city?' } })
  const [{ name, attributes = {} } = {}] = finishedSpans()
  expect([name, attributes['svc.observation.input'], attributes['svc.observation.output']]).toEqual([
    'elicitation/create',
    '{"message":"Which city?"}',
    '{"action":"accept","content":{"city":"Rome"}}',
  ])
})

it('source that is not recognized stays as it is', () => {
  expect(edit('class A {}')).toEqual({ source: 'class A {}', missing: ['its requests'] })
})
