import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { setSvcTracerProvider } from '@svc/tracing'
import { NextRequest, NextResponse } from 'next/server.js'
import { afterEach, expect, it } from 'vitest'
import { svcProxy } from './svc-proxy.ts'

const exporter = new InMemorySpanExporter()
setSvcTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }))
afterEach(() => exporter.reset())

const request = () => new NextRequest('https://shop.example/chat')
const ended = () => exporter.getFinishedSpans().map(({ name, status, attributes }) => [name, status, attributes])

it('a named proxy is an observation that ends with its answer, of which nothing is recorded', async () => {
  let answer = (_: NextResponse) => {}
  const answering = new Promise<NextResponse>((resolve) => {
    answer = resolve
  })
  const proxied = svcProxy({ name: 'proxy' }, () => answering)(request(), {} as never)
  await new Promise((resolve) => setImmediate(resolve))
  expect(ended()).toEqual([])
  const response = NextResponse.json({ done: true })
  answer(response)
  expect(await proxied).toBe(response)
  expect(ended()).toEqual([['proxy', { code: 0 }, { 'svc.observation.type': 'span' }]])
})

it('a named proxy that fails is an observation with the error, which reaches Next', async () => {
  const failing = svcProxy({ name: 'proxy' }, async () => {
    throw new Error('no session')
  })
  await expect(failing(request(), {} as never)).rejects.toThrow('no session')
  expect(ended()).toEqual([
    ['proxy', { code: 2, message: 'no session' }, expect.objectContaining({ 'svc.observation.level': 'ERROR' })],
  ])
})
