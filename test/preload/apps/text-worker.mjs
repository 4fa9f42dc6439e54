// The model call happens in a worker thread that is started from text.
import { Worker } from 'node:worker_threads'

const chat = JSON.stringify(new URL('./chat.mjs', import.meta.url).href)

new Worker(process.env.USE === 'an ES module' ? `import ${chat}` : `import(${chat})`, { eval: true })
