// A model call, and what the health says of its span: before it was sent and after.
import { getSvcHealth } from '@svc/register'

const say = () => {
  const { state, ended, sent, pending, dropped } = getSvcHealth()
  console.log(`health: ${JSON.stringify({ state, ended, sent, pending, dropped })}`)
}
say()
await import('./chat.mjs')
say()
const { start } = await import('@svc/register/start')
await start()?.forceFlush()
say()
