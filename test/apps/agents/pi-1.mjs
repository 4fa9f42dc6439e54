import { Agent } from '@earendil-works/pi-agent-core'
import { streamSimple } from '@earendil-works/pi-ai/compat'
import { ask } from './pi-agent.mjs'

await ask(Agent, { streamFn: streamSimple })
