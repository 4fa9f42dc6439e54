import type { WireExchange } from './exchange.ts'

/** What is told of a request and its response, by whoever sees them. */
export type WireFollower = Pick<WireExchange, 'sending' | 'send' | 'responded' | 'receive' | 'done' | 'failed'>

/** Returns a follower that tells two, one after the other. */
export function both(first: WireFollower, second: WireFollower): WireFollower {
  return {
    sending(socketOf) {
      first.sending(socketOf)
      second.sending(socketOf)
    },
    send(chunk, encoding) {
      first.send(chunk, encoding)
      second.send(chunk, encoding)
    },
    responded(status, header) {
      first.responded(status, header)
      second.responded(status, header)
    },
    receive(chunk, encoding) {
      first.receive(chunk, encoding)
      second.receive(chunk, encoding)
    },
    done() {
      first.done()
      second.done()
    },
    failed(cause) {
      first.failed(cause)
      second.failed(cause)
    },
  }
}
