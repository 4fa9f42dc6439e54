// Edge runtimes have `waitUntil`, which is all that Next's `after` stands on, and the rest of it would be in each bundle.
export { type KeepAwake, keepAwake } from '@svc/core/keep-awake'
