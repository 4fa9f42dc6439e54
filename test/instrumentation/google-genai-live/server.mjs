import { once } from 'node:events'
import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'

const USAGE = {
  promptTokenCount: 60,
  responseTokenCount: 30,
  totalTokenCount: 90,
  cachedContentTokenCount: 20,
  promptTokensDetails: [
    { modality: 'TEXT', tokenCount: 20 },
    { modality: 'AUDIO', tokenCount: 40 },
  ],
  cacheTokensDetails: [
    { modality: 'TEXT', tokenCount: 8 },
    { modality: 'AUDIO', tokenCount: 12 },
  ],
  responseTokensDetails: [
    { modality: 'TEXT', tokenCount: 10 },
    { modality: 'AUDIO', tokenCount: 20 },
  ],
}
/** Half a second of nothing, at 24 kHz. */
export const SILENCE = Buffer.alloc(24_000).toString('base64')

/** A server of live sessions on loopback. What the user says last decides what the model does. */
export async function liveServer() {
  const http = createServer()
  const received = []
  new WebSocketServer({ server: http }).on('connection', (socket, { headers: own, url }) => {
    const { 'sec-websocket-key': _, host: __, 'x-goog-api-client': ___, 'user-agent': ____, ...headers } = own
    received.push({ headers, url })
    const send = (message) => socket.send(Buffer.from(JSON.stringify(message)))
    const say = (serverContent, more) => send({ serverContent, ...more })
    const text = (...pieces) => {
      for (const piece of pieces) say({ modelTurn: { parts: [{ text: piece }] } })
    }
    const done = (more = {}) => say({ turnComplete: true, ...more }, { usageMetadata: USAGE })
    const speak = () => {
      const inlineData = { mimeType: 'audio/pcm;rate=24000', data: SILENCE }
      say({ modelTurn: { parts: [{ inlineData }] } })
      say({ outputTranscription: { text: 'It is ' } })
      say({ outputTranscription: { text: 'sunny.' } })
    }
    const answers = {
      text() {
        text('A unit ', 'of work.')
        done()
      },
      tool() {
        send({ toolCall: { functionCalls: [{ id: 'call_1', name: 'weather', args: { city: 'Paris' } }] } })
        send({ usageMetadata: USAGE })
      },
      speech() {
        say({ inputTranscription: { text: 'How is it ' } })
        speak()
        say({ inputTranscription: { text: 'outside?' } })
        done()
      },
      hangs: () => text('Well, '),
      interrupted() {
        text('A very long')
        say({ interrupted: true })
        done()
      },
      closes() {
        text('Well, ')
        socket.close(1011, 'internal error')
      },
    }
    socket.on('message', (data) => {
      const message = JSON.parse(data)
      received.push(message)
      const { setup, clientContent, realtimeInput, toolResponse } = message
      if (setup?.model.endsWith('refused')) socket.close(1008, 'no such model')
      else if (setup) send({ setupComplete: { sessionId: 'live_1' } })
      else if (toolResponse) {
        speak()
        done()
      } else if (realtimeInput?.activityEnd || realtimeInput?.audioStreamEnd) answers.speech()
      else if (realtimeInput?.text) answers.text()
      else if (clientContent?.turnComplete) (answers[clientContent.turns.at(-1).parts[0].text] ?? answers.text)()
    })
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  http.unref()
  return { url: `http://127.0.0.1:${http.address().port}`, received: () => received.splice(0) }
}
