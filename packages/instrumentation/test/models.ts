import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** A model server in another thread: what a thread asks its own server is no request to a model. */
export interface Models {
  readonly url: string
  /** How many requests it has had. */
  requests(): Promise<number>
  /** Has it answer by HTTP/2, too. Returns the address. */
  startHttp2(): Promise<string>
  close(): Promise<void>
}

let thread: Worker | undefined

/** Starts a model server, one at a time. */
export async function startModels(): Promise<Models> {
  return {
    url: await tell('start'),
    requests: () => tell('requests'),
    startHttp2: () => tell('startHttp2'),
    close: () => tell('close'),
  }
}

async function tell<T>(what: keyof Models | 'start'): Promise<T> {
  thread ??= new Worker(new URL('./models-thread.mjs', import.meta.url))
  const answer = once(thread, 'message')
  thread.postMessage(what)
  return (await answer)[0]
}
