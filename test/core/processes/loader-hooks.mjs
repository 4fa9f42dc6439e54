// Hooks that change nothing, for --import: a thread that starts asks the thread of the hooks.
import { register } from 'node:module'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) register(import.meta.url)

export const load = (url, context, next) => next(url, context)
