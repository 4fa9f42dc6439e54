import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

const paths: (string | undefined)[] = []
const intake = createServer((request, response) => {
  paths.push(request.url)
  // A media that is stored already: nothing to upload.
  request.resume().on('end', () => response.writeHead(201).end(JSON.stringify({ mediaId: 'x', uploadUrl: null })))
})
let url: string
beforeAll(async () => {
  await new Promise<void>((resolve) => intake.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(intake.address() as AddressInfo).port}`
})
afterAll(() => intake.close())
beforeEach(() => {
  paths.length = 0
})

const QUESTION = 'What is this? data:image/png;base64,iVBORw0KGgo='

it('SVC_MEDIA_UPLOAD_ENABLED uploads media of spans by default', async () => {
  await chat({ SVC_BASE_URL: url, QUESTION })
  expect(paths).toContain('/api/public/media')
})

it.each(['false', '0', 'FALSE'])('SVC_MEDIA_UPLOAD_ENABLED=%s keeps media in spans', async (value) => {
  await chat({ SVC_BASE_URL: url, QUESTION, SVC_MEDIA_UPLOAD_ENABLED: value })
  expect(paths).toEqual(['/api/public/otel/v1/traces'])
})
