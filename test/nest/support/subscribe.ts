import { once } from 'node:events'
import type { Caller } from './drawn.ts'

interface Message {
  readonly type: string
  readonly payload?: unknown
}

/** A subscription to an operation of GraphQL, as clients of `graphql-transport-ws` make it. */
export interface Subscribed {
  /** The next event, or the errors with which it ended. */
  next(): Promise<unknown>
  /** Leaves. */
  close(): Promise<void>
}

/** Subscribes, and says in the parameters of the connection who does. */
export async function subscribe(port: number, query: string, { user, session }: Caller): Promise<Subscribed> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws')
  const received: Message[] = []
  let tell = () => {}
  socket.addEventListener('message', ({ data }) => {
    received.push(JSON.parse(String(data)))
    tell()
  })
  const read = async (): Promise<Message> => {
    const [message] = received.splice(0, 1)
    if (message) return message
    await new Promise<void>((resolve) => {
      tell = resolve
    })
    return read()
  }
  const send = (message: object) => socket.send(JSON.stringify(message))
  await once(socket as never, 'open')
  send({ type: 'connection_init', payload: { 'x-user': user, 'x-session': session } })
  await read()
  send({ type: 'subscribe', id: '1', payload: { query } })
  return {
    next: async () => (await read()).payload,
    close: async () => {
      const closed = once(socket as never, 'close')
      socket.close()
      await closed
    },
  }
}
