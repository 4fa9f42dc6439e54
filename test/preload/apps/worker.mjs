// The model call happens in a worker thread, which ends by itself.
import { Worker } from 'node:worker_threads'

new Worker(new URL('./chat.mjs', import.meta.url))
