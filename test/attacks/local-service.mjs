// A service in a process of its own, which says how long its event loop was blocked and how much it has grown.
// node local-service.mjs '{"token":false}'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { startLocal } from '@svc/local'

const local = await startLocal(JSON.parse(process.argv[2] ?? '{}'))
const delays = monitorEventLoopDelay({ resolution: 10 })
delays.enable()
const before = process.memoryUsage.rss()
process.on('message', () => {
  const grown = (process.resourceUsage().maxRSS * 1024 - before) / 1024 / 1024
  process.send({ blockedMs: delays.max / 1e6, grownMiB: Math.round(grown) })
})
const { url, pageUrl, publicKey, secretKey } = local
process.send({ url, pageUrl, publicKey, secretKey })
