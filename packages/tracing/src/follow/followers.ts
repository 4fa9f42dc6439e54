import type { Follower } from '../ending.ts'
import { followAsyncIterable } from './async-iterable.ts'
import { followIterator } from './iterator.ts'
import { followNodeStream } from './node-stream.ts'
import { followObservable } from './observable.ts'
import { followPromise } from './promise.ts'
import { followThenable } from './thenable.ts'
import { followWebStream } from './web-stream.ts'

/** All kinds of results, in order of precedence: a query may be thenable and iterable, and a Node stream is iterable, too. */
export const FOLLOWERS: readonly Follower[] = [
  followPromise,
  followThenable,
  followWebStream,
  followNodeStream,
  followObservable,
  followIterator,
  followAsyncIterable,
]
