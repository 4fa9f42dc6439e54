import { expect, it } from 'vitest'
import { edit } from './edit.ts'

it('a client that is not exported has its transport followed', () => {
  const { source, missing } = edit(
    'class A { constructor(t) { this.transport = t; this.transport.onmessage = () => {} } }',
  )
  const send = () => 'sent'
  const transport = { send }
  new Function('transport', `${source}; new A(transport)`)(transport)
  expect([missing, transport.send === send, transport.send()]).toEqual([[], false, 'sent'])
})

it('source that is not recognized stays as it is', () => {
  expect(edit('class A {}')).toEqual({ source: 'class A {}', missing: ['the trace of its requests'] })
})
