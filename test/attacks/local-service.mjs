// A service in a process of its own, which says how long its event loop was blocked and how much it has grown.
// node local-service.mjs '{"token":false}'
import { startLocal } from '@svc/local'

const local = await startLocal(JSON.parse(process.argv[2] ?? '{}'))
const before = process.memoryUsage.rss()

// Processor time of this thread between two turns of the loop: on a busy machine time passes without it.
let last = processorMs()
let blockedMs = 0
setInterval(() => {
  const now = processorMs()
  blockedMs = Math.max(blockedMs, now - last)
  last = now
}, 5)

process.on('message', () => {
  const grown = (process.resourceUsage().maxRSS * 1024 - before) / 1024 / 1024
  process.send({ blockedMs, grownMiB: Math.round(grown) })
})
const { url, pageUrl, publicKey, secretKey } = local
process.send({ url, pageUrl, publicKey, secretKey })

function processorMs() {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
