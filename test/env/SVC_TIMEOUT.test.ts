import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useChat } from '../support/chat.ts'

const chat = useChat()

const sockets = new Set<Socket>()
const hanging = createServer((socket) => sockets.add(socket))
beforeAll(() => new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  hanging.close()
})

it('SVC_TIMEOUT is how many seconds an export may take, independent of the shutdown timeout', async () => {
  const url = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`
  const { code, lines } = await chat({ SVC_BASE_URL: url, SVC_TIMEOUT: '0.2', SVC_SHUTDOWN_TIMEOUT: '60' })
  expect(code).toBe(0)
  expect(lines).toEqual([expect.stringMatching(/SVC_TIMEOUT/)])
})
