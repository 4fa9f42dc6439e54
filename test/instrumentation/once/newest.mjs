// Versions that instrumentations of other vendors do not understand.
import { anthropic, ask, askAnthropic, openai, textOf } from './clients.mjs'

export default {
  anthropic: async (kit) => askAnthropic(await anthropic(kit, 'anthropic-1')),
  openai: async (kit) => textOf(await ask(await openai(kit, 'openai-7'))),
}
