// What a worker does, and the observation that is its root.
import { text } from 'node:stream/consumers'
import { propagateAttributes, startActiveObservation } from '@svc/tracing'
import { ask, streamed } from './model.mjs'

export const WORK = {
  ask,
  stream: (user) => text(streamed(user)),
  async fail(user) {
    throw new Error(await ask(user))
  },
}

/** All work of two users. */
export const ALL = ['ann', 'bob'].flatMap((user) => Object.keys(WORK).map((name) => ({ name, user })))

export const observed = (name, userId, run) =>
  propagateAttributes({ userId }, () => startActiveObservation(name, () => run()))
