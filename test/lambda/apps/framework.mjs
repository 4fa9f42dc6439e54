// Express behind an adapter: nothing closes the response that the adapter reads.
import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import express from 'express'
import { ask } from './ask.mjs'

const app = express().get('/cities/:name', async (request, response) => {
  response.json({ answer: await ask(request.params.name) })
})

export const handler = async ({ question }) => {
  const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: `/cities/${question}` })
  const response = new ServerResponse(request)
  let sent = ''
  const socket = Object.assign(new Socket(), {
    write(piece, encoding, done = encoding) {
      sent += piece
      if (typeof done === 'function') done()
      return true
    },
  })
  response.assignSocket(socket)
  app(request, response)
  await once(response, 'finish')
  return { statusCode: response.statusCode, body: sent.slice(sent.indexOf('\r\n\r\n') + 4) }
}
