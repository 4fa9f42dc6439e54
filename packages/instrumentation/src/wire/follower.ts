import type { WireExchange } from './exchange.ts'

/** What is told of a request and its response, by whoever sees them. */
export type WireFollower = Pick<WireExchange, 'sending' | 'send' | 'responded' | 'receive' | 'done' | 'failed'>
