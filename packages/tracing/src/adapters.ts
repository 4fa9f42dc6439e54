// For the adapters of frameworks in this project: the parts that the public helpers are made of.
export type { Recorder } from './ending.ts'
export { Heard } from './follow/heard.ts'
export type { StreamListener } from './follow/watched-stream.ts'
export { followWebStream } from './follow/web-stream.ts'
export { startIn } from './observation.ts'
export { messageIn, recorderOf } from './recorder.ts'
export { run } from './run.ts'
export { writeObservation } from './write.ts'
