import { once } from 'node:events'
import { connect } from 'node:net'

/** Sends one message to a microservice of Nest and returns its answer, or `{ error }`: `length#json`, both ways. */
export async function askTcp(port: number, pattern: string, data: unknown): Promise<unknown> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const packet = JSON.stringify({ pattern, data, id: '1' })
  socket.write(`${packet.length}#${packet}`)
  let received = ''
  try {
    for await (const chunk of socket) {
      received += chunk
      const [, length, json = ''] = /^(\d+)#(.*)$/s.exec(received) ?? []
      if (length && json.length >= Number(length)) break
    }
  } finally {
    socket.destroy()
  }
  const { err, response } = JSON.parse(received.slice(received.indexOf('#') + 1))
  return err ? { error: err.message } : response
}
