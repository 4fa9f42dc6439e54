// All activities at once, each in the environment that Temporal has for tests of them.
import { activityInfo } from '@temporalio/activity'
import { MockActivityEnvironment } from '@temporalio/testing'
import { DefaultLogger } from '@temporalio/worker'
import { ALL, observed, WORK } from './work.mjs'

/** A worker has it in `interceptors.activity`. */
const interceptor = () => ({
  inbound: {
    execute: (input, next) => observed(activityInfo().activityType, input.args[0], () => next(input)),
  },
})

// It warns of activities that fail.
const options = { interceptors: [interceptor], logger: new DefaultLogger('ERROR') }
const run = ({ name, user }) => new MockActivityEnvironment({ activityType: name }, options).run(WORK[name], user)
await Promise.allSettled(ALL.map(run))
