// For the adapters of frameworks in this project: the parts that the public helpers are made of.

export { messageIn } from '@svc/core/log'
export { CollectedOutput } from './collected-output.ts'
export type { Recorder } from './ending.ts'
export { Ending } from './ending.ts'
export { follow } from './follow/follow.ts'
export type { StreamListener } from './follow/watched-stream.ts'
export { followWebStream } from './follow/web-stream.ts'
export { startIn } from './observation.ts'
export { propagatedValues } from './propagate/values.ts'
export { recorderOf } from './recorder.ts'
export { run } from './run.ts'
export { writeObservation } from './write.ts'
