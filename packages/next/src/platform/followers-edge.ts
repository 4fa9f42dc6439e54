import {
  type Follower,
  followAsyncIterable,
  followByStream,
  followIterator,
  followPromise,
} from '@svc/tracing/adapters'

// Replaces followers.ts in bundles for edge runtimes. Their streams are native.
export const followStream: typeof followByStream = followByStream

/**
 * The results of an async function of an edge runtime that React sends on. It has no streams of Node, React sends no
 * Observable, and a promise has called the `then` of its result.
 */
export const followers: readonly Follower[] = [followPromise, followStream, followIterator, followAsyncIterable]
