import { expect, it } from 'vitest'
import { requestClosed, requestOpened, requestsEnded } from './open-requests.ts'

it('waiting for open requests ends with the last of them', async () => {
  requestOpened()
  requestOpened()
  let isOver = false
  const waiting = requestsEnded(30_000).then(() => {
    isOver = true
  })
  requestClosed()
  await new Promise((resolve) => setImmediate(resolve))
  expect(isOver).toBe(false)
  requestClosed()
  await waiting
  expect(isOver).toBe(true)
})

it('waiting without open requests ends at once', async () => {
  await requestsEnded(30_000)
})

it('waiting for open requests ends at its limit', async () => {
  requestOpened()
  await requestsEnded(1)
  requestClosed()
})
