import { Agent } from '@mariozechner/pi-agent-core'
import { ask } from './pi-agent.mjs'

await ask(Agent)
